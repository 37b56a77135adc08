import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RunFacts } from '../../../../src/runs/facts/runFacts.ts';
import { lineageOf } from '../../../../src/runs/journal/lineage.ts';
import { StateFold } from '../../../../src/engine/state.ts';
import type { RunReader } from '../../../../src/runs/store/runReader.ts';
import { editTasks } from '../../../../src/runs/records/editTasks.ts';
import { PoolEdits } from '../../../../src/runs/export/poolEdits.ts';
import { agentItems } from '../../../../src/runs/export/agentItems.ts';
import { environmentItems } from '../../../../src/runs/export/environmentItems.ts';
import { EditedTasks } from '../../../../src/features/tasks/node/editedTasks.ts';
import { editsOf } from '../../../../src/features/tasks/node/runEdits.ts';
import { RunTasks, type RunOfTasks, type ShownPool } from '../../../../src/features/tasks/node/runTasks.ts';
import { runSource } from '../../../../src/features/tasks/node/taskSource.ts';
import type { RowChange, TaskPart, TaskValues } from '../../../../src/features/tasks/node/taskValues.ts';
import type { FamilyScore } from '../../../../src/shared/journal/events.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import type { TasksQuery } from '../../../../src/features/tasks/contract.ts';
import { attemptsAt, makeTask } from '../../../support/runs/records.ts';
import { finishedRun } from '../../../support/runs/scriptedStore.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';
import { all, withTempRuns, type TempRuns } from '../../../support/runs/tempRuns.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

const { signal } = new AbortController();
const given = Array.from({ length: 20 }, (_, i) =>
  makeTask({ id: `base.${i}`, family: `base.${i}`, epoch: 0, origin: 'base', seed: null }),
);

/** A run as the host knows it. */
async function known(reader: RunReader): Promise<RunOfTasks> {
  const fold = new StateFold();
  const facts = new RunFacts(await lineageOf(reader.dir, reader.manifest));
  const families = new Map<number, readonly FamilyScore[]>();
  for await (const event of reader.events()) {
    fold.add(event);
    facts.add(event);
    if (event.type === 'families.scored') families.set(event.epoch, event.families);
  }
  return {
    reader,
    given,
    scoredEpochs: () => [...families.keys()],
    familiesOf: (epoch) => Promise.resolve(families.get(epoch) ?? []),
    lambdaOf: (epoch) => facts.epochs.get(epoch)?.curriculum.lambda ?? NaN,
    state: () => fold.state,
  };
}

async function opened(runs: TempRuns, id: string, pool: ShownPool | null = null) {
  const reader = await runs.store().openReader(id);
  const records = await RunTasks.open(await known(reader), pool);
  const tasks = new EditedTasks(runSource(records, () => Promise.resolve()));
  tasks.rebase(records.savedRows);
  await tasks.view.again(signal);
  return {
    tasks,
    records,
    close: async () => {
      await tasks.source.close();
      await reader.close();
    },
  };
}

/** The content of the run folder. */
async function contents(runs: TempRuns, id: string) {
  const reader = await runs.store().openReader(id);
  const [tasks, traces, events] = [await all(reader.tasks()), await all(reader.traces()), await all(reader.events())];
  await reader.close();
  return { tasks, traces, events };
}

const ids = async (tasks: EditedTasks): Promise<string[]> => (await tasks.shown(0, 10_000)).map(({ task }) => task.id);

