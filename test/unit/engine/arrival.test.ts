/** Servers answer in whatever order they like; nothing that a run draws or learns from follows that order. */
import assert from 'node:assert/strict';
import type { CheckpointRef, FailedCompletion, Policy } from '../../../src/engine/ports.ts';
import { Rng } from '../../../src/engine/random.ts';
import type { Completion } from '../../../src/engine/completion.ts';
import { cases } from '../../support/reference/covering.ts';
import { ReferencePolicy } from '../../support/reference/referencePolicy.ts';
import { runReference } from '../../support/reference/referenceRun.ts';
import { agentReader, environmentReader } from '../../support/reference/referenceTasks.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

type Overrides = Parameters<typeof smallExperiment>[0] & object;
/** The answers of each call in an order of the arrival's own. */
class Arrival {
  readonly #name: string;
  #calls = 0;

  constructor(name: string) {
    this.#name = name;
  }

  async *of(answers: ReturnType<Policy['sample']>): AsyncGenerator<Completion | FailedCompletion> {
    yield* Rng.from('arrival', this.#name, (this.#calls += 1)).shuffle(await Array.fromAsync(answers));
  }
}

/** `policy` answers as before, but in another order. */
function arriving<P extends Policy>(policy: P, name: string): P {
  const arrival = new Arrival(name);
  const sample = policy.sample.bind(policy);
  const restore = policy.restore.bind(policy);
  return Object.assign(policy, {
    capabilities: { ...policy.capabilities, deterministic: false },
    sample: (...asked: Parameters<Policy['sample']>) => arrival.of(sample(...asked)),
    restore: async (from: CheckpointRef) => arriving(await restore(from), name),
  });
}

/** Texts of which hardly two are alike: of equal ones the first that arrives is kept. */
const environmentSays = (_: string, rng: Rng): string =>
  rng.next() < 0.2 ? 'nonsense' : `rung ${2 + rng.int(6)} ${rng.int(1_000_000)}`;

const policiesOf = ({ checkpoints: { agent, environment }, bill }: MemoryRun, name: string) => ({
  agent: arriving(new ScriptedPolicy('agent', 4, agent, bill), name),
  environment: arriving(new ScriptedPolicy('environment', 5.4, environment, bill, environmentSays), name),
});

const experimentOf = ({ generation, rollouts, ...more }: Overrides) =>
  smallExperiment({
    ...{ epochs: 4, ...more },
    generation: { families: 8, attempts: 2, ...generation },
    rollouts: { poolShare: 0.3, ...rollouts },
  });

const byId = <T extends { id: string }>(records: readonly T[]): T[] =>
  records.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Of spare groups the first complete ones count, late groups are the last, streamed minibatches follow the order of the records; of equal texts of a round, of which this has some, the first is a task. */
const firstWins = new Set(['spare', 'late', 'stream', 'update-grpo-plans']);

describe('a run whose servers answer in another order', () => {
  for (const one of cases.filter(({ name }) => !firstWins.has(name))) {
    it(`keeps its journal: ${one.name}`, async () => {
      const run = async (name: string): Promise<MemoryRun> => {
        const options = await one.options();
        const agent = arriving(new ReferencePolicy(agentReader), name);
        const environment = arriving(new ReferencePolicy(environmentReader), name);
        const ports = { agent, environment, ...options.ports };
        return (await runReference(one.experiment, { ...options, ports })).run;
      };
      const [first, other] = [await run('first'), await run('other')];
      assert.notDeepEqual([first.tasks, first.traces], [other.tasks, other.traces], 'they arrived in another order');
      assert.equal(other.text, first.text);
      assert.deepEqual(byId(other.tasks), byId(first.tasks));
      assert.deepEqual(byId(other.traces), byId(first.traces));
    });
  }

  for (const [name, overrides] of [
    ['co-evolves', {}],
    ['samples in rounds', { rollouts: { batch: 8 } }],
    ['draws by what was measured', { rollouts: { sampler: { kind: 'plr', temperature: 0.1, staleness: 0.3 } } }],
    ['begins with the longest', { rollouts: { order: 'longest' } }],
    ['samples early', { rollouts: { staleness: 1 } }],
  ] satisfies [string, Overrides][]) {
    it(`is killed, and resumes with answers in a third order: one that ${name}`, async () => {
      const experiment = experimentOf(overrides);
      const whole = new MemoryRun();
      await runScripted(experiment, whole, { ports: policiesOf(whole, 'first') });
      const appends = whole.events.length + whole.tasks.length + whole.traces.length;
      const moments = Rng.from('crash', name).shuffle(Array.from({ length: appends }, (_, i) => i));
      for (const at of moments.slice(0, 12)) {
        const run = await crashAt(experiment, at, (own) => ({ ports: policiesOf(own, 'other') }));
        await runScripted(experiment, run, { ports: policiesOf(run, 'third') });
        assert.equal(run.text, whole.text, `killed before append ${at}`);
        assert.deepEqual(byId(run.tasks), byId(whole.tasks));
        assert.deepEqual(byId(run.traces), byId(whole.traces));
      }
    });
  }
});
