/** Groups that are not complete when their epoch is learned from, and count in the next one (`rollouts.late`). */
import assert from 'node:assert/strict';
import type { Ports } from '../../../src/engine/ports.ts';
import { Rng } from '../../../src/engine/random.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { countsIn } from '../../../src/shared/journal/counted.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { OutOfOrder } from '../../support/scripted/outOfOrder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { unreliable } from '../../support/scripted/unreliablePolicy.ts';
import { MemoryRun, runScripted, smallExperiment, type RunOptions } from '../../support/scripted/scriptedRun.ts';

type Overrides = Parameters<typeof smallExperiment>[0] & object;

const ofType = <T extends JournalEvent['type']>({ events }: MemoryRun, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

const byId = <T extends { id: string }>(records: readonly T[]): T[] =>
  records.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const late = (more: Overrides = {}): Experiment =>
  smallExperiment({
    epochs: 5,
    ...more,
    generation: { families: 4, ...more.generation },
    rollouts: { staleness: 1, late: 0.5, baseShare: 0.25, poolShare: 0.25, ...more.rollouts },
  });

const outOfOrder = (run: MemoryRun): Partial<Ports> => ({ agent: new OutOfOrder('agent', 4, run.checkpoints.agent) });

const trained = ({ traces }: MemoryRun, epoch: number): Trace[] =>
  traces.filter((trace) => trace.epoch === epoch && trace.purpose === 'train');

/** Tasks of the last units to be complete, by the order of the records alone: half of each kind. */
function lastComplete(run: MemoryRun, epoch: number, { mode, rollouts: { group } }: Experiment): Set<string> {
  const traces = trained(run, epoch);
  const written = (task: string): boolean => task.startsWith(mode === 'static' ? 'e1.' : `e${epoch}.`);
  const unitOf = ({ task, family }: Trace): string => (written(task) ? family : task);
  const units = Map.groupBy(traces, unitOf);
  const order = [...units]
    .map(([unit, own]) => ({ unit, own, at: traces.lastIndexOf(own.at(-1) ?? assert.fail()) }))
    .sort((a, b) => a.at - b.at);
  const out = new Set<string>();
  for (const kind of [true, false]) {
    const own = order.filter(({ unit }) => written(unit) === kind);
    const tasks = own.reduce((sum, one) => sum + one.own.length / group, 0);
    let left = Math.ceil(tasks / 2);
    for (const one of own) {
      if (left <= 0) for (const { task } of one.own) out.add(task);
      left -= one.own.length / group;
    }
  }
  return out;
}

/** Every attempt counts once: in its own epoch, or where its group was late in the next. */
function assertCounted(run: MemoryRun, experiment: Experiment): void {
  const { epochs, rollouts } = experiment;
  const { group } = rollouts;
  let before: Trace[] = [];
  let lateOnes = new Set<string>();
  for (const event of ofType(run, 'rollouts.finished')) {
    const own = trained(run, event.epoch);
    assert.equal(new Set(own.map(({ id }) => id)).size, own.length, 'none is made twice');
    const now = new Set(event.late);
    assert.deepEqual(now, event.epoch === epochs ? new Set() : lastComplete(run, event.epoch, experiment));
    const counted = [...before.filter(({ task }) => lateOnes.has(task)), ...own.filter(({ task }) => !now.has(task))];
    assert.equal(event.rollouts, counted.length, `epoch ${event.epoch}`);
    assert.equal(event.tasks * group, counted.length);
    const families = ofType(run, 'families.scored').find(({ epoch }) => epoch === event.epoch)?.families ?? [];
    for (const { tasks } of families) {
      for (const { id, successes, attempts } of tasks) {
        const traces = counted.filter(({ task }) => task === id);
        assert.equal(attempts, traces.length, id);
        assert.equal(successes, traces.filter(({ verdict }) => verdict.success).length, id);
      }
    }
    [before, lateOnes] = [own, now];
  }
  assert.equal(run.state.spent.rollouts, run.traces.filter(({ purpose }) => purpose === 'train').length);
}

async function resumesEverywhere(experiment: Experiment, options: RunOptions = {}): Promise<MemoryRun> {
  const whole = await runScripted(experiment, new MemoryRun(), options);
  const appends = whole.events.length + whole.tasks.length + whole.traces.length;
  const moments = Rng.from('late', experiment.mode, experiment.rollouts.staleness).shuffle(
    Array.from({ length: appends }, (_, i) => i),
  );
  for (const at of moments.slice(0, 20)) {
    const crashed = await crashAt(experiment, at, options);
    await runScripted(experiment, crashed, options);
    assert.ok(crashed.text === whole.text, `journal after a crash before append ${at}`);
    assert.deepEqual(byId(crashed.traces), byId(whole.traces), `attempts after a crash before append ${at}`);
  }
  return whole;
}

describe('late groups', () => {
  it('are the last to be complete, and count in the next epoch', async () => {
    const experiment = late();
    const run = await runScripted(experiment);
    const rounds = ofType(run, 'rollouts.finished');
    assert.ok(rounds.slice(0, -1).every((round) => (round.late?.length ?? 0) > 0));
    assert.equal(rounds.at(-1)?.late, undefined, 'the last epoch waits for all');
    assertCounted(run, experiment);
  });

  it('are learned from by both policies', async () => {
    const run = await runScripted(late({ curriculum: { filter: 'off' } }));
    const usual = await runScripted(late({ curriculum: { filter: 'off' }, rollouts: { late: 0 } }));
    const scored = ofType(run, 'families.scored');
    for (const { epoch, families } of scored.slice(1)) {
      const origins = new Set(families.map(({ id }) => id.slice(0, id.indexOf('.'))));
      assert.deepEqual(origins, new Set([`e${epoch - 1}`, `e${epoch}`]));
    }
    const [first] = ofType(run, 'agent.updated');
    const [whole] = ofType(usual, 'agent.updated');
    assert.ok((first?.sequences ?? Infinity) < (whole?.sequences ?? 0), 'the first update has fewer');
    const sum = (of: MemoryRun): number =>
      ofType(of, 'environment.updated').reduce((all, event) => all + event.sequences, 0);
    assert.ok(sum(run) > 0);
    const learned = ofType(run, 'environment.updated').map(({ families }) => families);
    const counted = scored.map(({ families }) => families.length);
    for (const [i, families] of learned.entries()) assert.ok(families >= (counted[i] ?? Infinity), 'texts are found');
  });

  it('join the pool with the epoch in which they count, each once', async () => {
    const run = await runScripted(late({ epochs: 6 }));
    const grown = ofType(run, 'pools.grown');
    const valid = (task: string): boolean =>
      run.traces.some((trace) => trace.task === task && trace.purpose === 'train' && trace.verdict.valid);
    const pooled = run.tasks.filter(({ id, status }) => status === 'accepted' && valid(id));
    assert.equal(grown.at(-1)?.agent.tasks, pooled.length);
    let drawn = 0;
    for (const { task, epoch, purpose } of run.traces) {
      const written = /^e(\d+)\./.exec(task)?.[1];
      if (purpose !== 'train' || written === undefined || Number(written) === epoch) continue;
      drawn += 1;
      const isLate = ofType(run, 'rollouts.finished')[Number(written) - 1]?.late?.includes(task) === true;
      assert.ok(Number(written) + Number(isLate) < Math.max(1, epoch - 1), `${task} is drawn in epoch ${epoch}`);
    }
    assert.ok(drawn > 0);
  });

  it('of an epoch that a branch shares count in its first own one, whatever it would have drawn itself', async () => {
    const parent = new MemoryRun();
    await runScripted(late(), parent, { ports: outOfOrder(parent) });
    const end = parent.events.findIndex((event) => event.type === 'epoch.finished' && event.epoch === 3) + 1;
    const others = [
      { seed: 9 },
      { generation: { families: 2 } },
      { mode: 'random' as const },
      { rollouts: { late: 0 } },
      { rollouts: { staleness: 0 } },
      { rollouts: { staleness: 0, late: 0, batch: 8 } },
      { rollouts: { group: 2 } },
      { rollouts: { group: 6 } },
      { rollouts: { staleness: 0, group: 2 } },
    ];
    for (const changed of others) {
      const branch = parent.cut(end, 0, 0);
      branch.tasks = parent.tasks.filter(({ epoch }) => epoch <= 3);
      branch.traces = parent.traces.filter(({ epoch }) => epoch <= 3);
      await runScripted(late(changed), branch, { ports: { ...outOfOrder(branch), shared: 3 } });
      const [shared, own] = ofType(branch, 'rollouts.finished').slice(2);
      const attempted = new Set(trained(branch, 4).map(({ task }) => task)).size;
      const before = shared?.late?.length ?? 0;
      assert.ok(before > 0);
      const rounds = ofType(branch, 'rollouts.finished').filter(({ epoch }) => epoch === 4);
      const tasks = rounds.reduce((sum, round) => sum + round.tasks, 0);
      assert.equal(tasks, before + attempted - (own?.late?.length ?? 0), JSON.stringify(changed));
      const counts = countsIn(branch.state.late, 4);
      const made = branch.traces.filter((trace) => trace.purpose === 'train' && counts(trace)).length;
      const counted = rounds.reduce((sum, round) => sum + round.rollouts, 0);
      assert.equal(counted, made, JSON.stringify(changed));
      const { agent } = ofType(branch, 'pools.grown')[3] ?? assert.fail();
      const pooled = branch.traces.filter((trace) => trace.purpose === 'train' && counts(trace) && trace.verdict.valid);
      assert.equal(agent.addedTraces, pooled.length, JSON.stringify(changed));
    }
  });

  it('of a parent count once in a branch of staleness 0 that is killed', async () => {
    const parent = new MemoryRun();
    await runScripted(late(), parent);
    const end = parent.events.findIndex((event) => event.type === 'epoch.finished' && event.epoch === 3) + 1;
    const experiment = late({ rollouts: { staleness: 0, group: 2 } });
    const begun = (): MemoryRun => {
      const branch = parent.cut(end, 0, 0);
      branch.tasks = parent.tasks.filter(({ epoch }) => epoch <= 3);
      branch.traces = parent.traces.filter(({ epoch }) => epoch <= 3);
      return branch;
    };
    let appends = 0;
    const counting = (): void => void (appends += 1);
    const whole = await runScripted(experiment, begun(), { ports: { shared: 3 }, beforeAppend: counting });
    for (let at = 0; at < appends; at += 3) {
      const branch = begun();
      let done = 0;
      const beforeAppend = (): void => {
        if (done++ === at) throw new Error('killed');
      };
      await assert.rejects(runScripted(experiment, branch, { ports: { shared: 3 }, beforeAppend }), /killed/);
      await runScripted(experiment, branch, { ports: { shared: 3 } });
      assert.equal(branch.text, whole.text, `killed before append ${at}`);
    }
  });

  it('of a task that is drawn again have p̂ over both, and advantages of their own', async () => {
    const experiment = late({ mode: 'static', generation: { staticFamilies: 4, staticVariations: 2, families: 4 } });
    const run = await runScripted(experiment);
    const { group } = experiment.rollouts;
    const doubled = ofType(run, 'families.scored').flatMap(({ families }) =>
      families.flatMap(({ tasks }) => tasks.filter(({ attempts }) => attempts === 2 * group)),
    );
    assert.ok(doubled.length > 0);
    for (const { epoch, groups } of ofType(run, 'agent.updated')) {
      const { solved, hopeless, trained, broken } = groups;
      const tasks = ofType(run, 'rollouts.finished').find((event) => event.epoch === epoch)?.tasks;
      assert.equal(solved + hopeless + trained + broken, tasks);
    }
    assertCounted(run, experiment);
  });

  it('that are not answered are counted once, in the epoch in which they count', async () => {
    const agent = unreliable(new ScriptedPolicy('agent', 4), {
      fails: (id) => (/\.f3\.v0(\.a\d)?#1$/.test(id) ? 'not this one' : null),
    });
    const experiment = late({ rollouts: { minGroup: 2, baseShare: 0, poolShare: 0 }, validation: { every: 0 } });
    const run = await runScripted(experiment, new MemoryRun(), { ports: { agent } });
    const unanswered = ofType(run, 'rollouts.finished').map((event) => event.unanswered?.count ?? 0);
    assert.equal(
      unanswered.reduce((a, b) => a + b),
      experiment.epochs,
    );
  });

  it('0 lets epochs wait for all, as does staleness 0', async () => {
    const usual = await runScripted(late({ rollouts: { late: 0 } }));
    assert.ok(ofType(usual, 'rollouts.finished').every((round) => round.late === undefined));
    const strict = await runScripted(late({ rollouts: { staleness: 0 } }));
    const without = await runScripted(late({ rollouts: { staleness: 0, late: 0 } }));
    assert.equal(strict.text, without.text);
  });

  for (const [name, more, options] of [
    ['a run', {}, {}],
    ['one that samples two epochs early', { rollouts: { staleness: 2 } }, {}],
    [
      'one that samples three early, with a KL and GRPO for the environment',
      {
        rollouts: { staleness: 3 },
        environment: { update: 'grpo' },
        curriculum: { filter: 'off', scope: 'task' },
      },
      {},
    ],
    ['one in mode random', { mode: 'random' }, {}],
    ['one of given tasks', { mode: 'static' }, {}],
    ['one of several turns', { rollouts: { maxTurns: 3 } }, { ports: { domain: new LadderDomain({ turns: 2 }) } }],
    ['one with the longest first', { rollouts: { order: 'longest' } }, {}],
  ] satisfies [string, Overrides, RunOptions][]) {
    it(`${name} continues after a crash to the same journal and attempts`, async () => {
      const experiment = late(more);
      const whole = await resumesEverywhere(experiment, options);
      assert.ok(whole.text.includes('"late":['));
      assertCounted(whole, experiment);
    });
  }

  it('are those that the records say, where an endpoint answers out of order, also after a crash', async () => {
    const experiment = late();
    const whole = new MemoryRun();
    await runScripted(experiment, whole, { ports: outOfOrder(whole) });
    assertCounted(whole, experiment);
    const appends = whole.events.length + whole.tasks.length + whole.traces.length;
    const moments = Rng.from('crash').shuffle(Array.from({ length: appends }, (_, i) => i));
    for (const at of moments.slice(0, 20)) {
      const crashed = await crashAt(experiment, at, (run) => ({ ports: outOfOrder(run) }));
      await runScripted(experiment, crashed, { ports: outOfOrder(crashed) });
      assertCounted(crashed, experiment);
    }
  });
});
