/** More groups than a batch needs, of which the first complete ones count (`rollouts.spare`). */
import assert from 'node:assert/strict';
import type { Ports } from '../../../src/engine/ports.ts';
import { Rng } from '../../../src/engine/random.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { madeIn } from '../../../src/shared/journal/dropped.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { usesOf } from '../../../src/shared/money/used.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { OutOfOrder } from '../../support/scripted/outOfOrder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { unreliable } from '../../support/scripted/unreliablePolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';

type Overrides = Parameters<typeof smallExperiment>[0] & object;

const ofType = <T extends JournalEvent['type']>({ events }: MemoryRun, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

const spare = (more: Overrides = {}): Experiment =>
  smallExperiment({
    epochs: 4,
    ...more,
    generation: { families: 4, ...more.generation },
    rollouts: { baseShare: 0.25, poolShare: 0.25, spare: 0.5, ...more.rollouts },
  });

const outOfOrder = (run: MemoryRun): Partial<Ports> => ({ agent: new OutOfOrder('agent', 4, run.checkpoints.agent) });

/** Ids of the tasks that count in an epoch, by the order of the records alone. */
function completeFirst(run: MemoryRun, epoch: number, needed: number, group: number): Set<string> {
  const left = new Map<string, number>();
  const families = Map.groupBy(
    run.tasks.filter((task) => task.epoch === epoch && task.status === 'accepted'),
    ({ family }) => family,
  );
  const counted = new Set<string>();
  for (const { purpose, epoch: at, family } of run.traces) {
    const own = families.get(family);
    if (purpose !== 'train' || at !== epoch || own === undefined) continue;
    const missing = (left.get(family) ?? group * own.length) - 1;
    left.set(family, missing);
    if (missing === 0 && counted.size < needed) for (const { id } of own) counted.add(id);
  }
  return counted;
}

/** A run's journal counts the groups that its records say, and each attempt once. */
function assertCounted(run: MemoryRun, { generation, rollouts: { group } }: Experiment): void {
  const wanted = generation.families * generation.variations;
  for (const { epoch, families } of ofType(run, 'families.scored')) {
    const scored = families.flatMap((family) => family.tasks.map(({ id }) => id));
    assert.deepEqual(new Set(scored), completeFirst(run, epoch, wanted, group), `epoch ${epoch}`);
  }
  for (const { epoch, rollouts, dropped } of ofType(run, 'rollouts.finished')) {
    const traces = run.traces.filter((trace) => trace.epoch === epoch && trace.purpose === 'train');
    assert.equal(new Set(traces.map(({ id }) => id)).size, traces.length, 'none is made twice');
    assert.equal(traces.length, rollouts + (dropped?.attempts ?? 0));
  }
}

describe('spare groups', () => {
  it('are families and mixed tasks beyond the batch, of which the first complete count', async () => {
    const experiment = spare();
    const run = await runScripted(experiment);
    const usual = await runScripted(spare({ rollouts: { spare: 0 } }));
    const wanted = experiment.generation.families * experiment.generation.variations;
    for (const [i, { epoch, tasks, rollouts, dropped }] of ofType(run, 'rollouts.finished').entries()) {
      const accepted = run.tasks.filter((task) => task.epoch === epoch && task.status === 'accepted');
      assert.ok(accepted.length > wanted, `${accepted.length} written`);
      assert.equal(rollouts, tasks * experiment.rollouts.group, 'complete groups alone');
      assert.equal(tasks, ofType(usual, 'rollouts.finished')[i]?.tasks, 'as many as without spare ones');
      const scored = ofType(run, 'families.scored')[i]?.families.flatMap((family) => family.tasks.map(({ id }) => id));
      const expected = completeFirst(run, epoch, wanted, experiment.rollouts.group);
      assert.deepEqual(new Set(scored), expected);
      assert.ok(dropped !== undefined && dropped.groups.length > 0);
      assert.ok(dropped.groups.every(({ task }) => !expected.has(task)));
      const traces = run.traces.filter((trace) => trace.epoch === epoch && trace.purpose === 'train');
      assert.equal(traces.length, rollouts + dropped.attempts, 'every recorded attempt is counted or named');
      assert.equal(dropped.left + dropped.attempts, dropped.groups.length * experiment.rollouts.group);
    }
  });

  it('count in budgets, with what those ended under way likely cost', async () => {
    const run = await runScripted(spare(), new MemoryRun(), { ports: outOfOrder(new MemoryRun()) });
    const rounds = ofType(run, 'rollouts.finished');
    assert.ok(rounds.some(({ dropped }) => (dropped?.likely ?? 0) > 0));
    const traces = run.traces.filter(({ purpose }) => purpose === 'train');
    assert.equal(run.state.spent.rollouts, traces.length);
    for (const round of rounds) {
      const { tokens, dropped } = round;
      assert.equal(madeIn(round).tokens, (tokens ?? NaN) + (dropped?.tokens ?? 0) + (dropped?.likely ?? 0));
      const [use] = usesOf(round);
      assert.equal((use?.prompt ?? 0) + (use?.sampled ?? 0), madeIn(round).tokens);
    }
    const spent = ofType(run, 'epoch.finished').reduce((sum, { summary }) => sum + summary.rollouts, 0);
    assert.equal(spent, run.state.spent.rollouts);
  });

  it('that fell out enter no pool and no update', async () => {
    const run = await runScripted(spare({ epochs: 6 }));
    const written = ofType(run, 'rollouts.finished').flatMap(({ epoch, dropped }) =>
      (dropped?.groups ?? []).flatMap(({ task }) => (task.startsWith(`e${epoch}.`) ? [task] : [])),
    );
    const out = new Set(written);
    assert.ok(out.size > 0);
    let pooled = 0;
    for (const { epoch, task, purpose } of run.traces) {
      if (purpose !== 'train' || task.startsWith(`e${epoch}.`) || !task.startsWith('e')) continue;
      pooled += 1;
      assert.ok(!out.has(task), `${task} is drawn from the pool in epoch ${epoch}`);
    }
    assert.ok(pooled > 0);
    const added = ofType(run, 'pools.grown').map(({ agent }) => agent.addedTasks);
    const scored = ofType(run, 'families.scored').map(({ families }) => families.flatMap(({ tasks }) => tasks).length);
    for (const [i, some] of added.entries()) assert.ok(some <= (scored[i] ?? 0));
  });

  it('tell the expected length of those that count and of those that fell out', async () => {
    const run = await runScripted(spare());
    const [first, ...later] = ofType(run, 'rollouts.finished').map(({ dropped }) => dropped?.expected);
    assert.equal(first, undefined, 'nothing is known yet');
    for (const expected of later) assert.ok(expected !== undefined && expected.counted > 0 && expected.dropped > 0);
  });

  it('fill the places of groups that are not answered', async () => {
    const agent = unreliable(new ScriptedPolicy('agent', 4), {
      fails: (id) => (/\.f1\.v0(\.a\d)?#1$/.test(id) ? 'not this one' : null),
    });
    const experiment = spare({ rollouts: { minGroup: 2, spare: 0.25 }, validation: { every: 0 } });
    const run = await runScripted(experiment, new MemoryRun(), { ports: { agent } });
    for (const { epoch, dropped, unanswered } of ofType(run, 'rollouts.finished')) {
      assert.equal(unanswered?.count ?? 0, 1);
      assert.ok(dropped?.groups.some(({ task }) => task.startsWith(`e${epoch}.f1.v0`)));
    }
  });

  for (const [name, more] of [
    ['one whose endpoint answers in another order', {}],
    ['one that samples early', { rollouts: { staleness: 1 } }],
    ['one with the longest first', { rollouts: { order: 'longest' } }],
  ] satisfies [string, Overrides][]) {
    it(`${name} counts the same groups from the same records, and after a crash those that its records say`, async () => {
      const experiment = spare(more);
      const whole = new MemoryRun();
      const snapshots: MemoryRun[] = [];
      await runScripted(experiment, whole, {
        ports: outOfOrder(whole),
        beforeAppend: (kind, { events, tasks, traces }) => {
          if (kind === 'event' && events.at(-1)?.type === 'tasks.generated')
            snapshots.push(whole.cut(events.length, tasks.length, traces.length));
        },
      });
      assert.equal(snapshots.length, 4);
      for (const resumed of snapshots) {
        const before = resumed.traces.length;
        const epoch = ofType(resumed, 'tasks.generated').at(-1)?.epoch;
        await runScripted(experiment, resumed, { ports: outOfOrder(resumed) });
        const upTo = ({ events }: MemoryRun): JournalEvent[] =>
          events.slice(0, 1 + events.findIndex((one) => one.type === 'epoch.finished' && one.epoch === epoch));
        assert.deepEqual(upTo(resumed), upTo(whole));
        assert.deepEqual(resumed.traces.slice(0, before), whole.traces.slice(0, before));
      }

      const appends = whole.events.length + whole.tasks.length + whole.traces.length;
      for (const at of Rng.from('crash', name)
        .shuffle(Array.from({ length: appends }, (_, i) => i))
        .slice(0, 30)) {
        const crashed = new MemoryRun();
        let done = 0;
        const beforeAppend = (): void => {
          if (done++ >= at) throw new Error('killed');
        };
        await assert.rejects(runScripted(experiment, crashed, { ports: outOfOrder(crashed), beforeAppend }), /killed/);
        await runScripted(experiment, crashed, { ports: outOfOrder(crashed) });
        assertCounted(crashed, experiment);
      }
    });
  }

  for (const [name, more, options = {}] of [
    ['a run', {}],
    ['one in rounds', { rollouts: { batch: 4 } }],
    ['one of several turns', { rollouts: { maxTurns: 3 } }, { turns: 2 }],
    ['one of given tasks', { mode: 'static' }],
  ] satisfies [string, Overrides, { turns?: number }?][]) {
    it(`${name} continues after a crash to the same journal and attempts`, async () => {
      const { turns } = options;
      const portsOf = (): Partial<Ports> => (turns === undefined ? {} : { domain: new LadderDomain({ turns }) });
      const experiment = spare(more);
      const whole = new MemoryRun();
      await runScripted(experiment, whole, { ports: portsOf() });
      assert.ok(whole.text.includes('"dropped"'), 'some fall out');
      const appends = whole.events.length + whole.tasks.length + whole.traces.length;
      const moments = Rng.from('crash', name).shuffle(Array.from({ length: appends }, (_, i) => i));
      for (const at of moments.slice(0, 30)) {
        const crashed = await crashAt(experiment, at, { ports: portsOf() });
        await runScripted(experiment, crashed, { ports: portsOf() });
        assert.equal(crashed.text, whole.text, `journal after a crash before append ${at}`);
        assert.deepEqual(crashed.traces, whole.traces, `attempts after a crash before append ${at}`);
      }
    });
  }
});
