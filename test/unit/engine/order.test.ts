/** Attempts that begin with the longest expected (`rollouts.order`). */
import assert from 'node:assert/strict';
import { Rng } from '../../../src/engine/random.ts';
import { withLengths } from '../../../src/engine/order/answerLengths.ts';
import { expectedLength, longestFirst } from '../../../src/engine/order/expectedLength.ts';
import { lengthsOf } from '../../../src/engine/order/measuredLengths.ts';
import type { SampleRequest, PolicyVersion } from '../../../src/engine/ports.ts';
import { emptyState } from '../../../src/engine/state.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { makeTrace } from '../../support/runs/records.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment, type RunOptions } from '../../support/scripted/scriptedRun.ts';

type Overrides = Parameters<typeof smallExperiment>[0] & object;

const ordered = (order: Experiment['rollouts']['order'], more: Overrides = {}): Experiment =>
  smallExperiment({ epochs: 4, ...more, rollouts: { poolShare: 0.2, ...more.rollouts, order } });

const byId = <T extends { id: string }>(records: readonly T[]): T[] =>
  records.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** The journal without what the order itself adds. */
const withoutLengths = (run: MemoryRun): unknown[] =>
  run.events.map((event) => ({ ...event, ...(event.type === 'rollouts.finished' && { lengths: undefined }) }));

/** Answers in no order, and keeps what it was asked for. */
class Watched extends ScriptedPolicy {
  override readonly capabilities = { ...new ScriptedPolicy('agent', 0).capabilities, deterministic: false };
  readonly asked: SampleRequest[] = [];

  override sample(version: PolicyVersion, requests: readonly SampleRequest[], signal: AbortSignal) {
    this.asked.push(...requests);
    return super.sample(version, requests, signal);
  }
}

const task = (id: string, seed: string | null, characters = 1): Task => ({
  ...{ v: 1, id, family: id, epoch: 1, origin: 'generated', seed, status: 'accepted', plan: '', complexity: {} },
  ...{ prompt: [{ role: 'user', content: 'x'.repeat(characters) }], evaluation: { kind: 'none' }, gold: null },
});

function expectedAt(epoch: number, lengths: Record<number, Record<string, number>>) {
  const known = Object.entries(lengths).map(([at, own]) => ({
    epoch: Number(at),
    lengths: Object.entries(own).map(([seed, tokens]) => ({ seed, tokens })),
  }));
  const state = { lengths: known.reduce(withLengths, emptyState.lengths) };
  const expected = expectedLength({ experiment: ordered('longest'), state }, epoch);
  assert.ok(expected !== undefined);
  return expected;
}

describe('the expected length of an answer', () => {
  it('is that of the newest answers to tasks of the same base task', () => {
    const expected = expectedAt(4, { 1: { 'base.1': 900, 'base.2': 30 }, 3: { 'base.1': 100, 'base.3': 50 } });
    assert.equal(expected(task('e4.f0.v0', 'base.1')), 100);
    assert.equal(expected(task('base.2', null)), 30);
    assert.equal(expected(task('base.7', null)), (900 + 30 + 100 + 50) / 4, 'the mean where nothing is known');
  });

  it('of a base task is its own, whatever its file names as its seed in another run', () => {
    const given: Task = { ...task('base.e1.f0.v0', 'base.1'), origin: 'base' };
    const expected = expectedAt(2, { 1: { 'base.1': 900, [given.id]: 40 } });
    assert.equal(expected(given), 40);
    assert.equal(expected(task('e2.f0.v0', given.id)), 40);
    const traces = [
      makeTrace({ task: given.id, sequences: [{ tokens: [1, 2, 3], logprobs: [0, 0], spans: [[1, 3]] }] }),
    ];
    assert.deepEqual(lengthsOf([{ task: given, traces }]), [{ seed: given.id, tokens: 2 }]);
  });

  it('is that of the prompt before anything is known', () => {
    const tasks = [task('a', null, 3), task('b', null, 9), task('c', null, 5)];
    assert.deepEqual(
      longestFirst(tasks, expectedAt(1, {})).map(({ id }) => id),
      ['b', 'c', 'a'],
    );
  });

  it('looks back eight epochs, so that a resumed run expects the same', () => {
    const lengths = { 1: { 'base.1': 7 }, 2: { 'base.2': 5 } };
    assert.equal(expectedAt(9, lengths)(task('base.1', null)), 7);
    assert.equal(expectedAt(10, lengths)(task('base.1', null)), 5);
  });

  it('keeps equals as they were', () => {
    const tasks = [task('a', null), task('b', null), task('c', 'base.1')];
    const expected = expectedAt(2, { 1: { 'base.1': 7, 'base.2': 1 } });
    assert.deepEqual(
      longestFirst(tasks, expected).map(({ id }) => id),
      ['c', 'a', 'b'],
    );
    assert.equal(longestFirst(tasks, undefined), tasks);
  });
});

