import assert from 'node:assert/strict';
import { writtenLines } from '../../../src/cli/show/written.ts';
import { comparedText, writtenQuality } from '../../../src/engine/math/written/writtenQuality.ts';
import { WrittenGuards } from '../../../src/runs/facts/guards/writtenGuards.ts';
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

  it('tells of embeddings where a server was asked, and why an epoch has none', () => {
    assert(quality !== null);
    const figures = {
      ...{ model: 'bge', distance: { mean: 0.42, nearest: 0.1 }, seedDistance: { own: 0.25, nearest: 0.2 } },
      clusters: { reach: 0.3, count: 7, largest: 0.5, seeds: 0.25 },
    };
    const [one, other] = [written(1, {}), written(2, {})];
    const failure = 'http://127.0.0.1:1: POST /v1/embeddings: no connection. See whether it runs.';
    const lines = read([
      { ...one, quality: { ...quality, embedded: figures } },
      { ...other, quality: { ...quality, embedded: { failure } } },
    ]);
    const at = lines.findIndex((line) => line.startsWith('By embeddings'));
    assert.match(lines[at + 2] ?? '', /any two +nearest +to seed +nearest seed +clusters +largest +of seeds/);
    assert.match(lines[at + 3] ?? '', /^ +1 +0\.42\d* +0\.1\d* +0\.25\d* +0\.2\d* +7 +50\.0 % +25\.0 %/);
    assert.equal(lines.at(-1), `Without embeddings in 1 of 2 epochs; in epoch 2: ${failure}`);
    assert.doesNotMatch(read([one]).join('\n'), /embeddings/i);
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
