import assert from 'node:assert/strict';
import { RunFacts } from '../../../src/runs/facts/runFacts.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { journalOf } from '../../support/journal.ts';
import { experiment } from '../../support/runs/tempRuns.ts';

const script = { successes: 5, attempts: 20 };
const events = journalOf([script, script]);
const changed = (to: number): EventOf<'settings.changed'> => ({
  ...{ v: 1, seq: 0, at: 0, type: 'settings.changed', epoch: 2, author: 'a person' },
  changes: [{ field: 'curriculum.beta', from: 5, to }],
});

/** The facts of a journal into which changes were put right before the second epoch's event of a type. */
function factsWith(before: JournalEvent['type'], changes: readonly JournalEvent[]): RunFacts {
  const at = events.findIndex((event) => event.type === before && 'epoch' in event && event.epoch === 2);
  assert.ok(at > 0);
  const facts = new RunFacts([{ parent: null, experiment }]);
  for (const event of [...events.slice(0, at), ...changes, ...events.slice(at)]) facts.add(event);
  return facts;
}

describe('runs: facts of epochs', () => {
  for (const before of ['epoch.started', 'families.scored'] as const) {
    it(`tell a change of settings in the epoch that it was made in, before ${before}`, () => {
      const { epochs } = factsWith(before, [changed(17), changed(18)]);
      assert.deepEqual(epochs.get(1)?.changes, []);
      assert.deepEqual(
        epochs.get(2)?.changes.map(({ to }) => to),
        [17, 18],
      );
    });
  }

  it('tell the curriculum that an epoch was scored with', () => {
    assert.equal(factsWith('families.scored', [changed(17)]).epochs.get(2)?.curriculum.beta, 17);
    assert.notEqual(factsWith('families.scored', [changed(17)]).epochs.get(1)?.curriculum.beta, 17);
    assert.notEqual(factsWith('agent.updated', [changed(17)]).epochs.get(2)?.curriculum.beta, 17);
  });

  it('tell the pool’s effective sample size at any λ', () => {
    const sizes = [1, 400, 5000].map((lambda) => {
      const facts = new RunFacts([{ parent: null, experiment }]);
      for (const event of events) {
        facts.add(event.type === 'epoch.started' ? { ...event, settings: { ...event.settings, lambda } } : event);
      }
      return facts.environmentPool();
    });
    for (const { effectiveSampleSize, instances } of sizes) {
      assert.ok(effectiveSampleSize >= 1 - 1e-9 && effectiveSampleSize <= instances + 1e-9, `${effectiveSampleSize}`);
    }
  });
});
