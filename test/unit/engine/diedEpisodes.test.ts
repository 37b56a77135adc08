/** Episodes that die, and tools that tasks name: what an attempt at one task costs, and what the agent is offered. */
import assert from 'node:assert/strict';
import { EpisodeError, LoopError } from '../../../src/engine/errors.ts';
import type { Environment, SampleRequest } from '../../../src/engine/ports.ts';
import type { Task, ToolSpec } from '../../../src/shared/records/task.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { makeTask } from '../../support/runs/records.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { unreliable } from '../../support/scripted/unreliablePolicy.ts';

/** Dies in a share of its episodes, by what is asked in them. */
class Mortal extends LadderDomain {
  readonly #dies: (task: Task, episode: number) => 'reset' | 'step' | null;
  readonly #episodes = new Map<string, number>();

  constructor(dies: (task: Task, episode: number) => 'reset' | 'step' | null) {
    super();
    this.#dies = dies;
  }

  override environment(task = makeTask()): Environment {
    let dies: 'reset' | 'step' | null = null;
    return {
      reset: () => {
        const episode = this.#episodes.get(task.id) ?? 0;
        this.#episodes.set(task.id, episode + 1);
        dies = this.#dies(task, episode);
        if (dies === 'reset') throw new EpisodeError('it has no such level');
        return { messages: [], done: false };
      },
      step: () => {
        if (dies === 'step') throw new EpisodeError('it fell off the table');
        return { messages: [], done: true };
      },
    };
  }
}

const finished = (run: MemoryRun) => run.events.filter((event) => event.type === 'rollouts.finished');

describe('an episode that dies, where all attempts must be answered', () => {
  it('costs its own attempt, and the run goes on', async () => {
    const run = new MemoryRun();
    // The first reset of a task is for all of its attempts; each attempt begins with one more.
    const domain = new Mortal((_, episode) => (episode === 2 ? 'step' : null));
    await runScripted(smallExperiment({ rollouts: { minGroup: null } }), run, { ports: { domain } });
    assert.equal(run.events.at(-1)?.type, 'run.finished');
    for (const { tasks, rollouts, unanswered } of finished(run)) {
      const count = unanswered?.count ?? 0;
      assert.ok(count > 0);
      assert.deepEqual(unanswered?.causes, [{ cause: 'it fell off the table', count }]);
      assert.equal(rollouts, 4 * tasks - count);
    }
  });

  it('leaves a task that can never be begun without attempts, and its family without a rate', async () => {
    const run = new MemoryRun();
    const domain = new Mortal(({ id }) => (id.endsWith('f1.v0') ? 'reset' : null));
    await runScripted(smallExperiment({ epochs: 1, rollouts: { minGroup: null } }), run, { ports: { domain } });
    const scored = run.events.flatMap((event) => (event.type === 'families.scored' ? event.families : []));
    const tasks = scored.flatMap((family) => family.tasks);
    const dead = tasks.filter(({ id }) => id.endsWith('f1.v0'));
    assert.deepEqual(
      dead.map(({ attempts, weight }) => [attempts, weight]),
      [[0, 0]],
    );
    assert.ok(tasks.some(({ attempts }) => attempts === 4));
    assert.equal(run.events.at(-1)?.type, 'run.finished');
  });

  it('does not excuse what the endpoint left unanswered', async () => {
    const run = new MemoryRun();
    const domain = new Mortal((_, episode) => (episode === 2 ? 'step' : null));
    const agent = unreliable(new ScriptedPolicy('agent', 4, run.checkpoints.agent, run.bill), {
      fails: (id) => (id.endsWith('#3') ? 'too long' : null),
    });
    await assert.rejects(
      runScripted(smallExperiment(), run, { ports: { domain, agent } }),
      (error) => LoopError.is(error, 'endpoint') && error.message.includes('has 2 of 4 attempts'),
    );
  });

  it('stops a run of which nothing was attempted', async () => {
    const run = new MemoryRun();
    const domain = new Mortal(() => 'reset');
    await assert.rejects(
      runScripted(smallExperiment(), run, { ports: { domain } }),
      (error) => LoopError.is(error, 'endpoint') && error.message.includes('it has no such level'),
    );
  });
});

describe('tools that a task names', () => {
  const look: ToolSpec = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

  it('are offered to the agent with every turn, and to nobody else', async () => {
    const run = new MemoryRun();
    class Armed extends LadderDomain {
      override seeds(split: 'base' | 'validation'): readonly Task[] {
        return super.seeds(split).map((task) => ({ ...task, tools: [look] }));
      }
    }
    const requests: SampleRequest[] = [];
    const policy = (name: 'agent' | 'environment', weight: number) => {
      const scripted = new ScriptedPolicy(name, weight, run.checkpoints[name], run.bill);
      const sample = scripted.sample.bind(scripted);
      return Object.assign(scripted, {
        sample: (...given: Parameters<typeof sample>) => {
          requests.push(...given[1]);
          return sample(...given);
        },
      });
    };
    const experiment = smallExperiment({ epochs: 1, rollouts: { maxTurns: 3 }, validation: { tasks: 3 } });
    const ports = { domain: new Armed({ turns: 2 }), agent: policy('agent', 4) };
    await runScripted(experiment, run, { ports });
    const ofSeeds = requests.filter(({ id }) => /base\.|validation\./.test(id));
    assert.ok(ofSeeds.some(({ messages }) => messages.some(({ role }) => role === 'assistant')));
    for (const { id, tools } of ofSeeds) assert.deepEqual(tools, [look], id);
    for (const { id, tools } of requests) if (!ofSeeds.some((one) => one.id === id)) assert.equal(tools, undefined);
  });
});
