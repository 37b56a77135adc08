/** Which tasks an epoch attempts, where its seeds come from, and what of it the environment learns. */
import assert from 'node:assert/strict';
import { LoopError } from '../../../../src/engine/errors.ts';
import type { Scorer } from '../../../../src/engine/ports.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import { eventsOf, referenceExperiment, runReference } from '../../../support/reference/referenceRun.ts';
import { ReferenceScorer } from '../../../support/reference/referenceTasks.ts';
import { LadderDomain, LadderScorer } from '../../../support/scripted/ladder.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

/** Tasks attempted for training in an epoch. */
const batchOf = ({ traces }: MemoryRun, epoch: number): Set<string> =>
  new Set(traces.filter((trace) => trace.purpose === 'train' && trace.epoch === epoch).map(({ task }) => task));

const broken = { success: false, reward: 0, valid: false, error: 'The checker divided by zero.' };

describe('a batch', () => {
  it('without base data and without a written task is no batch', async () => {
    class Bare extends LadderDomain {
      override seeds(split: 'base' | 'validation'): readonly Task[] {
        return split === 'base' ? [] : super.seeds(split);
      }
    }
    const bare = runScripted(smallExperiment(), new MemoryRun(), { ports: { domain: new Bare() } });
    await assert.rejects(bare, (error) => LoopError.is(error, 'no-tasks'));
  });

  it('may be half base data, or half tasks of earlier epochs', async () => {
    for (const share of [
      { baseShare: 0.5, poolShare: 0 },
      { baseShare: 0, poolShare: 0.5 },
    ]) {
      const run = await runScripted(
        smallExperiment({ epochs: 6, generation: { families: 1, variations: 1 }, rollouts: share }),
      );
      assert.ok(eventsOf(run, 'rollouts.finished').every(({ tasks }) => tasks === 2));
    }
  });

  it('takes no task of an earlier epoch that people have excluded, and ends looking where all are', async () => {
    const posted = new Set<string>();
    const run = new MemoryRun();
    const excluded = (): string[] =>
      run.tasks.filter(({ epoch, status }) => epoch < 3 && status === 'accepted').map(({ id }) => id);
    await runScripted(smallExperiment({ epochs: 3, rollouts: { baseShare: 0.2, poolShare: 0.4 } }), run, {
      ports: {
        edits: {
          waiting: () => {
            if (posted.size > 0 || run.state.summaries.length < 2) return Promise.resolve([]);
            const edits = excluded().map((task) => ({ action: 'exclude' as const, task, reason: 'wrong gold' }));
            return Promise.resolve([{ id: 'a', author: 'ada', edits }]);
          },
          taken: (id) => {
            posted.add(id);
            return Promise.resolve();
          },
        },
      },
    });
    assert.ok(posted.has('a') && batchOf(run, 2).size === batchOf(run, 3).size, 'filled up with base tasks');
    assert.ok(excluded().length > 4 && excluded().every((id) => !batchOf(run, 3).has(id)));
  });

  it('takes no task of earlier epochs in mode offline, though a branch has them', async () => {
    const run = await runScripted(smallExperiment({ epochs: 2 }));
    const written = run.tasks.filter(({ status }) => status === 'accepted');
    const offlineTasks = written.map((task) => ({
      ...{ ...task, id: `given.${task.id}`, family: `given.${task.family}` },
      ...{ epoch: 0, origin: 'offline' as const },
    }));
    const branch = run.cut(run.events.length - 1, run.tasks.length, run.traces.length);
    const experiment = smallExperiment({ mode: 'offline', epochs: 3, rollouts: { baseShare: 0.2, poolShare: 0.4 } });
    await runScripted(experiment, branch, { ports: { offlineTasks } });
    const ids = [...batchOf(branch, 3)];
    assert.ok(ids.length > 0 && ids.every((id) => id.startsWith('given.') || id.startsWith('base.')), ids.join());
  });
});

describe('families to write', () => {
  it('take seeds again where there are fewer than families', async () => {
    const run = await runScripted(smallExperiment({ epochs: 1, generation: { families: 14, variations: 1 } }));
    const [generated] = eventsOf(run, 'tasks.generated');
    assert.equal(generated?.families, 14);
    const seeds = new Map(run.tasks.map(({ family, seed }) => [family, seed]));
    assert.equal(new Set(seeds.values()).size, 12);
  });

  it('are those of the middle ranks in mode release, by judged attempts alone', async () => {
    const scorer: Scorer = {
      score: (task, trace) => {
        const own = new LadderScorer().score(task, trace);
        return task.gold === '6' || (task.gold === '4' && !own.success) ? broken : own;
      },
    };
    const experiment = smallExperiment({ mode: 'release', epochs: 1, generation: { families: 6, variations: 2 } });
    const run = await runScripted(experiment, new MemoryRun(), { ports: { scorer } });
    const ranked = run.traces.filter(({ purpose }) => purpose === 'rank');
    assert.ok(ranked.every(({ sequences }) => sequences.every(({ tokens }) => tokens.length === 0)));
    const score = (traces: readonly Trace[]): number[] => {
      const judged = traces.filter(({ verdict }) => verdict.error === undefined);
      return judged.length === 0 ? [] : [judged.reduce((sum, { verdict }) => sum + verdict.reward, 0) / judged.length];
    };
    const order = [...Map.groupBy(ranked, ({ task }) => task)]
      .flatMap(([task, traces]) => score(traces).map((mean) => ({ task, mean })))
      .sort((a, b) => a.mean - b.mean);
    assert.ok(order.length < 12 && order.some(({ mean }) => mean === 1), 'seeds without a verdict have no rank');
    const cut = Math.floor(order.length * experiment.generation.rankCut);
    const written = new Map(run.tasks.map(({ family, seed }) => [family, seed]));
    assert.deepEqual(
      [...written.values()],
      order.slice(cut, order.length - cut).map(({ task }) => task),
    );
  });
});

describe('the environment learns', () => {
  it('nothing from a task at which no attempt was judged', async () => {
    const unjudged: Scorer = {
      score: (task, trace) => (Number(task.gold) < 5 ? broken : new ReferenceScorer().score(task, trace)),
    };
    const { run, environment } = await runReference(
      referenceExperiment({
        ...{ epochs: 1, curriculum: { filter: 'off' } },
        environment: { baseShare: 0, minibatch: 1000, minFamilies: 1, klCoefficient: 0, steps: 1 },
      }),
      { ports: { scorer: unjudged } },
    );
    const tasks = eventsOf(run, 'families.scored').flatMap(({ families }) => families.flatMap((one) => one.tasks));
    const judged = tasks.filter(({ attempts }) => attempts > 0);
    assert.ok(judged.length > 0 && judged.length < tasks.length);
    assert.equal(environment.asked.lessons[0]?.data.length, judged.length);
  });
});
