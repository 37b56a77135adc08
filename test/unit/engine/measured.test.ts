/** The journal's figures of both updates, recomputed from the records and the weights of every version. */
import assert from 'node:assert/strict';
import type { ReferencePolicy } from '../../support/reference/referencePolicy.ts';
import { eventsOf, referenceExperiment, runReference } from '../../support/reference/referenceRun.ts';

interface Text {
  tokens: readonly number[];
  spans: readonly (readonly [number, number])[];
  logprobs: readonly number[];
}

const close = (actual: number | null, expected: number, what: string): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= 1e-9, `${what}: ${String(actual)}, not ${expected}`);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Logprobs of the sampled tokens under a version. */
async function under(policy: ReferencePolicy, version: string, texts: readonly Text[]): Promise<number[]> {
  const then = await policy.restore({ name: version, handle: version });
  const all = await then.score(
    await then.publish(version),
    texts.map(({ tokens }) => tokens),
  );
  return texts.flatMap(({ spans }, t) => spans.flatMap(([start, end]) => (all[t] ?? []).slice(start, end)));
}

/** A token's weight where p measures on what q sampled: their ratio, 10 at most. */
const weights = (p: readonly number[], q: readonly number[]): number[] =>
  p.map((own, i) => Math.min(10, Math.exp(own - (q[i] ?? NaN))));

const entropy = (p: readonly number[], q: readonly number[]): number =>
  -mean(weights(p, q).map((weight, i) => weight * (p[i] ?? NaN)));
const kl = (p: readonly number[], q: readonly number[], b: readonly number[]): number =>
  mean(weights(p, q).map((weight, i) => weight * ((p[i] ?? NaN) - (b[i] ?? NaN))));
const halfSquare = (p: readonly number[], q: readonly number[]): number =>
  mean(p.map((own, i) => ((q[i] ?? NaN) - own) ** 2)) / 2;

describe('what is told of an update', () => {
  for (const temperature of [1, 0.6]) {
    it(`is measured after it, on every attempt and text, at temperature ${temperature}`, async () => {
      const { run, agent, environment } = await runReference(
        referenceExperiment({
          ...{ epochs: 3, curriculum: { filter: 'off' }, rollouts: { temperature }, generation: { temperature } },
          ...{ agent: { learningRate: 0.4, passes: 2 }, environment: { learningRate: 0.2, minFamilies: 1 } },
        }),
      );
      const updates = eventsOf(run, 'agent.updated');
      assert.equal(updates.length, 3);
      for (const [i, event] of updates.entries()) {
        const texts = run.traces
          .filter(({ purpose, epoch }) => purpose === 'train' && epoch === event.epoch)
          .flatMap(({ sequences }) => sequences);
        const q = texts.flatMap(({ logprobs }) => logprobs);
        const [before, p, b] = [
          await under(agent, `agent@${i}`, texts),
          await under(agent, `agent@${i + 1}`, texts),
          await under(agent, 'agent@0', texts),
        ];
        assert.ok(halfSquare(before, q) < 1e-12, 'what was sampled is what is scored, whatever the temperature');
        close(event.entropy, entropy(p, q), 'entropy');
        close(event.kl.prePost, halfSquare(p, q), 'prePost');
        close(event.kl.reference, kl(p, q, b), 'reference');
        assert.ok((event.kl.prePost ?? 0) > 1e-4 && (event.kl.sampleTrainV2 ?? 1) < 1e-12);
        assert.deepEqual(event.measured, { sequences: texts.length, tokens: q.length });
      }
      const written = eventsOf(run, 'environment.updated');
      assert.equal(written.length, 3);
      for (const [i, event] of written.entries()) {
        const texts = run.tasks.flatMap((task) =>
          task.epoch === event.epoch && task.generation ? [task.generation] : [],
        );
        const q = texts.flatMap(({ logprobs }) => logprobs);
        const [p, b] = [
          await under(environment, `environment@${i + 1}`, texts),
          await under(environment, 'environment@0', texts),
        ];
        close(event.entropy ?? null, entropy(p, q), 'entropy');
        close(event.kl.update, halfSquare(p, q), 'update');
        close(event.kl.initial, kl(p, q, b), 'initial');
        assert.deepEqual(event.measured, { sequences: texts.length, tokens: q.length });
      }
    });
  }
});
