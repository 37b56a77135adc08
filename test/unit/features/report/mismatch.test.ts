/** How far sampler and trainer were apart: from the journal to the sentence. */
import assert from 'node:assert/strict';
import { EpochFold } from '../../../../src/runs/facts/epochFold.ts';
import type { JournalEvent } from '../../../../src/shared/journal/events.ts';
import { mismatchOf, mismatchReading } from '../../../../webview/report/mismatch/mismatchWords.ts';
import { journalOf } from '../../../support/journal.ts';

/** @param apart v2 of each update in order; null: the trainer does not tell it */
function rowsOf(apart: readonly (number | null)[], change: (events: JournalEvent[]) => JournalEvent[] = (all) => all) {
  let next = 0;
  const script = { successes: 5, attempts: 10 };
  const events = change(journalOf(apart.map(() => script))).map((event) => {
    if (event.type !== 'agent.updated') return event;
    const v2 = apart[next++] ?? null;
    return { ...event, kl: { ...event.kl, sampleTrainV1: v2 === null ? null : -v2 / 2, sampleTrainV2: v2 } };
  });
  const fold = new EpochFold();
  for (const event of events) fold.add(event);
  return fold.rows;
}

describe('sampler against trainer', () => {
  it('is said to agree below the limit', () => {
    const rows = rowsOf([0.001, 0.002]);
    assert.deepEqual(rows.map(mismatchOf), [0.001, 0.002]);
    assert.equal(
      mismatchReading(rows),
      '0.002 nats per token in epoch 2. Never above 0.01: sampler and trainer agree.',
    );
  });

  it('is said to be too large above it', () => {
    const reading = mismatchReading(rowsOf([0.001, 0.05, 0.02]));
    assert.equal(reading, '0.02 nats per token in epoch 3. Above 0.01 in 2 of 3 epochs: too large.');
  });

  it('is not measured where trainers do not tell it', () => {
    const rows = rowsOf([null, null]);
    assert.deepEqual(rows.map(mismatchOf), [null, null]);
    assert.equal(mismatchReading(rows), 'Not measured.');
  });

  it('is the worst of an epoch’s rounds', () => {
    const twice = (events: JournalEvent[]): JournalEvent[] =>
      events.flatMap((event): JournalEvent[] => (event.type === 'agent.updated' ? [event, event] : [event]));
    const [row] = rowsOf([0.03, 0.004], (all) =>
      twice(all.filter((event) => !('epoch' in event) || event.epoch === 1)),
    );
    assert.deepEqual(row?.agent.mismatch, { v1: -0.015, v2: 0.03 });
  });
});
