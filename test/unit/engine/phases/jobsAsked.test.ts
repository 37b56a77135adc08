/** The requests of jobs, and the tasks that they cannot have. */
import assert from 'node:assert/strict';
import { LoopError } from '../../../../src/engine/errors.ts';
import type { Message } from '../../../../src/shared/records/message.ts';
import type { Environment, ParsedTask } from '../../../../src/engine/ports.ts';
import { seedFrom } from '../../../../src/engine/random.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import { both, eventsOf, jobsOf, small } from '../../../support/scripted/jobRuns.ts';
import { LadderDomain } from '../../../support/scripted/ladder.ts';
import { MemoryRun, runScripted } from '../../../support/scripted/scriptedRun.ts';

/** Episodes for some of the tasks. */
class Playing extends LadderDomain {
  readonly #plays: (task: Task) => boolean;

  constructor(plays: (task: Task) => boolean) {
    super({ turns: 2 });
    this.#plays = plays;
  }

  override environment(task?: Task): Environment | null {
    assert.equal(task?.v, 1, 'a task is asked about');
    return this.#plays(task) ? super.environment() : null;
  }
}

const refused = (error: unknown): boolean =>
  LoopError.is(error, 'not-trainable') && /several turns/.test(error.message);

describe('a job', () => {
  it('has a name and a seed by role, epoch and round, which a newer release asks for again', async () => {
    const experiment = small({ epochs: 2, rollouts: { poolShare: 0.2, batch: 5 } });
    const run = await runScripted(experiment, new MemoryRun(), both);
    const [agent, environment] = [jobsOf(run.cluster, 'agent'), jobsOf(run.cluster, 'environment')];
    assert.deepEqual(
      agent.map(({ name, seed }) => [name, seed]),
      [1, 2].flatMap((epoch) => [
        [`e${epoch}-agent`, seedFrom(experiment.seed, 'job', 'agent', epoch)],
        [`e${epoch}-agent-2`, seedFrom(experiment.seed, 'job', 'agent', epoch, 1)],
      ]),
    );
    assert.ok(environment.length > 0);
    for (const { name, seed, epoch } of environment) {
      assert.deepEqual([name, seed], [`e${epoch}-environment`, seedFrom(experiment.seed, 'job', 'environment', epoch)]);
    }
  });

  it('draws the same rows in every release: it is known by what it was asked with', async () => {
    const environment = { steps: 1, baseShare: 0.25, anchors: 'any' as const };
    const experiment = small({ epochs: 1, environment, curriculum: { filter: 'off' } });
    const run = await runScripted(experiment, new MemoryRun(), both);
    const [job] = jobsOf(run.cluster, 'environment');
    assert.deepEqual(
      job?.examples.map((messages) => messages.at(-1)?.content),
      ['rung 6 347', 'rung 5 148', 'rung 4 0', 'rung 5 258', 'rung 6 252', 'rung 6 382', 'rung 3 0', 'rung 5 299'],
    );
  });

  it('has its share of anchors where there are few base tasks, and a written text a step', async () => {
    class Few extends LadderDomain {
      override environmentExample(...asked: Parameters<LadderDomain['environmentExample']>): readonly Message[] | null {
        const [{ id }] = asked;
        const [first] = this.seeds('base');
        return id === first?.id ? [{ role: 'assistant', content: 'the anchor' }] : null;
      }
    }
    for (const [minibatch, anchored, rows] of [
      [8, 4, 8],
      [1, 1, 2],
    ] as const) {
      const environment = { steps: 2, minibatch, baseShare: 0.5, anchors: 'any' as const };
      const experiment = small({ epochs: 1, environment, curriculum: { filter: 'off' } });
      const run = await runScripted(experiment, new MemoryRun(), { ...both, ports: { domain: new Few() } });
      const [job] = jobsOf(run.cluster, 'environment');
      const contents = (job?.examples ?? []).map((messages) => messages.at(-1)?.content);
      assert.equal(contents.filter((content) => content === 'the anchor').length, 2 * anchored);
      assert.equal(contents.length, 2 * rows);
    }
  });

  it('is given the tools of its tasks, and the longest sequence where there is one', async () => {
    const tools = [{ name: 'climb', description: 'Climbs.', parameters: {} }];
    class Equipped extends LadderDomain {
      override parseTask(text: string, plan: string): ParsedTask {
        const parsed = super.parseTask(text, plan);
        const isOdd = parsed.ok && (parsed.draft.complexity['rung'] ?? 0) % 2 === 1;
        return isOdd ? { ok: true, draft: { ...parsed.draft, tools } } : parsed;
      }
    }
    const run = await runScripted(small({ epochs: 1, rollouts: { maxSequence: 99 } }), new MemoryRun(), {
      ...both,
      ports: { domain: new Equipped() },
    });
    const [job] = jobsOf(run.cluster, 'agent');
    assert.ok(job !== undefined);
    assert.equal(job.rollouts.maxSequence, 99);
    const given = job.tasks.filter((task) => 'tools' in task);
    assert.ok(given.length > 0 && given.length < job.tasks.length, `${given.length} of ${job.tasks.length}`);
    for (const task of given) assert.deepEqual(task.tools, tools);
    const plain = await runScripted(small({ epochs: 1 }), new MemoryRun(), both);
    assert.ok(jobsOf(plain.cluster, 'agent').every(({ rollouts }) => !('maxSequence' in rollouts)));
  });

  it('is not asked to play: not seeds, not tasks given beside them, not what the environment writes', async () => {
    const offline = new LadderDomain().seeds('base').map((task) => ({ ...task, id: `given.${task.id}` }));
    const atOnce = [
      { ports: { domain: new Playing(({ origin }) => origin === 'base') } },
      { ports: { domain: new Playing(({ id }) => id === 'given.base.3'), offlineTasks: offline } },
    ];
    for (const options of atOnce) {
      const run = new MemoryRun();
      await assert.rejects(runScripted(small(), run, { ...both, ...options }), refused);
      assert.deepEqual([run.events.length, run.cluster.jobs.size], [0, 0]);
    }
    const run = new MemoryRun();
    const domain = new Playing(({ origin }) => origin !== 'base' && origin !== 'validation');
    await assert.rejects(runScripted(small(), run, { ...both, ports: { domain } }), refused);
    assert.deepEqual([eventsOf(run, 'tasks.generated').length, run.cluster.jobs.size], [1, 0]);
    const single = await runScripted(small(), new MemoryRun(), {
      ...both,
      ports: { domain: new Playing(() => false) },
    });
    assert.ok(jobsOf(single.cluster, 'agent').length > 0);
  });
});
