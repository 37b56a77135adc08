import assert from 'node:assert/strict';
import { standstills } from '../../../src/runs/journal/standstills.ts';
import type { SessionEvent } from '../../../src/runs/journal/sessionEvent.ts';

const head = (at: number) => ({ v: 1 as const, at, host: 'here', pid: 1 });
const started = (at: number): SessionEvent => ({ ...head(at), type: 'started' });
const resumed = (at: number): SessionEvent => ({ ...head(at), type: 'resumed' });

describe('when a run stood still', () => {
  it('is from the end of a session to the next', () => {
    const paused: SessionEvent = { ...head(50), type: 'paused', reason: '' };
    const stopped: SessionEvent = { ...head(120), type: 'stopped' };
    assert.deepEqual(standstills([started(0), paused, resumed(100), stopped, resumed(300)], [10, 40, 110]), [
      { from: 50, to: 100 },
      { from: 120, to: 300 },
    ]);
  });

  it('is from the last event where a session was killed', () => {
    const recovered: SessionEvent = { ...head(190), type: 'recovered', file: 'journal.jsonl', bytes: 3, cut: '{"v' };
    const restored: SessionEvent = { ...head(30), type: 'restored', reason: '' };
    assert.deepEqual(standstills([started(0), restored, recovered, resumed(200)], [10, 40, 250]), [
      { from: 40, to: 200 },
    ]);
  });

  it('is never before a run was resumed', () => {
    assert.deepEqual(standstills([started(0), { ...head(9), type: 'finished' }], [1, 2]), []);
    assert.deepEqual(standstills([resumed(5)], []), []);
  });
});
