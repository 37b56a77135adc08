import assert from 'node:assert/strict';
import { expectedBytes, tightness } from '../../../../src/features/preflight/node/disk.ts';
import { expectedWork } from '../../../../src/shared/experiment/workload.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

describe('room for a run', () => {
  const lengths = { text: 100, attempt: 50, given: 40, accepted: 0.5, billedPerToken: 1 };
  const work = expectedWork(smallExperiment({ epochs: 10 }), lengths);
  const bytes = { text: 1000, attempt: 700, validation: 400, checkpoint: 1_000_000 };

  it('counts rejected texts, attempts, and the checkpoints that stay', () => {
    const records = work.texts.run * 2 * 1000 + work.rollouts.run * 700 + work.validation.run * 400;
    assert.equal(expectedBytes(work, { lengths, bytes }), Math.round(records * 1.1 + 2 * 11 * 1_000_000));
  });

  it('is an error for less than an epoch, a warning for less than the run', () => {
    assert.equal(tightness(999, 10_000, 10)?.severity, 'error');
    assert.equal(tightness(5000, 10_000, 10)?.severity, 'warning');
    assert.equal(tightness(10_000, 10_000, 10), null);
  });
});
