/** The state that the phases share when a run begins or continues. */
import assert from 'node:assert/strict';
import { openLoop } from '../../../src/engine/openLoop.ts';
import type { Ports } from '../../../src/engine/ports.ts';
import { applyEvent, emptyState, type RunState } from '../../../src/engine/state.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { journalOf } from '../../support/journal.ts';
import { makeTask, makeTrace } from '../../support/runs/records.ts';
import { LadderDomain, LadderScorer, user } from '../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';

const version = { name: 'agent@0', handle: 'h' };

/** A policy that notes its name when it is let go of. */
function noting(name: string, disposed: string[]): ScriptedPolicy {
  const policy = new ScriptedPolicy('agent', 4);
  policy.dispose = () => Promise.resolve(void disposed.push(name));
  return policy;
}

interface Setup {
  tasks?: readonly Task[];
  traces?: readonly Trace[];
  duplicates?: 'epoch' | 'run';
  state?: RunState;
}

async function opening({ tasks = [], traces = [], duplicates = 'epoch', state = emptyState }: Setup = {}) {
  const [reads, disposed]: [number[], string[]] = [[], []];
  const [agent, environment] = [noting('given agent', disposed), noting('given environment', disposed)];
  const ports: Ports = {
    ...{ agent, environment, domain: new LadderDomain(), scorer: new LadderScorer() },
    journal: { append: () => Promise.resolve() },
    records: {
      appendTasks: () => Promise.resolve(),
      appendTraces: () => Promise.resolve(),
      tasksOf: (epoch) => {
        reads.push(epoch);
        return Promise.resolve(tasks.filter((task) => task.epoch === epoch));
      },
      tracesOf: (epoch) => Promise.resolve(traces.filter((trace) => trace.epoch === epoch)),
      appendCompletions: () => Promise.resolve(),
      completionsOf: () => Promise.resolve([]),
    },
    clock: { now: () => 0 },
    log: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
  };
  const initial = { policy: noting('initial', disposed), version };
  const open = await openLoop(smallExperiment({ generation: { duplicates } }), ports, state, {
    agent: { policy: noting('restored', disposed), version, updates: 1, initial },
    environment: { policy: environment, version, updates: 0, initial: { policy: environment, version } },
  });
  return { ...open, reads, disposed, domain: ports.domain };
}

const written = (id: string, epoch: number, status: Task['status'] = 'accepted'): Task =>
  makeTask({ id, epoch, status, prompt: [user(`climb ${id}`)] });

describe('what the phases share', () => {
  it('has in an epoch’s pool the accepted tasks with a valid attempt of training that was judged', async () => {
    const verdict = { success: false, reward: 0, valid: true };
    const of = (task: string, over: Partial<Trace> = {}): Trace =>
      makeTrace({ id: `e1/${task}`, task, epoch: 1, purpose: 'train', verdict, ...over });
    const { loop } = await opening({
      tasks: [
        ...['good', 'measured', 'invalid', 'broken', 'unattempted'].map((id) => written(id, 1)),
        written('rejected', 1, 'rejected'),
      ],
      traces: [
        of('good'),
        of('rejected'),
        of('measured', { purpose: 'validation' }),
        of('invalid', { verdict: { ...verdict, valid: false } }),
        of('broken', { verdict: { ...verdict, error: 'no checker' } }),
      ],
    });
    assert.deepEqual(
      (await loop.poolOf(1)).map(({ id }) => id),
      ['good'],
    );
  });

  it('knows what earlier epochs wrote where the whole run is looked at for duplicates', async () => {
    const finished = journalOf([{ successes: 5, attempts: 20 }]).slice(0, -1);
    const generated = (epoch: number) => ({
      ...{ v: 1 as const, seq: 0, at: 0, type: 'tasks.generated' as const, epoch, families: 1, written: 1 },
      ...{ accepted: 1, rejected: {}, tokens: 1, taskLength: null, seconds: 1 },
    });
    const start = finished.find(({ type }) => type === 'epoch.started');
    assert.ok(start?.type === 'epoch.started');
    const state = [...finished, { ...start, epoch: 2 }, generated(2)].reduce(applyEvent, emptyState);
    const tasks = [written('one', 1), written('no', 1, 'rejected'), written('two', 2)];
    const base = new LadderDomain().seeds('base').length;
    const run = await opening({ tasks, duplicates: 'run', state });
    const seen = tasks.filter((task) => run.loop.seen.has(run.domain.fingerprint(task)));
    assert.deepEqual(
      seen.map(({ id }) => id),
      ['one', 'two'],
    );
    assert.equal(run.loop.seen.size, base + 2);
    assert.equal((await opening({ tasks, duplicates: 'epoch', state })).loop.seen.size, base);
    const begun = [...finished, { ...start, epoch: 2 }].reduce(applyEvent, emptyState);
    assert.equal((await opening({ tasks, duplicates: 'run', state: begun })).loop.seen.size, base + 1);
  });

  it('holds back what validation asks', async () => {
    const { loop, domain } = await opening();
    assert.deepEqual(
      [...loop.heldOut],
      domain.seeds('validation').map((task) => domain.fingerprint(task)),
    );
    const [seed] = domain.seeds('base');
    assert.ok(seed !== undefined && !loop.heldOut.has(domain.fingerprint(seed)));
  });

  it('reads an epoch’s tasks once, again when they were forgotten, and holds the newest seventeen', async () => {
    const { reads, ...open } = await opening();
    const { loop } = open;
    for (let epoch = 1; epoch <= 17; epoch++) await loop.tasksOf(epoch);
    await loop.tasksOf(1);
    assert.equal(reads.length, 17);
    open.enter(2);
    await loop.tasksOf(2);
    assert.equal(reads.length, 17, 'without edits nothing is read again');
    await loop.tasksOf(18);
    await loop.tasksOf(2);
    await loop.tasksOf(1);
    assert.deepEqual(reads.slice(17), [18, 1]);
    loop.forget(18);
    await loop.tasksOf(18);
    assert.deepEqual(reads.slice(17), [18, 1, 18]);
  });

  it('leaves tasks as they are while nothing was edited', async () => {
    const open = await opening();
    const { loop } = open;
    const some = [written('a', 1), written('b', 1, 'rejected')];
    assert.equal(loop.edited(some), some);
    const { base } = loop;
    open.enter(1);
    assert.equal(loop.base, base);
  });

  it('lets go of the policies that it was made with, and not of those that it was given', async () => {
    const { disposed, ...open } = await opening();
    await open.close();
    assert.deepEqual(disposed.toSorted(), ['initial', 'restored']);
  });
});
