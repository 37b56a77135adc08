import assert from 'node:assert/strict';
import { appendFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyEvent, emptyState } from '../../../src/engine/state.ts';
import { JournalFollower } from '../../../src/runs/journal/journalFollower.ts';
import { withoutFamilies } from '../../../src/runs/facts/runFacts.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import { journalOf } from '../../support/journal.ts';
import { runError } from '../../support/runs/runError.ts';
import { all, experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

const events = journalOf(Array.from({ length: 20 }, (_, i) => ({ successes: i % 9, attempts: 20, validation: '01' })));
const text = (some: readonly JournalEvent[]): string => some.map((event) => `${JSON.stringify(event)}\n`).join('');
const fold = (some: readonly JournalEvent[]) => some.map(withoutFamilies).reduce(applyEvent, emptyState);

/** A follower of a journal that holds these events. */
async function following(root: string, some: readonly JournalEvent[]): Promise<JournalFollower> {
  const path = join(root, 'journal.jsonl');
  await writeFile(path, text(some));
  return new JournalFollower(path, [{ parent: null, experiment }]);
}

const poll = async (follower: JournalFollower): Promise<JournalEvent[]> => (await all(follower.poll())).flat();

describe('runs: journal follower', () => {
  it('gives every event once, in order, however the file grows', () =>
    withTempRuns(async ({ root }) => {
      const follower = await following(root, []);
      const given: JournalEvent[] = [];
      const whole = Buffer.from(text(events));
      // Cut anywhere, also inside a line.
      for (let at = 0; at < whole.length; at += 1777) {
        await appendFile(follower.path, whole.subarray(at, at + 1777));
        given.push(...(await poll(follower)));
        assert.deepEqual(follower.state, fold(given));
      }
      assert.deepEqual(given, events);
      assert.deepEqual(await poll(follower), []);
    }));

  it('has folded a batch when it gives it', () =>
    withTempRuns(async ({ root }) => {
      const follower = await following(root, events);
      let seen = 0;
      for await (const batch of follower.poll(1)) {
        seen += batch.length;
        assert.equal(follower.state.seq, seen);
      }
      assert.equal(seen, events.length);
    }));

  it('reads the families of any epoch from their place', () =>
    withTempRuns(async ({ root }) => {
      const follower = await following(root, events.slice(0, 30));
      await poll(follower);
      await appendFile(follower.path, text(events.slice(30)));
      await poll(follower);
      const scored = events.filter((event) => event.type === 'families.scored');
      assert.deepEqual(
        follower.scoredEpochs,
        scored.map(({ epoch }) => epoch),
      );
      // Forwards and backwards: more epochs than are held.
      for (const { epoch, families } of [...scored, ...scored.toReversed()]) {
        assert.deepEqual(await follower.familiesOf(epoch), families);
      }
      assert.deepEqual(await follower.familiesOf(999), []);
    }));

  it('shows in its folds what it has given, and nothing beyond', () =>
    withTempRuns(async ({ root }) => {
      const follower = await following(root, events);
      const given: JournalEvent[] = [];
      for await (const batch of follower.poll(2_000)) {
        given.push(...batch);
        assert.deepEqual(follower.state, fold(given));
        assert.equal(follower.facts.light.length, given.length);
        assert.equal(follower.facts.charts.epochs.rows.length, follower.facts.epochs.size);
        await new Promise((resolve) => setTimeout(resolve, 1));
        assert.equal(follower.facts.light.length, given.length, 'not read ahead into them');
      }
      assert.deepEqual(given, events);
    }));

  it('refuses a journal that became shorter, or that skips an event after what was read', () =>
    withTempRuns(async ({ root }) => {
      const skipping = await following(root, events.slice(0, 5));
      await poll(skipping);
      await appendFile(skipping.path, text(events.slice(6, 8)));
      const { reason, line, field } = await runError(poll(skipping));
      assert.deepEqual({ reason, line, field }, { reason: 'format', line: 6, field: 'seq' });
      const shorter = await following(root, events.slice(0, 5));
      await poll(shorter);
      await truncate(shorter.path, 10);
      assert.equal((await runError(poll(shorter))).reason, 'format');
    }));
});
