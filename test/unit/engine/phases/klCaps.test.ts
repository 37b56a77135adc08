/** KLs of an update of the environment, and the versions that they compare. */
import assert from 'node:assert/strict';
import { klAfter, klV2 } from '../../../../src/engine/math/kl.ts';
import { atSampled } from '../../../../src/engine/math/sequence.ts';
import { sampledFrom } from '../../../../src/engine/ahead/asOf.ts';
import type { Generation } from '../../../../src/shared/records/task.ts';
import {
  eventsOf,
  referenceExperiment,
  runReference,
  type ReferenceRun,
} from '../../../support/reference/referenceRun.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

const settings = (staleness: number, caps: { updateKlCap?: number; totalKlCap?: number } = {}) =>
  referenceExperiment({
    ...{ epochs: 6, rollouts: { staleness }, curriculum: { filter: 'off' } },
    environment: {
      baseShare: 0,
      minibatch: 1000,
      minFamilies: 1,
      klCoefficient: 0,
      steps: 2,
      bufferEpochs: 1,
      ...caps,
    },
  });

const textsOf = ({ run }: ReferenceRun, epoch: number): Generation[] =>
  run.tasks.flatMap((task) => (task.epoch === epoch && task.generation ? [task.generation] : []));

/** Logprobs of texts' sampled tokens under a version that a run made. */
async function logprobs({ environment }: ReferenceRun, updates: number, texts: readonly Generation[]) {
  const name = `environment@${updates}`;
  const policy = await environment.restore({ name, handle: name });
  const all = await policy.score(
    await policy.publish(name),
    texts.map(({ tokens }) => tokens),
  );
  return texts.flatMap((text, i) => atSampled(text, all[i] ?? outOfRange()));
}

describe('the KL of an update', () => {
  for (const staleness of [0, 1, 3]) {
    it(`is to the version that it began with, whichever wrote the texts: staleness ${staleness}`, async () => {
      const ran = await runReference(settings(staleness));
      const updates = eventsOf(ran.run, 'environment.updated');
      assert.equal(updates.length, 6);
      for (const { epoch, kl } of updates) {
        const texts = textsOf(ran, epoch);
        const sampled = texts.flatMap((text) => text.logprobs);
        const [initial, before, after] = await Promise.all(
          [0, epoch - 1, epoch].map((updated) => logprobs(ran, updated, texts)),
        );
        assert.ok(initial !== undefined && before !== undefined && after !== undefined);
        assert.ok(Math.abs((kl.update ?? NaN) - klV2(before, after)) < 1e-7, `of the update in epoch ${epoch}`);
        assert.ok(Math.abs((kl.initial ?? NaN) - klAfter(sampled, after, initial)) < 1e-7, `to the start in ${epoch}`);
      }
    });
  }

  it('asks for the texts once more only where an older version wrote them', async () => {
    for (const staleness of [0, 2]) {
      const ran = await runReference(settings(staleness));
      const { scores } = ran.environment.asked;
      for (const { epoch, steps } of eventsOf(ran.run, 'environment.updated')) {
        const texts = textsOf(ran, epoch).map(({ tokens }) => tokens.join());
        const asked = scores.filter(
          ({ sequences }) => sequences.map((tokens) => tokens.join()).join() === texts.join(),
        );
        const isOlder = sampledFrom(epoch, staleness) < epoch;
        assert.deepEqual(
          asked.map(({ version }) => version),
          [
            ...(isOlder ? [`environment@${epoch - 1}`] : []),
            'environment@0',
            ...new Array<string>(steps).fill(`environment@${epoch}`),
          ],
        );
      }
    }
  });
});
