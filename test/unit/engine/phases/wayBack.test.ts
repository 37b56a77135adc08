/** The total KL cap: updates that pass it are led back under it. */
import assert from 'node:assert/strict';
import { klAfter, pullBack } from '../../../../src/engine/math/kl.ts';
import type { Experiment } from '../../../../src/shared/experiment/schema.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';
import { eventsOf, referenceExperiment, runReference } from '../../../support/reference/referenceRun.ts';

const learningRate = 0.1;

type Update = Experiment['environment']['update'];

const settings = (totalKlCap: number | null, update: Update = 'rwr') =>
  referenceExperiment({
    ...{ epochs: 10, generation: { families: 24 }, curriculum: { filter: 'off' } },
    environment: {
      ...{ baseShare: 0, minibatch: 1000, minFamilies: 1, klCoefficient: 0, steps: 3, bufferEpochs: 1, learningRate },
      ...{ totalKlCap, updateKlCap: null, update },
    },
  });

const updatesOf = async (totalKlCap: number | null, update: Update) =>
  eventsOf((await runReference(settings(totalKlCap, update))).run, 'environment.updated');

describe('an update past the total KL cap', () => {
  for (const update of ['rwr', 'grpo', 'rejection'] as const) {
    it(`is led back to it, and learns all the same: ${update}`, async () => {
      const cap = 0.05;
      const free = await updatesOf(null, update);
      assert.ok(free.filter(({ kl }) => (kl.initial ?? NaN) > 2 * cap).length >= 3, 'without a cap it goes far');
      const capped = await updatesOf(cap, update);
      const kls = capped.map(({ kl }) => kl.initial ?? NaN);
      assert.ok(kls.filter((kl) => kl <= cap).length >= 0.9 * kls.length, kls.join(' '));
      assert.ok(Math.max(...kls) < 1.1 * cap, kls.join(' '));
      assert.ok(capped.some(({ back }) => back !== undefined));
      for (const { kl, back, stoppedBy, steps } of capped) {
        assert.ok(steps >= 1);
        assert.equal(stoppedBy === 'total-cap', back !== undefined);
        if (back === undefined) continue;
        assert.ok(back.from > cap && back.steps >= 1 && back.steps <= 8);
        assert.ok((kl.initial ?? NaN) < back.from);
      }
    });
  }

  it('goes back without momentum, and leaves none', async () => {
    const { run, environment } = await runReference(settings(0.02));
    const [first] = eventsOf(run, 'environment.updated');
    assert.ok(first?.back !== undefined);
    const { lessons } = environment.asked;
    const taken = lessons.slice(0, first.steps + first.back.steps + 1).map(({ adam }) => adam ?? outOfRange());
    assert.deepEqual(
      taken.map(({ beta1 }) => beta1 === 0),
      [...new Array<boolean>(first.steps).fill(false), ...new Array<boolean>(first.back.steps + 1).fill(true)],
    );
    const rates = taken.slice(first.steps, -1).map((adam) => adam.learningRate);
    assert.ok(rates.every((rate) => rate > 0 && rate <= learningRate));
    assert.ok((taken.at(-1)?.learningRate ?? NaN) < 1e-6 * rates.length, 'the last moves nothing');
    const { data } = lessons[taken.length - 1] ?? outOfRange();
    assert.ok(data.every(({ weights }) => weights?.every((weight) => Math.abs(weight) < 1e-6)));
    assert.equal(
      first.sequences,
      lessons.slice(0, taken.length).reduce((sum, lesson) => sum + lesson.data.length, 0),
    );
  });
});

describe('pullBack', () => {
  it('is the gradient of klAfter by the logprobs of a softmax, at any policy', () => {
    // One context of three tokens; every token is sampled as often as q says, so that sums are expectations.
    const [q, p, b] = [
      [0.5, 0.3, 0.2],
      [0.2, 0.3, 0.5],
      [0.4, 0.4, 0.2],
    ];
    const counts = q.map((share) => Math.round(share * 10));
    const tokens = counts.flatMap((count, token) => new Array<number>(count).fill(token));
    const of = (all: readonly number[]): number[] => tokens.map((token) => Math.log(all[token] ?? NaN));
    const kl = (logits: readonly number[]): number => {
      const sum = logits.reduce((all, logit) => all + Math.exp(logit), 0);
      return klAfter(of(q), of(logits.map((logit) => Math.exp(logit) / sum)), of(b));
    };
    const at = p.map(Math.log);
    const [weights] = pullBack([{ sampled: of(q), now: of(p), initial: of(b) }]);
    for (const [j, pj] of p.entries()) {
      const moved = (by: number): number => kl(at.map((logit, i) => (i === j ? logit + by : logit)));
      const numeric = (moved(1e-5) - moved(-1e-5)) / 2e-5;
      // ∂ ln p_token / ∂ logit_j
      const analytic = tokens.reduce((sum, token, i) => sum + (weights?.[i] ?? NaN) * ((token === j ? 1 : 0) - pj), 0);
      assert.ok(Math.abs(numeric + analytic) < 1e-6, `${numeric} ${analytic}`);
    }
  });

  it('is 0 at the initial policy', () => {
    assert.deepEqual(pullBack([{ sampled: [-1, -2], now: [-1.5, -1], initial: [-1.5, -1] }]), [[0, 0]]);
  });
});
