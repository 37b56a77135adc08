/** Readers of a run some of whose groups count one epoch after their own (`rollouts.late`). */
import assert from 'node:assert/strict';
import { groupAdvantages } from '../../../src/engine/math/advantage.ts';
import { attemptsIn } from '../../../src/cli/show/views.ts';
import { lateLines } from '../../../src/cli/show/late.ts';
import { defaultLimits, gatherRun, reportData } from '../../../src/features/report/node/buildData.ts';
import { LeftOut } from '../../../src/runs/export/leftOut.ts';
import { agentItems } from '../../../src/runs/export/agentItems.ts';
import { poolRows } from '../../../src/runs/export/poolRows.ts';
import { attemptDatumSchema } from '../../../src/runs/export/rows/datumRows.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { notPooled } from '../../../src/runs/records/notPooled.ts';
import { RunFacts } from '../../../src/runs/facts/runFacts.ts';
import { countedFrom, countedIn, countsIn } from '../../../src/shared/journal/counted.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import type { RunReader } from '../../../src/runs/store/runReader.ts';
import { fromArray } from '../../support/report/fromArray.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { drawnAgain, lateExperiment } from '../../support/scripted/lateExperiment.ts';
import { MemoryRun, smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { finishedRun } from '../../support/runs/scriptedStore.ts';
import { all, withTempRuns } from '../../support/runs/tempRuns.ts';

const base = new LadderDomain().seeds('base');

const withRun = (experiment: Experiment, test: (reader: RunReader, run: MemoryRun) => Promise<void>): Promise<void> =>
  withTempRuns(async (runs) => {
    const store = runs.store();
    const { id } = await finishedRun(store, experiment);
    const reader = await store.openReader(id);
    try {
      const run = new MemoryRun();
      run.events = await all(reader.events());
      run.traces = await all(reader.traces());
      assert.ok([...run.state.late.values()].flat().length > 0);
      await test(reader, run);
    } finally {
      await reader.close();
    }
  });

/** Ends after the epochs in which half of the groups are late: those of the last never count. */
const endsEarly = (): Experiment => {
  const experiment = lateExperiment({ epochs: 8, rollouts: { poolShare: 0 } });
  return { ...experiment, budget: { ...experiment.budget, rollouts: 60 } };
};

describe('epochs in which attempts count', () => {
  const late = new Map([[2, ['a', 'b']]]);

  it('are their own, or the next one where their group was late', () => {
    assert.equal(countedIn(late, { task: 'a', epoch: 2 }), 3);
    assert.equal(countedIn(late, { task: 'c', epoch: 2 }), 2);
    assert.equal(countedIn(late, { task: 'a', epoch: 3 }), 3);
  });

  it('count attempts of one epoch or two', () => {
    assert.deepEqual(countedFrom(late, { task: 'a', epoch: 2 }), []);
    assert.deepEqual(countedFrom(late, { task: 'a', epoch: 3 }), [2, 3]);
    assert.deepEqual(countedFrom(late, { task: 'c', epoch: 3 }), [3]);
    const counts = countsIn(late, 3);
    assert.deepEqual(
      [1, 2, 3, 4].map((epoch) => [counts({ task: 'a', epoch }), counts({ task: 'c', epoch })]),
      [
        [false, false],
        [true, false],
        [true, true],
        [false, false],
      ],
    );
  });
});

describe('readers of late groups', () => {
  it('show of a family the attempts that its p̂ is of', async () => {
    for (const experiment of [lateExperiment(), drawnAgain()]) {
      await withRun(experiment, async (reader, { events }) => {
        let shown = 0;
        for (const event of events) {
          if (event.type !== 'families.scored') continue;
          for (const family of event.families) {
            const traces = await attemptsIn(reader, new Set(family.tasks.map(({ id }) => id)), event.epoch);
            for (const { id, successes, attempts } of family.tasks) {
              const own = traces.filter(({ task }) => task === id);
              assert.equal(own.length, attempts, `${id} in epoch ${event.epoch}`);
              assert.equal(own.filter(({ verdict }) => verdict.success).length, successes);
              shown += 1;
            }
          }
        }
        assert.ok(shown > 8);
      });
    }
  });

  it('report samples with all attempts that the success rate is of, and how many groups were late', () =>
    withRun(lateExperiment(), async (reader, run) => {
      const gathered = await gatherRun({
        ...{ dir: reader.dir, manifest: reader.manifest, head: () => reader.head() },
        ...{
          events: () => reader.events(),
          task: (id) => reader.task(id),
          tracesOf: (epoch) => reader.tracesOf(epoch),
        },
      });
      const { samples, epochs } = reportData(gathered, 0, defaultLimits);
      const tasks = samples.flatMap((sample) => sample.tasks);
      assert.ok(tasks.length > 4);
      for (const { id, successRate, attempts } of tasks) {
        assert.equal(attempts.replaceAll('?', '').length, successRate.attempts, id);
        assert.equal(attempts.replaceAll(/[^1]/g, '').length, successRate.successes);
      }
      assert.deepEqual(
        epochs.map(({ late = 0 }) => late),
        [1, 2, 3, 4].map((epoch) => run.state.late.get(epoch)?.length ?? 0),
      );
    }));

  it('find the tasks mixed into an epoch’s batch, those of the epoch before among them', async () => {
    for (const experiment of [lateExperiment(), drawnAgain()]) {
      await withRun(experiment, async (reader, { events, state }) => {
        let late = 0;
        for (const event of events) {
          if (event.type !== 'families.scored') continue;
          const ids = event.families.map(({ id }) => id);
          const mixed = await reader.mixedIn(event.epoch, ids, state);
          const { successes, attempts } = event.baseSuccessRate;
          const sum = (of: (task: (typeof mixed)[number]) => number): number =>
            mixed.reduce((n, one) => n + of(one), 0);
          assert.equal(
            sum((one) => one.successes),
            successes,
            `epoch ${event.epoch}`,
          );
          assert.equal(
            sum((one) => one.attempts),
            attempts,
          );
          late += mixed.filter(
            ({ id }) => countedFrom(state.late, { task: id, epoch: event.epoch })[0] !== event.epoch,
          ).length;
        }
        assert.ok(late > 0);
      });
    }
  });

  it('leave groups that fell out of it', async () => {
    const spare = smallExperiment({
      ...{ epochs: 4, generation: { families: 4 } },
      rollouts: { baseShare: 0.25, poolShare: 0.25, spare: 0.5 },
    });
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const { id } = await finishedRun(store, spare);
      const reader = await store.openReader(id);
      try {
        const run = new MemoryRun();
        run.events = await all(reader.events());
        const { state } = run;
        assert.ok([...state.dropped.values()].flat().length > 0);
        for (const event of run.events) {
          if (event.type !== 'families.scored') continue;
          const ids = event.families.map((family) => family.id);
          const mixed = await reader.mixedIn(event.epoch, ids, state);
          const told = mixed.reduce((sum, { attempts }) => sum + attempts, 0);
          assert.equal(told, event.baseSuccessRate.attempts, `epoch ${event.epoch}`);
        }
      } finally {
        await reader.close();
      }
    });
  });

  it('tell how many were late', () =>
    withRun(lateExperiment(), async (_reader, { events, state }) => {
      const rounds = events.filter((event) => event.type === 'rollouts.finished');
      const all = [...state.late.values()].flat().length;
      assert.deepEqual(lateLines(rounds), [`late       ${all} groups, each counted one epoch after its own`]);
      assert.deepEqual(lateLines(rounds.slice(-1)), []);
      const facts = new RunFacts([{ parent: null, experiment: lateExperiment() }]);
      for (const event of events) facts.add(event);
      assert.equal(
        [...facts.epochs.values()].reduce((sum, { late }) => sum + late, 0),
        all,
      );
      await Promise.resolve();
    }));

  it('export what the pools counted, and name those that never counted', () =>
    withRun(endsEarly(), async (reader, { events, state, traces }) => {
      assert.equal(state.finished?.reason, 'budget-rollouts');
      const last = state.summaries.length;
      const waiting = state.late.get(last) ?? [];
      assert.ok(waiting.length > 0);
      const left = new LeftOut();
      const items = await all(agentItems(reader, base, { leave: left.leave }));
      const told = left.lines.find(({ reason }) => reason === 'late');
      const valid = traces.filter(
        ({ purpose, task, epoch, verdict }) =>
          purpose === 'train' && epoch === last && verdict.valid && waiting.includes(task),
      );
      assert.equal(told?.count, valid.length);
      assert.match(told.why, /late \(rollouts\.late\)/);
      const exported = items.filter(({ kind }) => kind === 'trace').length;
      assert.equal(exported, state.pools.agentTraces);
      const ahead = traces.filter(
        ({ purpose, epoch, verdict }) => purpose === 'train' && epoch > last && verdict.valid,
      );
      assert.equal(left.lines.find(({ reason }) => reason === 'unfinished')?.count, ahead.length);
      const { traces: rows } = await reader.rows();
      const isOut = notPooled(state, rows);
      const columns = await reader.columns();
      const pooled = Array.from({ length: rows.count }, (_, row) => row).filter(
        (row) => columns.purpose[row] === 0 && columns.valid[row] === 1 && !isOut(row),
      );
      assert.equal(pooled.length, state.pools.agentTraces);
      assert.ok(events.length > 0);
    }));

  it('export advantages of each group by itself, by the settings of the epoch that learned from it', () =>
    withRun(drawnAgain(), async (reader, { events, traces, state }) => {
      const asked: JournalEvent = {
        ...{ v: 1, seq: 0, at: 0, type: 'settings.changed', epoch: 3, author: 'me' },
        changes: [{ field: 'agent.advantageNorm', from: 'group-std', to: 'none' }],
      };
      const changed = events.flatMap((event) =>
        event.type === 'epoch.started' && event.epoch === 3 ? [asked, event] : [event],
      );
      const source = {
        ...{ dir: reader.dir, manifest: reader.manifest, events: () => fromArray(changed) },
        ...{ traces: () => reader.traces(), task: (id: string) => reader.task(id) },
      };
      const untold = { leave: () => undefined, warn: () => undefined };
      const ask = { source, given: base, part: {}, posing: ({ prompt }: Task) => prompt, ...untold };
      let late = 0;
      for await (const row of poolRows({ pool: 'agent', format: 'tinker', rows: 'attempts' }, ask)) {
        const { trace: id, datum } = attemptDatumSchema.parse(row);
        const trace = traces.find((one) => one.id === id);
        assert.ok(trace !== undefined);
        const learned = countedIn(state.late, trace);
        const rewards = traces
          .filter(({ purpose, task, epoch }) => purpose === 'train' && task === trace.task && epoch === trace.epoch)
          .map(({ verdict }) => verdict.reward);
        const [at] = groupAdvantages(
          [trace.verdict.reward, ...without(rewards, trace.verdict.reward)],
          learned < 3 ? 'group-std' : 'none',
        );
        const told = datum.loss_fn_inputs['advantages']?.data.find((value) => value !== 0);
        assert.ok(at !== undefined && told !== undefined && Math.abs(told - at) < 1e-6, `${id}: ${told}, not ${at}`);
        if (learned === 3 && trace.epoch === 2) late += 1;
      }
      assert.ok(late > 0);
    }));
});

function without(rewards: readonly number[], one: number): number[] {
  const at = rewards.indexOf(one);
  return rewards.filter((_, i) => i !== at);
}
