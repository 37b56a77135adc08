/** The requests of both updates to their endpoints, and where they stop. */
import assert from 'node:assert/strict';
import { LoopError } from '../../../../src/engine/errors.ts';
import { klAfter } from '../../../../src/engine/math/kl.ts';
import type { Message } from '../../../../src/shared/records/message.ts';
import type { Domain, Progress } from '../../../../src/engine/ports.ts';
import { ReferenceDomain } from '../../../support/reference/referenceTasks.ts';
import type { ReferencePolicy } from '../../../support/reference/referencePolicy.ts';
import { eventsOf, referenceExperiment, runReference, type Settings } from '../../../support/reference/referenceRun.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

/** Versions under which something was scored, with the number of sequences. */
const scoresOf = ({ asked }: ReferencePolicy): string[] =>
  asked.scores.map(({ version, sequences }) => `${version} ${sequences.length}`);

/** Everything kept, learned in one minibatch without anchors. */
const whole = { baseShare: 0, minibatch: 1000, minFamilies: 1 } as const;
const off = { filter: 'off' } as const;

/** Has an example of no task. */
class NoExamples extends ReferenceDomain {
  override environmentExample(): null {
    return null;
  }
}

/** The same domain, of a kind that has no examples at all. */
const withoutExamples = (domain: ReferenceDomain): Domain => ({
  name: domain.name,
  seeds: (split) => domain.seeds(split),
  environmentPrompt: (...asked) => domain.environmentPrompt(...asked),
  parseTask: (text, plan) => domain.parseTask(text, plan),
  verify: (task) => domain.verify(task),
  fingerprint: (task) => domain.fingerprint(task),
  agentPrompt: (task) => domain.agentPrompt(task),
  environment: () => null,
});

describe('what an update asks', () => {
  it('of the agent is scored once after it, and once under its start, before it where a KL pulls', async () => {
    for (const klCoefficient of [0, 0.1]) {
      const { run, agent } = await runReference(referenceExperiment({ epochs: 1, agent: { klCoefficient } }));
      const [updated] = eventsOf(run, 'agent.updated');
      const { sequences, measured } = updated ?? {};
      assert.ok(sequences !== undefined && measured !== undefined && measured.sequences > sequences);
      const before = klCoefficient === 0 ? [] : [`agent@0 ${sequences}`];
      const rest = measured.sequences - (klCoefficient === 0 ? 0 : sequences);
      assert.deepEqual(scoresOf(agent), [...before, `agent@1 ${measured.sequences}`, `agent@0 ${rest}`]);
    }
  });

  it('of the agent is scored under its start while it is trained, where attempts go on meanwhile', async () => {
    for (const staleness of [0, 1]) {
      const { run, agent } = await runReference(referenceExperiment({ epochs: 1, rollouts: { staleness } }));
      const [updated] = eventsOf(run, 'agent.updated');
      const [measured, after] = [`agent@0 ${updated?.measured?.sequences}`, `agent@1 ${updated?.measured?.sequences}`];
      assert.deepEqual(scoresOf(agent), staleness === 0 ? [after, measured] : [measured, after]);
    }
  });

  it('of the environment is scored under its start once a text, and after every step', async () => {
    for (const klCoefficient of [0, 0.1]) {
      const { run, environment } = await runReference(
        referenceExperiment({ epochs: 1, curriculum: off, environment: { ...whole, klCoefficient, steps: 3 } }),
      );
      const [updated] = eventsOf(run, 'environment.updated');
      const texts = updated?.measured?.sequences;
      const kept = (updated?.sequences ?? NaN) / 3;
      const current = (version: string): string[] => (klCoefficient === 0 ? [] : [`${version} ${kept}`]);
      assert.deepEqual(scoresOf(environment), [
        `environment@0 ${texts}`,
        ...[...current('environment@0'), ...current('environment@0'), `environment@1 ${texts}`],
        ...[...current('environment@1'), `environment@1 ${texts}`],
        ...[...current('environment@1'), `environment@1 ${texts}`],
      ]);
    }
  });

  it('is told step by step', async () => {
    const told: Progress[] = [];
    const run = await runScripted(
      smallExperiment({ epochs: 1, agent: { minibatch: 3, passes: 2 }, curriculum: off, environment: { steps: 2 } }),
      new MemoryRun(),
      { onProgress: (progress) => told.push(progress) },
    );
    const [agent] = eventsOf(run, 'agent.updated');
    const [environment] = eventsOf(run, 'environment.updated');
    const of = (phase: string): Progress[] => told.filter((one) => one.phase === phase);
    const steps = 2 * Math.ceil((agent?.sequences ?? NaN) / 3);
    assert.ok(steps > 4);
    assert.deepEqual(
      of('update agent'),
      Array.from({ length: steps }, (_, i) => ({
        ...{ phase: 'update agent', epoch: 1, done: i + 1, total: steps, tokens: 0 },
      })),
    );
    const each = (environment?.tokens ?? NaN) / 2;
    const updates = of('update environment');
    assert.deepEqual(
      updates.map(({ epoch, done, total }) => [epoch, done, total]),
      [
        [1, 1, 2],
        [1, 2, 2],
      ],
    );
    assert.equal(updates.at(-1)?.tokens, environment?.tokens);
    assert.ok((updates[0]?.tokens ?? 0) > 0 && each > 0);
  });

  for (const phase of ['update agent', 'update environment']) {
    it(`ends between two steps when a pause is asked for: ${phase}`, async () => {
      const controller = new AbortController();
      let steps = 0;
      const other = phase === 'update agent' ? { mode: 'random' as const } : { agent: { train: false } };
      const pausing = runScripted(
        smallExperiment({ epochs: 1, ...other, agent: { minibatch: 2, ...other.agent }, curriculum: off }),
        new MemoryRun(),
        {
          ports: { signal: controller.signal },
          onProgress: (progress) => {
            if (progress.phase !== phase) return;
            steps += 1;
            controller.abort();
          },
        },
      );
      await assert.rejects(pausing, (error) => LoopError.is(error, 'paused'));
      assert.equal(steps, 1);
    });
  }
});

