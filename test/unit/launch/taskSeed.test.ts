import assert from 'node:assert/strict';
import { noInputs } from '../../../src/launch/inputs/inputs.ts';
import { openDomain } from '../../../src/launch/domains/openDomain.ts';
import { openScorer } from '../../../src/launch/scoring/openScorer.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';

describe('domain.taskSeed', () => {
  const opened = async (taskSeed: number) => {
    const experiment = resolveExperiment({ preset: 'embedded', domain: { taskSeed }, validation: { tasks: 40 } });
    return openDomain(experiment, noInputs, { rules: await openScorer(null), writes: true });
  };

  it('gives a run other base and held-out tasks, none measured that the shipped agent was warmed up on', async () => {
    const [shipped, other] = await Promise.all([opened(0), opened(7)]);
    const prints = (domain: typeof shipped, split: 'base' | 'validation') =>
      domain.seeds(split).map((task) => domain.fingerprint(task));
    assert.deepEqual([other.seeds('base').length, other.seeds('validation').length], [544, 40]);
    assert.equal(other.seeds('validation')[3]?.id, 'validation.7.3');
    const warm = new Set(prints(shipped, 'base'));
    assert.deepEqual(
      prints(other, 'validation').filter((print) => warm.has(print)),
      [],
    );
    const measured = new Set(prints(shipped, 'validation'));
    assert.ok(prints(other, 'validation').filter((print) => measured.has(print)).length < 4);
  });
});
