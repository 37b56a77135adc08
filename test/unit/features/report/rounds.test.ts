import assert from 'node:assert/strict';
import { EpochFold } from '../../../../src/runs/facts/epochFold.ts';
import { eventsOf, referenceExperiment, runReference } from '../../../support/reference/referenceRun.ts';

describe('an epoch of several rounds in the report', () => {
  it('has the mean answer of its summary, without the attempts that rank seeds', async () => {
    const { run } = await runReference(referenceExperiment({ mode: 'release', epochs: 2, rollouts: { batch: 3 } }));
    const fold = new EpochFold();
    for (const event of run.events) fold.add(event);
    const rounds = eventsOf(run, 'rollouts.finished').filter(({ epoch }) => epoch === 1);
    assert.ok(rounds.length > 1 && (rounds[0]?.ranking?.rollouts ?? 0) > 0);
    assert.ok(new Set(rounds.map(({ answerLength }) => answerLength)).size > 1);
    for (const { summary } of eventsOf(run, 'epoch.finished')) {
      assert.equal(fold.row(summary.epoch)?.answerLength, summary.answerLength);
    }
  });
});