describe('caps of the environment’s KL', () => {
  const settings = (environment: Settings['environment']): Settings => ({
    ...{ epochs: 2, curriculum: off },
    environment: { ...whole, learningRate: 0.05, ...environment },
  });
  const updatesOf = async (environment: Settings['environment']) => {
    const { run, environment: policy } = await runReference(referenceExperiment(settings(environment)));
    return { run, policy, updates: eventsOf(run, 'environment.updated') };
  };

  it('are passed by more than they say, not by what they say', async () => {
    const first = (await updatesOf({ steps: 1, klCoefficient: 0 })).updates[0]?.kl;
    assert.ok(first !== undefined && first.update !== null && first.initial !== null);
    for (const cap of [{ updateKlCap: first.update }, { totalKlCap: first.initial }]) {
      const [at] = (await updatesOf({ steps: 2, klCoefficient: 0, ...cap })).updates;
      assert.equal(at?.steps, 2, JSON.stringify(cap));
    }
  });

  it('let an epoch begin that lies at the total cap', async () => {
    const { run, policy } = await updatesOf({ steps: 1, klCoefficient: 0 });
    const texts = run.tasks.flatMap(({ epoch, generation }) => (epoch === 2 && generation ? [generation] : []));
    const scored = policy.asked.scores.filter(({ version }) => version === 'environment@0').at(-1);
    assert.equal(scored?.sequences.length, texts.length);
    const start = await policy.restore({ name: 'environment@0', handle: 'environment@0' });
    const full = await start.score(
      await start.publish('start'),
      texts.map(({ tokens }) => tokens),
    );
    const initial = texts.flatMap(({ spans }, t) => spans.flatMap(([from, to]) => (full[t] ?? []).slice(from, to)));
    const before = texts.flatMap(({ logprobs }) => logprobs);
    const kl = klAfter(before, before, initial);
    assert.ok(kl > 0);
    const [, second] = (await updatesOf({ steps: 1, klCoefficient: 0, totalKlCap: kl })).updates;
    assert.ok(second !== undefined && second.families > 0, 'on kept texts: it has no anchors');
  });

  it('give kept texts the whole weight where no base task is an anchor', async () => {
    for (const domain of [new NoExamples(), withoutExamples(new ReferenceDomain())]) {
      const experiment = referenceExperiment(settings({ baseShare: 0.5, minibatch: 8 }));
      const { run, environment } = await runReference(experiment, { ports: { domain } });
      assert.equal(eventsOf(run, 'environment.updated').length, 2);
      const [lesson] = environment.asked.lessons;
      const weights = (lesson?.data ?? []).map((datum) => datum.weights?.find((weight) => weight !== 0) ?? 0);
      const sum = weights.reduce((all, weight) => all + weight, 0);
      assert.ok(weights.length > 1 && Math.abs(sum - 1) < 1e-9, 'without anchors kept texts have the whole weight');
    }
  });

  it('give anchors their share of the weight, however many base tasks have an example, and kept texts the rest', async () => {
    const half = new (class extends ReferenceDomain {
      override environmentExample(
        ...asked: Parameters<ReferenceDomain['environmentExample']>
      ): readonly Message[] | null {
        return Number(/\d+$/.exec(asked[0].id)?.[0]) % 2 === 0 ? super.environmentExample(...asked) : null;
      }
    })();
    const cases = [
      { domain: half, minibatch: 4 },
      { domain: half, minibatch: 64 },
      { domain: new ReferenceDomain(), minibatch: 64 },
      { domain: new ReferenceDomain(), minibatch: 1 },
    ];
    for (const anchors of ['any', 'target'] as const) {
      for (const { domain, minibatch } of cases) {
        const experiment = referenceExperiment(
          settings({ baseShare: 0.5, minibatch, steps: 1, klCoefficient: 0, anchors }),
        );
        const { environment } = await runReference(experiment, { ports: { domain } });
        const [lesson] = environment.asked.lessons;
        const weights = (lesson?.data ?? []).map((datum) => datum.weights?.find((weight) => weight !== 0) ?? 0);
        const examples = domain.seeds('base').filter((task) => domain.environmentExample(task) !== null).length;
        const drawn = Math.min(Math.max(1, minibatch / 2), examples);
        const [own, anchored] = [weights.slice(0, -drawn), weights.slice(-drawn)];
        const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
        assert.ok(own.length > 0 && Math.abs(sum(own) - 0.5) < 1e-9, `${anchors} ${minibatch}: ${sum(own)}`);
        assert.ok(Math.abs(sum(anchored) - 0.5) < 1e-9, `${anchors} ${minibatch}: ${sum(anchored)}`);
      }
    }
  });
});
