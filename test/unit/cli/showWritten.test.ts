import assert from 'node:assert/strict';
import { writtenLines } from '../../../src/cli/show/written.ts';
import { comparedText, writtenQuality } from '../../../src/engine/math/written/writtenQuality.ts';
import { WrittenGuards } from '../../../src/runs/facts/writtenGuards.ts';
import type { EventOf } from '../../../src/shared/journal/events.ts';
import { bytesOf } from '../../support/cli.ts';

const seed = comparedText('name a colour of the sea');
const quality = writtenQuality(
  ['name a colour of the sky', 'count to ten'].map((text) => ({ text: comparedText(text), seed })),
  { first: null, previous: null },
);

function written(epoch: number, rejected: Record<string, number>, measured = true): EventOf<'tasks.generated'> {
  return {
    ...{ v: 1, seq: 0, at: 0, type: 'tasks.generated', epoch, families: 1, written: 20, accepted: 2, rejected },
    ...{ tokens: 1, taskLength: 1, seconds: 1, ...(measured && quality !== null ? { quality } : {}) },
  };
}
const read = (events: readonly EventOf<'tasks.generated'>[]): string[] =>
  writtenLines(events, { width: 200 }).map((line) => bytesOf(line));

describe('show --written', () => {
  it('counts rejections by cause, epoch by epoch, and tells how diverse the tasks are', () => {
    const lines = read([written(1, { duplicate: 3 }), written(2, { 'held-out': 2 }, false)]);
    assert.deepEqual(
      lines.slice(0, 3).map((line) => line.trim().split(/\s{2,}/)),
      [
        ['epoch', 'written', 'accepted', 'duplicate', 'held-out'],
        ['1', '20', '2', '3', '0'],
        ['2', '20', '2', '0', '2'],
      ],
    );
    assert.match(lines[4] ?? '', /compared +clusters +largest/);
    assert.match(lines[5] ?? '', /^ +1 +2 +2 +50\.0 % +100\.0 %/);
    assert.match(lines[6] ?? '', /^ +2 +– +–/);
  });

  it('says so where nothing was written, or not measured', () => {
    assert.deepEqual(read([]), ['The environment wrote nothing in this run yet.']);
    assert.match(read([written(1, {}, false)]).join('\n'), /was not measured/);
  });
});

describe('the guard over held-out texts', () => {
  it('speaks when a tenth of the texts were refused for two epochs, and until they are not', () => {
    const guards = new WrittenGuards(true);
    const said = [1, 2, 4, 1].map((heldOut, i) => {
      guards.add(written(i + 1, { 'held-out': heldOut }));
      return guards.findings().flatMap((finding) => finding?.message ?? []);
    });
    assert.deepEqual(said, [
      [],
      [],
      ['20 % of the environment’s texts were refused as held-out tasks, or nearly, now for 2 epochs.'],
      [],
    ]);
  });
});
