import assert from 'node:assert/strict';
import type { RunnerRequest, Work } from '../../../../src/features/runner/contract.ts';
import { notTaken } from '../../../../src/features/runner/core/notTaken.ts';

const work = (run: string): Work => ({
  ...{ run, name: run, addresses: [], priority: 0, after: [], retries: 0, author: 'ann' },
  ...{ study: null, copies: null, member: null, rest: null },
});
const head = { v: 1 as const, at: 1, author: 'ann' };

describe('queue: work beside a runner that is ending', () => {
  it('is what waits in the inbox still, of what this window put there', () => {
    const waiting: RunnerRequest[] = [
      { ...head, type: 'add', work: [work('a'), work('other')] },
      { ...head, type: 'remove', run: 'b' },
    ];
    assert.deepEqual([...notTaken(waiting, new Set(['a', 'b']))], ['a']);
    assert.deepEqual([...notTaken([], new Set(['a']))], []);
  });
});