describe('attempts with the longest first', () => {
  for (const [name, more, options] of [
    ['', {}, {}],
    [' of several turns', { rollouts: { maxTurns: 3 } }, { ports: { domain: new LadderDomain({ turns: 2 }) } }],
    [' that are sampled early', { rollouts: { staleness: 2 } }, {}],
    [' in rounds', { rollouts: { batch: 4 } }, {}],
  ] satisfies [string, Overrides, RunOptions][]) {
    it(`leave the same run${name} as in the order drawn`, async () => {
      const drawn = await runScripted(ordered('drawn', more), new MemoryRun(), options);
      const longest = await runScripted(ordered('longest', more), new MemoryRun(), options);
      assert.deepEqual(byId(longest.traces), byId(drawn.traces));
      assert.deepEqual(longest.tasks, drawn.tasks);
      assert.deepEqual(
        JSON.parse(JSON.stringify(withoutLengths(longest))),
        JSON.parse(JSON.stringify(withoutLengths(drawn))),
      );
      assert.notDeepEqual(longest.traces, drawn.traces, 'they began in another order');
    });

    it(`continue${name} after a crash to the same journal and records`, async () => {
      const experiment = ordered('longest', more);
      const whole = await runScripted(experiment, new MemoryRun(), options);
      const appends = whole.events.length + whole.tasks.length + whole.traces.length;
      const moments = Rng.from('crash', name).shuffle(Array.from({ length: appends }, (_, i) => i));
      for (const at of moments.slice(0, 30)) {
        const crashed = await crashAt(experiment, at, options);
        await runScripted(experiment, crashed, options);
        assert.ok(crashed.text === whole.text, `journal after a crash before append ${at}`);
        assert.deepEqual(byId(crashed.traces), byId(whole.traces), `attempts after a crash before append ${at}`);
      }
    });
  }

  it('are asked for in that order, and say what is expected, also beside the writing', async () => {
    const agent = new Watched('agent', 4);
    const experiment = ordered('longest', { generation: { families: 6 }, validation: { every: 0 } });
    const run = await runScripted(experiment, new MemoryRun(), { ports: { agent } });
    const drawn = await runScripted(ordered('drawn', { generation: { families: 6 }, validation: { every: 0 } }));
    assert.deepEqual(byId(run.traces), byId(drawn.traces));
    assert.ok(agent.asked.every(({ urgency }) => urgency !== undefined));
    const generated = run.events.filter(({ type }) => type === 'tasks.generated').length;
    assert.equal(generated, 4);
    const last = agent.asked.filter(({ id }) => run.traces.some((one) => one.epoch === 4 && one.task === id));
    const mixed = last.filter(({ id }) => !id.startsWith('e4.')).map(({ urgency = 0 }) => urgency);
    assert.deepEqual(
      mixed,
      mixed.toSorted((a, b) => b - a),
    );
    assert.ok(new Set(mixed).size > 1, 'lengths differ');
  });

  for (const order of ['drawn', 'longest'] as const) {
    it(`goes after the older epoch where another is sampled early, as ${order}`, async () => {
      const [agent, environment] = [new Watched('agent', 4), new Watched('environment', 5.4)];
      const experiment = ordered(order, { rollouts: { staleness: 1, poolShare: 0 }, validation: { every: 0 } });
      await runScripted(experiment, new MemoryRun(), { ports: { agent, environment } });
      for (const { asked } of [agent, environment]) {
        // Texts and tasks that were written for their epoch.
        const urgencies = asked.flatMap(({ id, urgency = -Infinity }) => {
          const epoch = /^e(\d+)/.exec(id)?.[1];
          return epoch === undefined ? [] : [{ epoch: Number(epoch), urgency }];
        });
        const of = (epoch: number): number[] => urgencies.flatMap((one) => (one.epoch === epoch ? [one.urgency] : []));
        for (let epoch = 1; epoch < 4; epoch++) {
          assert.ok(of(epoch).length > 0 && of(epoch + 1).length > 0, `epoch ${epoch}`);
          assert.ok(Math.min(...of(epoch)) > Math.max(...of(epoch + 1)), `epoch ${epoch} goes first`);
        }
      }
    });
  }
});
