/** Servers answer in whatever order they like; nothing that a run draws or learns from follows that order. */
import assert from 'node:assert/strict';
import type { PolicyVersion, SampleRequest } from '../../../src/engine/ports.ts';
import { Rng } from '../../../src/engine/random.ts';
import type { Completion } from '../../../src/engine/completion.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

type Overrides = Parameters<typeof smallExperiment>[0] & object;

/** Gives the answers of each call in an order of its own. */
class Shuffled extends ScriptedPolicy {
  override readonly capabilities = { ...new ScriptedPolicy('agent', 0).capabilities, deterministic: false };
  arrival = 0;
  #calls = 0;

  override async *sample(version: PolicyVersion, requests: readonly SampleRequest[], signal: AbortSignal) {
    const answers: Completion[] = [];
    for await (const answer of super.sample(version, requests, signal)) answers.push(answer);
    yield* Rng.from('arrival', this.arrival, (this.#calls += 1)).shuffle(answers);
  }
}

/** Texts of which hardly two are alike: of equal ones the first that arrives is kept. */
const environmentSays = (_: string, rng: Rng): string =>
  rng.next() < 0.2 ? 'nonsense' : `rung ${2 + rng.int(6)} ${rng.int(1_000_000)}`;

async function run(overrides: Overrides, arrival: number, turns: number): Promise<MemoryRun> {
  const memory = new MemoryRun();
  const { agent, environment } = memory.checkpoints;
  const policies = {
    agent: new Shuffled('agent', 4, agent, memory.bill),
    environment: new Shuffled('environment', 5.4, environment, memory.bill, environmentSays),
  };
  policies.agent.arrival = policies.environment.arrival = arrival;
  const { generation, rollouts, ...more } = overrides;
  const experiment = smallExperiment({
    ...{ epochs: 5, ...more },
    generation: { families: 12, attempts: 2, ...generation },
    rollouts: { poolShare: 0.3, ...rollouts },
  });
  const domain = new LadderDomain({ turns });
  return runScripted(experiment, memory, { ports: { ...policies, domain } });
}

const byId = <T extends { id: string }>(records: readonly T[]): T[] =>
  records.toSorted((a, b) => (a.id < b.id ? -1 : 1));

describe('a run whose servers answer in another order', () => {
  for (const [name, overrides, turns = 1] of [
    ['co-evolves', {}],
    ['samples in rounds', { rollouts: { batch: 8 } }],
    [
      'draws the pool by what was measured',
      { rollouts: { sampler: { kind: 'plr', temperature: 0.1, staleness: 0.3 } } },
    ],
    ['edits tasks of the pool', { generation: { editShare: 0.5, condition: true } }],
    ['begins with the longest', { rollouts: { order: 'longest' } }],
    ['samples early', { rollouts: { staleness: 1 } }],
    ['compares texts', { environment: { update: 'grpo' } }],
    ['draws from the first epoch’s tasks', { mode: 'static' }],
    ['writes by rank', { mode: 'release' }],
    ['has several turns', { rollouts: { maxTurns: 3 } }, 2],
  ] satisfies [string, Overrides, number?][]) {
    it(`keeps its journal: one that ${name}`, async function () {
      this.timeout(60_000);
      const [one, other] = [await run(overrides, 1, turns), await run(overrides, 2, turns)];
      assert.notDeepEqual(one.tasks, other.tasks, 'they arrived in another order');
      assert.equal(other.text, one.text);
      assert.deepEqual(byId(other.tasks), byId(one.tasks));
      assert.deepEqual(byId(other.traces), byId(one.traces));
    });
  }
});