describe('the tasks of a run in the editor', () => {
  it('count every training attempt that was judged, and know R_env and weights as the journal has them', () =>
    withTempRuns(async (runs) => {
      const { id } = await finishedRun(runs.store(), smallExperiment());
      const run = await contents(runs, id);
      const { tasks, close } = await opened(runs, id);
      await tasks.source.learn('scores', signal);
      const shown = await tasks.shown(0, 10_000);
      assert.deepEqual(
        shown.map(({ task }) => task.id),
        [...run.tasks.map((task) => task.id), ...given.map((task) => task.id)],
      );
      for (const { row, task } of shown) {
        const own = run.traces.filter(
          ({ task: of, purpose, verdict }) => of === task.id && purpose === 'train' && verdict.error === undefined,
        );
        assert.equal(tasks.columns.attempts[row], own.length, task.id);
        assert.equal(tasks.columns.successes[row], own.filter(({ verdict }) => verdict.success).length, task.id);
        const scored = run.events.flatMap((event) =>
          event.type === 'families.scored' ? event.families.flatMap((family) => family.tasks) : [],
        );
        const reward = scored.findLast((one) => one.id === task.id)?.environmentReward ?? NaN;
        assert.equal(tasks.columns.reward[row], reward, task.id);
      }
      assert.ok(shown.some(({ row }) => (tasks.columns.attempts[row] ?? outOfRange()) > 0));
      await close();
    }));

  it('are those of a pool, as its export has them, edits left out', () =>
    withTempRuns(async (runs) => {
      const { id } = await finishedRun(runs.store(), smallExperiment());
      const reader = await runs.store().openReader(id);
      const before = [...new Set((await all(environmentItems(reader))).map(({ task }) => task.id))];
      const [first, second] = before;
      assert.ok(first !== undefined && second !== undefined, 'the filter kept some');
      const clock = { now: () => 7 };
      const changes = [{ field: 'gold', from: 'x', to: 'y' } as const];
      await editTasks(runs.store(), id, {
        edits: [
          { action: 'exclude', task: first, reason: 'odd' },
          { action: 'edit', task: second, changes },
        ],
        author: 'ada',
        clock,
      });
      const environment = await opened(runs, id, 'environment');
      const items = await all(environmentItems(reader));
      assert.deepEqual((await ids(environment.tasks)).sort(), [...new Set(items.map(({ task }) => task.id))].sort());
      const weights = items.map(({ lambda, scored }) => Math.exp(lambda * (scored.environmentReward ?? NaN)));
      const sum = weights.reduce((a, b) => a + b, 0);
      const squares = weights.reduce((a, b) => a + b ** 2, 0);
      assert.ok(Math.abs((environment.records.effectiveSampleSize ?? 0) - sum ** 2 / squares) < 1e-9);
      const shares = [...(environment.records.members() ?? [])].map(
        (row) => environment.tasks.columns.weight[row] ?? outOfRange(),
      );
      assert.ok(Math.abs(shares.reduce((a, b) => a + b, 0) - 1) < 1e-9);
      assert.equal(environment.records.leftOut, 2);
      await environment.close();
      const agent = await opened(runs, id, 'agent');
      const train = await all(agentItems(reader, given));
      const inTrain = new Set(train.map((item) => (item.kind === 'base' ? item.task.id : item.trace.task)));
      assert.deepEqual((await ids(agent.tasks)).sort(), [...inTrain].sort());
      await agent.close();
      await reader.close();
    }));

  for (const [name, rollouts] of Object.entries({
    'fell out': { spare: 0.5, baseShare: 0.25, poolShare: 0.25 },
    'are late and never count': { staleness: 1, late: 0.5, baseShare: 0.25 },
  })) {
    it(`are in the agent pool without groups that ${name}`, () =>
      withTempRuns(async (runs) => {
        const generation = { families: 4 };
        const experiment = smallExperiment({ epochs: 8, generation, rollouts, curriculum: { filter: 'off' } });
        const budget = { ...experiment.budget, rollouts: 60 };
        const { id } = await finishedRun(runs.store(), { ...experiment, budget });
        const reader = await runs.store().openReader(id);
        const recorded = await all(reader.traces());
        const train = await all(agentItems(reader, given));
        const traces = new Map<string, number>();
        for (const item of train) {
          if (item.kind === 'trace') traces.set(item.trace.task, (traces.get(item.trace.task) ?? 0) + 1);
        }
        const valid = recorded.filter(({ purpose, verdict }) => purpose === 'train' && verdict.valid);
        assert.ok(train.filter(({ kind }) => kind === 'trace').length < valid.length, 'some are in no pool');
        const { tasks, records, close } = await opened(runs, id, 'agent');
        const weights = async (): Promise<Map<string, number | undefined>> =>
          new Map((await tasks.shown(0, 10_000)).map(({ task, row }) => [task.id, tasks.columns.weight[row]]));
        const expected = new Map([...given.map(({ id: task }) => [task, 0] as const), ...traces]);
        assert.deepEqual(
          await weights(),
          new Map([...(await weights()).keys()].map((one) => [one, expected.get(one)])),
        );
        assert.deepEqual([...(await weights()).keys()].sort(), [...expected.keys()].sort());
        await records.grow();
        assert.deepEqual([...(await weights()).keys()].sort(), [...expected.keys()].sort(), 'and again');
        await close();
        await reader.close();
      }));
  }

  it('grow with a live run: tasks, attempts, and edits that wait for its writer', () =>
    withTempRuns(async (runs) => {
      const { id } = await finishedRun(runs.store(), smallExperiment());
      const { tasks, records, close } = await opened(runs, id);
      const before = tasks.columns.count;
      const [first] = await tasks.shown(0, 1);
      assert.ok(first !== undefined);
      const attempts = tasks.columns.attempts[first.row] ?? outOfRange();
      const writer = await runs.store().openWriter(id);
      const written = makeTask({ id: 'e9.f0.v0', family: 'e9.f0', epoch: 9 });
      await writer.appendTasks([written]);
      await writer.appendTraces([...attemptsAt(written, [true, false]), ...attemptsAt(first.task, [true], 9)]);
      const edits = [{ action: 'exclude', task: first.task.id, reason: 'odd' } as const];
      const outcome = await editTasks(runs.store(), id, { edits, author: 'ada', clock: { now: () => 7 } });
      assert.deepEqual(outcome, { state: 'waiting' });
      const touched = await records.grow();
      tasks.rebase(touched);
      assert.equal(tasks.columns.count, before + 1);
      assert.deepEqual(
        [...touched].sort((a, b) => a - b),
        [first.row, before],
      );
      assert.equal(tasks.columns.attempts[first.row], attempts + 1);
      assert.deepEqual([tasks.columns.successes[before], tasks.columns.attempts[before]], [1, 2]);
      assert.equal(tasks.excludedAt(first.row), 'odd');
      await tasks.show({ text: 'status:excluded', order: 'written', descending: false }, signal, () => undefined);
      assert.deepEqual(await ids(tasks), [first.task.id]);
      await writer.close();
      await close();
    }));

  it('are not edited once a saved edit is undone and that is saved', () =>
    withTempRuns(async (runs) => {
      const { id } = await finishedRun(runs.store(), smallExperiment());
      const first = await opened(runs, id);
      const [task] = await first.tasks.shown(0, 1);
      assert.ok(task !== undefined);
      const { row } = task;
      const change = await first.tasks.change(row, { gold: 'another' });
      assert.ok(change !== null);
      const save = async (): Promise<void> => {
        const edits = editsOf(task.task.id, first.tasks.working.changeOf(row) ?? change);
        await editTasks(runs.store(), id, { edits, author: 'ada', clock: { now: () => 7 } });
        first.tasks.settle([row]);
      };
      const isEdited = async (): Promise<boolean> => {
        const anew = await opened(runs, id);
        anew.tasks.rebase(anew.records.savedRows);
        const edited = anew.tasks.columns.edited[row] === 1;
        await anew.close();
        return edited;
      };
      await first.tasks.apply([change]);
      await save();
      assert.equal(first.tasks.columns.edited[row], 1);
      assert.ok(await isEdited());
      await first.tasks.apply([change], 'back');
      assert.equal(first.tasks.columns.edited[row], 0, 'as it was recorded, before it is saved');
      await save();
      assert.equal(first.tasks.columns.edited[row], 0);
      assert.ok(!(await isEdited()), 'as it was recorded, whoever opens it');
      await first.close();
    }));

  it('are found, ordered, edited, undone and saved as a plain list would be', () =>
    withTempRuns(async (runs) => {
      const { id } = await finishedRun(runs.store(), smallExperiment());
      const run = await contents(runs, id);
      const { tasks, close } = await opened(runs, id);
      const recorded: Task[] = [...run.tasks, ...given];
      const rates = new Map(
        recorded.map(({ id: task }) => {
          const own = run.traces.filter((trace) => trace.task === task && trace.purpose === 'train');
          return [task, own.filter(({ verdict }) => verdict.success).length / own.length] as const;
        }),
      );
      /** The content of a plain list. */
      let model = new Map<string, Pick<TaskValues, 'gold' | 'excluded' | 'tags'>>(
        recorded.map((task) => [task.id, { gold: task.gold, excluded: null, tags: [] }]),
      );
      const history: { changes: readonly RowChange[]; before: typeof model }[] = [];
      const rowOf = new Map((await tasks.shown(0, 10_000)).map(({ row, task }) => [task.id, row]));
      const statusOf = (task: Task): string =>
        (model.get(task.id)?.excluded ?? null) !== null ? 'excluded' : task.status;
      const tests: Record<string, (task: Task) => boolean> = {
        'status:excluded': (task) => statusOf(task) === 'excluded',
        '-status:rejected': (task) => statusOf(task) !== 'rejected',
        'tag:odd': (task) => model.get(task.id)?.tags.includes('odd') ?? false,
        'edited:yes': (task) => model.get(task.id)?.gold !== task.gold,
        'epoch:2..3': ({ epoch }) => epoch >= 2 && epoch <= 3,
        'p>=50%': (task) => (rates.get(task.id) ?? NaN) >= 0.5,
        'verdict:none': (task) => Number.isNaN(rates.get(task.id)),
        mended: (task) => (model.get(task.id)?.gold ?? '').includes('mended'),
        'id:*.v1': ({ id: task }) => task.endsWith('.v1'),
        'origin:base': ({ origin }) => origin === 'base',
      };
      const edit = async (name: string, part: TaskPart): Promise<void> => {
        const change = await tasks.change(rowOf.get(name) ?? -1, part);
        const before = model;
        model = new Map(model);
        const old = model.get(name);
        if (old !== undefined) model.set(name, { ...old, ...pickModel(part) });
        if (change === null) return;
        await tasks.apply([change]);
        history.push({ changes: [change], before });
      };
      const pickModel = ({ gold, excluded, tags }: TaskPart) => ({
        ...(gold === undefined ? {} : { gold }),
        ...(excluded === undefined ? {} : { excluded }),
        ...(tags === undefined ? {} : { tags }),
      });
      const name = fc.constantFrom(...recorded.map((task) => task.id));
      const step = fc.oneof(
        fc.record({ kind: fc.constant('gold' as const), name, gold: fc.constantFrom('mended', 'other', null) }),
        fc.record({ kind: fc.constant('exclude' as const), name, reason: fc.constantFrom('odd', null) }),
        fc.record({ kind: fc.constant('tag' as const), name, tags: fc.subarray(['odd', 'hard']) }),
        fc.record({ kind: fc.constant('undo' as const) }),
        fc.record({ kind: fc.constant('save' as const) }),
      );
      const query = fc.record({
        terms: fc.subarray(Object.keys(tests), { maxLength: 2 }),
        order: fc.constantFrom<TasksQuery['order']>('written', 'id', 'epoch', 'successRate'),
        descending: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), query, async (steps, { terms, order, descending }) => {
          for (const one of steps) {
            if (one.kind === 'gold') await edit(one.name, { gold: one.gold });
            else if (one.kind === 'exclude') await edit(one.name, { excluded: one.reason });
            else if (one.kind === 'tag') await edit(one.name, { tags: one.tags });
            else if (one.kind === 'save') {
              const { dirty } = tasks.working;
              const named = await tasks.source.table.namesOf(dirty);
              const edits = dirty.flatMap((row) => {
                const change = tasks.working.changeOf(row);
                return change === null ? [] : editsOf(named.get(row)?.id ?? '', change);
              });
              if (edits.length > 0)
                await editTasks(runs.store(), id, { edits, author: 'ada', clock: { now: () => 7 } });
              tasks.settle(dirty);
            } else {
              const last = history.pop();
              if (last === undefined) continue;
              await tasks.apply(last.changes, 'back');
              model = last.before;
            }
          }
          assert.equal(await tasks.show({ text: terms.join(' '), order, descending }, signal, () => undefined), null);
          const expected = recorded.filter((task) => terms.every((term) => tests[term]?.(task)));
          const found = await ids(tasks);
          assert.deepEqual([...found].sort(), expected.map((task) => task.id).sort(), terms.join(' '));
          if (order === 'epoch' || order === 'successRate') {
            const keyOf = (task: string): number =>
              order === 'epoch' ? (recorded.find((one) => one.id === task)?.epoch ?? NaN) : (rates.get(task) ?? NaN);
            const keys = found.map(keyOf);
            const numbers = keys.filter((key) => !Number.isNaN(key));
            assert.deepEqual(
              numbers,
              [...numbers].sort((a, b) => (descending ? b - a : a - b)),
            );
            assert.ok(keys.slice(numbers.length).every(Number.isNaN), 'what has no number comes last');
          }
        }),
        { numRuns: 60, seed: 5 },
      );
      // The journal contains the edits saved along the way.
      const reader = await runs.store().openReader(id);
      const edits = await PoolEdits.read(reader);
      for (const task of recorded) {
        const row = rowOf.get(task.id) ?? -1;
        const unsaved = tasks.working.changeOf(row);
        const saved = unsaved?.before.gold ?? model.get(task.id)?.gold;
        if (unsaved === null || 'gold' in unsaved.before) assert.equal(edits.now(task).gold, saved, task.id);
      }
      await reader.close();
      await close();
    }));
});
