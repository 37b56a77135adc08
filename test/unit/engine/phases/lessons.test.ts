/** The training data of both policies, checked against the formulas of docs/method.md from the records alone. */
import assert from 'node:assert/strict';
import type { Datum, SampleRequest } from '../../../../src/engine/ports.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import type { Lesson } from '../../../support/reference/referencePolicy.ts';
import {
  eventsOf,
  referenceExperiment,
  runReference,
  type ReferenceRun,
  type Settings,
} from '../../../support/reference/referenceRun.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

const close = (actual: number, expected: number, what: string): void =>
  assert.ok(
    Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: ${actual}, not ${expected}`,
  );

const taught = (settings: Settings): Promise<ReferenceRun> => runReference(referenceExperiment(settings));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

/** An attempt by its tokens: attempts that say the same at the same prompt share an advantage only where rewards agree. */
const keyOf = (tokens: readonly number[]): string => tokens.join();

/** Advantage of every trained attempt of an epoch by its formula, by the tokens of its sequence. */
function advantagesOf(traces: readonly Trace[], norm: 'none' | 'group-std'): Map<string, number> {
  const advantages = new Map<string, number>();
  const judged = traces.filter(({ purpose, verdict }) => purpose === 'train' && verdict.error === undefined);
  for (const group of Map.groupBy(judged, ({ task }) => task).values()) {
    const rewards = group.map(({ verdict }) => verdict.reward);
    const deviation = Math.sqrt(sum(rewards.map((r) => (r - mean(rewards)) ** 2)) / Math.max(1, rewards.length - 1));
    for (const [i, { sequences }] of group.entries()) {
      const centred = (rewards[i] ?? outOfRange()) - mean(rewards);
      const advantage = norm === 'none' ? centred : centred / (deviation + 1e-6);
      for (const { tokens } of sequences) advantages.set(keyOf(tokens), advantage);
    }
  }
  return advantages;
}

/** Sampled positions of a datum of the agent: those that bring the logprob they were sampled with. */
const trainedAt = ({ logprobs = [] }: Datum): number[] => logprobs.flatMap((q, i) => (q === 0 ? [] : [i]));

describe('what the agent is taught', () => {
  for (const [normalisation, advantageNorm, loss] of [
    ['seq-mean', 'none', 'importance_sampling'],
    ['seq-mean', 'group-std', 'ppo'],
    ['token-mean', 'none', 'cispo'],
    ['token-mean', 'group-std', 'importance_sampling'],
  ] as const) {
    it(`is (r − r̄) by ${advantageNorm}, a mean by ${normalisation}, under ${loss}`, async () => {
      const { run, agent } = await taught({
        ...{ epochs: 1, rollouts: { group: 6 }, agent: { normalisation, advantageNorm, loss, minibatch: 7 } },
      });
      const expected = advantagesOf(run.traces, advantageNorm);
      const { lessons } = agent.asked;
      assert.ok(lessons.length >= 3);
      assert.ok(new Set(lessons.map(({ data }) => data.length)).size > 1, 'the last minibatch is smaller');
      for (const { data, loss: asked } of lessons) {
        assert.equal(asked.name, loss);
        const places = data.map(trainedAt);
        const divisor = normalisation === 'seq-mean' ? data.length : sum(places.map(({ length }) => length));
        for (const [d, datum] of data.entries()) {
          const whole = expected.get(keyOf(datum.tokens)) ?? NaN;
          for (const i of places[d] ?? []) close(datum.advantages?.[i] ?? NaN, whole / divisor, `token ${i}`);
          close(sum(datum.advantages ?? []), (whole * (places[d]?.length ?? 0)) / divisor, 'nothing elsewhere');
        }
      }
    });
  }

  it('is clipped where the experiment says, by the losses that clip', async () => {
    const clip = { clipLow: 0.7, clipHigh: 1.15 };
    for (const loss of ['ppo', 'cispo', 'importance_sampling'] as const) {
      const { agent } = await taught({ epochs: 1, agent: { ...clip, loss } });
      const expected = loss === 'importance_sampling' ? { name: loss } : { name: loss, ...clip };
      for (const lesson of agent.asked.lessons) assert.deepEqual(lesson.loss, expected);
    }
  });

  it('moves it less where the ratio may rise less', async () => {
    const moved = async (clipHigh: number): Promise<number> => {
      const { run } = await taught({
        ...{ epochs: 1, agent: { loss: 'ppo', clipLow: 0.99, clipHigh, passes: 6, minibatch: 64, learningRate: 0.2 } },
      });
      return eventsOf(run, 'agent.updated')[0]?.kl.prePost ?? NaN;
    };
    const [narrow, usual, open] = [await moved(1.01), await moved(1.28), await moved(9)];
    assert.ok(narrow < usual && usual < open, `${narrow} < ${usual} < ${open}`);
  });

  it('every sequence once a pass, with the optimiser of the experiment', async () => {
    const { run, agent } = await taught({
      ...{ epochs: 1, agent: { passes: 3, minibatch: 5, learningRate: 0.07 } },
    });
    const [updated] = eventsOf(run, 'agent.updated');
    const { lessons } = agent.asked;
    const sequences = updated?.sequences ?? 0;
    assert.equal(lessons.length, 3 * Math.ceil(sequences / 5));
    assert.equal(updated?.steps, lessons.length);
    const seen = Map.groupBy(
      lessons.flatMap(({ data }) =>
        data.map(({ tokens, advantages }) => `${keyOf(tokens)}|${sum(advantages ?? []) > 0}`),
      ),
      (key) => key,
    );
    assert.ok([...seen.values()].every(({ length }) => length % 3 === 0));
    for (const { adam } of lessons) {
      assert.deepEqual(adam, { ...referenceExperiment().agent.adam, learningRate: 0.07 });
    }
  });

  it('pulls the advantages to the start by d̄ − d, with a zero mean', async () => {
    const klCoefficient = 0.3;
    const { run, agent } = await taught({
      ...{ epochs: 3, agent: { klCoefficient, normalisation: 'seq-mean', advantageNorm: 'none', minibatch: 1000 } },
    });
    const start = await agent.restore({ name: 'agent@0', handle: 'agent@0' });
    const version = await start.publish('agent@0');
    for (const [e, { data }] of agent.asked.lessons.entries()) {
      const own = advantagesOf(
        run.traces.filter(({ epoch }) => epoch === e + 1),
        'none',
      );
      const reference = await start.score(
        version,
        data.map(({ tokens }) => tokens),
      );
      const away = data.map((datum, d) =>
        trainedAt(datum).map((i) => (datum.logprobs?.[i] ?? NaN) - (reference[d]?.[i] ?? NaN)),
      );
      const middle = mean(away.flat());
      for (const [d, datum] of data.entries()) {
        for (const [k, i] of trainedAt(datum).entries()) {
          const whole = (own.get(keyOf(datum.tokens)) ?? NaN) + klCoefficient * (middle - (away[d]?.[k] ?? NaN));
          close(datum.advantages?.[i] ?? NaN, whole / data.length, `epoch ${e + 1}, token ${i}`);
        }
      }
    }
  });

  it('samples at the temperature of the experiment', async () => {
    const { agent, environment } = await taught({
      ...{
        epochs: 1,
        rollouts: { temperature: 0.7 },
        generation: { temperature: 1.3 },
        validation: { temperature: 0.2 },
      },
    });
    const at = (requests: readonly SampleRequest[]): number[] =>
      [...new Set(requests.map(({ temperature }) => temperature))].sort();
    assert.deepEqual([at(agent.asked.samples), at(environment.asked.samples)], [[0.2, 0.7], [1.3]]);
  });
});

/** Token weights of a datum of the environment at its sampled places: from the first weight on. */
const weightsOf = ({ weights = [] }: Datum): number[] => weights.slice(weights.findIndex((weight) => weight !== 0));

const textOf = ({ tokens }: Datum): string => String.fromCharCode(...tokens);
const isAnchorText = (text: string): boolean => text.startsWith('write example');

/** One update on everything kept, without anchors or KL. */
const plain = { baseShare: 0, klCoefficient: 0, minibatch: 1000, steps: 1, minFamilies: 1 } as const;

describe('what the environment is taught', () => {
  for (const tokenWeights of ['instance', 'sequence'] as const) {
    it(`weighs by exp(λR), each ${tokenWeights}`, async () => {
      const { run, environment } = await taught({
        ...{ epochs: 1, curriculum: { filter: 'off', lambda: 3 }, environment: { ...plain, tokenWeights } },
      });
      const [scored] = eventsOf(run, 'families.scored');
      const [lesson] = environment.asked.lessons;
      assert.deepEqual(lesson?.loss, { name: 'cross_entropy' });
      const mass = sum(
        (scored?.families ?? []).flatMap((f) => f.tasks.map((t) => Math.exp(3 * (t.environmentReward ?? NaN)))),
      );
      for (const { id, environmentReward } of (scored?.families ?? []).flatMap(({ tasks }) => tasks)) {
        const generation = run.tasks.find((task) => task.id === id)?.generation;
        const datum = lesson.data.find(({ tokens }) => keyOf(tokens) === keyOf(generation?.tokens ?? []));
        assert.ok(generation !== undefined && datum !== undefined, id);
        const weights = weightsOf(datum);
        const [start, end] = generation.spans[0] ?? [0, 0];
        assert.equal(weights.length, end - start);
        const share =
          Math.exp(3 * (environmentReward ?? NaN)) / mass / (tokenWeights === 'instance' ? weights.length : 1);
        for (const weight of weights) close(weight, share, id);
      }
    });
  }

  it('pulls every token to the start by κ(b − p)/N, p refreshed before each sub-step', async () => {
    const klCoefficient = 0.4;
    const { run, environment } = await taught({
      epochs: 2,
      curriculum: { filter: 'off', lambda: 0 },
      environment: { ...plain, klCoefficient, steps: 3, bufferEpochs: 1, learningRate: 0.2, tokenWeights: 'sequence' },
    });
    assert.equal(eventsOf(run, 'environment.updated').length, 2);
    const start = await environment.restore({ name: 'environment@0', handle: 'environment@0' });
    const replay = await environment.restore({ name: 'environment@0', handle: 'environment@0' });
    const base = await start.publish('start');
    for (const { data, loss, adam } of [...environment.asked.lessons]) {
      const tokens = data.map((datum) => datum.tokens);
      const [b, p] = [await start.score(base, tokens), await replay.score(await replay.publish('now'), tokens)];
      for (const [d, datum] of data.entries()) {
        for (const [i, weight] of (datum.weights ?? []).entries()) {
          if (weight === 0) continue;
          const pull = (klCoefficient * ((b[d]?.[i] ?? NaN) - (p[d]?.[i] ?? NaN))) / data.length;
          close(weight, 1 / data.length + pull, `token ${i}`);
        }
      }
      await replay.accumulate(data, loss);
      assert.ok(adam !== null);
      await replay.step(adam);
    }
  });

  it('mixes anchors in by their share, and stops at the total cap', async () => {
    const settings = { ...plain, baseShare: 0.25, minibatch: 8, steps: 3, learningRate: 0.2 };
    const lessonsOf = async (totalKlCap: number | null): Promise<{ run: ReferenceRun['run']; lessons: Lesson[] }> => {
      const { run, environment } = await taught({
        ...{ epochs: 2, curriculum: { filter: 'off' }, environment: { ...settings, totalKlCap } },
      });
      return { run, lessons: environment.asked.lessons };
    };
    const isAnchor = (datum: Datum): boolean => isAnchorText(textOf(datum));
    const firstOf = (datum: Datum): number => weightsOf(datum)[0] ?? NaN;

    const free = await lessonsOf(null);
    for (const { data } of free.lessons) {
      const [anchored, own] = [data.filter(isAnchor), data.filter((datum) => !isAnchor(datum))];
      assert.equal(anchored.length, 2);
      close(sum(anchored.map(firstOf)), 0.25, 'anchors');
      close(sum(own.map(firstOf)), 0.75, 'kept texts');
    }
    assert.deepEqual((await lessonsOf(1e6)).run.text, free.run.text);
    assert.ok(
      eventsOf(free.run, 'environment.updated').every(({ steps, stoppedBy }) => steps === 3 && stoppedBy === 'end'),
    );

    const tight = await lessonsOf(1e-6);
    const updates = eventsOf(tight.run, 'environment.updated');
    assert.deepEqual(
      updates.map(({ steps, stoppedBy }) => [steps, stoppedBy]),
      [
        [1, 'total-cap'],
        [1, 'total-cap'],
      ],
    );
    const [before, beyond] = tight.lessons.map(({ data }) => data);
    assert.ok(before?.some(isAnchor) === true && before.some((datum) => !isAnchor(datum)), 'learning is as it was');
    assert.ok(beyond?.every((datum) => !isAnchor(datum)) === true && beyond.length === 8, 'back by texts of the epoch');
  });

  it('tells its anchors what the families of the epoch were told', async () => {
    const { run, environment } = await taught({
      ...{ epochs: 3, curriculum: { filter: 'off' } },
      environment: { ...plain, baseShare: 0.5, minibatch: 8 },
    });
    const rates = eventsOf(run, 'epoch.finished').map(({ summary }) => summary.successRate.p);
    const told = environment.asked.lessons.map(({ data }) => [
      ...new Set(
        data
          .map(textOf)
          .filter(isAnchorText)
          .map((text) => / at (\S+) /.exec(text)?.[1]),
      ),
    ]);
    assert.deepEqual(told, [['unknown'], [String(rates[0])], [String(rates[1])]]);
  });

  it('draws anchors of the target from base tasks that are likely to be solved at a rate inside the band', async () => {
    const [alpha, kMin] = [0.5, 0.05];
    const missOf = async (anchors: 'any' | 'target'): Promise<number> => {
      const { run, environment } = await taught({
        ...{ epochs: 1, generation: { families: 12 }, curriculum: { filter: 'off', alpha, kMin } },
        environment: { ...plain, baseShare: 0.5, minibatch: 8, anchors },
      });
      const families = eventsOf(run, 'families.scored').flatMap((event) => event.families);
      // The one measure of a ladder is its rung: the rate that goes with a rung is of families around it.
      const rateAt = (rung: number): number => {
        const away = families.map(({ complexity, successRate }) => ({
          p: successRate.p ?? NaN,
          away: Math.abs((complexity['rung'] ?? NaN) - rung),
        }));
        const near = away.sort((a, b) => a.away - b.away).slice(0, 5);
        return sum(near.map(({ p }) => p)) / near.length;
      };
      const rungs = environment.asked.lessons
        .flatMap(({ data }) => data.map(textOf).filter(isAnchorText))
        .map((text) => Number(/rung (\d)/.exec(text)?.[1]));
      assert.ok(rungs.length > 0);
      return Math.max(...rungs.map((rung) => Math.abs(rateAt(rung) - alpha)));
    };
    const [any, target] = [await missOf('any'), await missOf('target')];
    assert.ok(target < any, `${target} against ${any}`);
  });

  it('takes from its buffer what passes the filter now, warm-up epochs whole', async () => {
    const { run } = await taught({
      ...{
        epochs: 4,
        curriculum: { kMin: 0, alpha: 0.51, warmupEpochs: 2 },
        environment: { ...plain, bufferEpochs: 3 },
      },
    });
    const scored = eventsOf(run, 'families.scored').map(({ families }) => families.length);
    assert.deepEqual(
      eventsOf(run, 'environment.updated').map(({ epoch, families }) => [epoch, families]),
      [
        [1, scored[0]],
        [2, (scored[0] ?? outOfRange()) + (scored[1] ?? outOfRange())],
      ],
    );
    assert.deepEqual(
      eventsOf(run, 'families.scored').map(({ familiesKept }) => familiesKept),
      [scored[0], scored[1], 0, 0],
    );
    assert.deepEqual(
      eventsOf(run, 'environment.skipped').map(({ epoch, familiesKept }) => [epoch, familiesKept]),
      [
        [3, 0],
        [4, 0],
      ],
    );
  });

  it('is told α and how the agent did in the epoch before', async () => {
    const { run, domain } = await taught({ epochs: 4, seed: 2, curriculum: { alpha: 0.35 } });
    const seen = new Set(domain.told.map(({ target }) => target));
    assert.deepEqual([...seen], [0.35]);
    const rates = eventsOf(run, 'epoch.finished').map(({ summary }) => summary.successRate.p);
    assert.equal(new Set(rates).size, rates.length, 'epochs can be told apart');
    const told = [...new Set(domain.told.map(({ recentSuccess }) => recentSuccess))];
    assert.deepEqual(told, [null, ...rates.slice(0, -1)]);
    const examples = await taught({ epochs: 1, curriculum: { alpha: 0.35, filter: 'off' } });
    const anchors = examples.environment.asked.lessons.flatMap(({ data }) => data.map(textOf)).filter(isAnchorText);
    assert.ok(anchors.length > 0 && anchors.every((text) => text.includes(' aim 0.35\n')));
    const blind = await taught({ epochs: 3, generation: { condition: false } });
    assert.ok(blind.domain.told.every(({ recentSuccess }) => recentSuccess === null));
  });
});

describe('the batch', () => {
  it('has its size whatever was written, base and pool tasks by their shares', async () => {
    const { run } = await taught({
      ...{ epochs: 4, generation: { families: 3, variations: 2, attempts: 1 } },
      ...{ rollouts: { baseShare: 0.25, poolShare: 0.25 } },
    });
    for (const { epoch, tasks } of eventsOf(run, 'rollouts.finished')) {
      assert.equal(tasks, 12, `6 / (1 − ½) tasks in epoch ${epoch}`);
      const attempted = run.traces.filter((trace) => trace.purpose === 'train' && trace.epoch === epoch);
      const ids = [...new Set(attempted.map(({ task }) => task))];
      const [base, own] = [ids.filter((id) => id.startsWith('base.')), ids.filter((id) => id.startsWith(`e${epoch}.`))];
      const pool = ids.length - base.length - own.length;
      assert.equal(pool, epoch === 1 ? 0 : 3, `tasks of earlier epochs in epoch ${epoch}`);
      assert.equal(base.length, 12 - own.length - pool);
    }
    const written = eventsOf(run, 'tasks.generated').map(({ accepted }) => accepted);
    assert.ok(Math.min(...written) < 6, 'the environment fell short once, and was filled up');
  });

  it('draws again where a pool task was drawn before', async () => {
    const { run } = await taught({
      epochs: 3,
      rollouts: { baseShare: 0, poolShare: 0.5 },
      generation: { variations: 4 },
    });
    const pool = run.traces.filter(
      ({ purpose, epoch, task }) => purpose === 'train' && epoch === 3 && /^e[12]\./.test(task),
    );
    assert.equal(new Set(pool.map(({ task }) => task)).size, 12);
  });
});
