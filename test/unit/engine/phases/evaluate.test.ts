import assert from 'node:assert/strict';
import { evaluationLine } from '../../../../src/cli/live/plainLine.ts';
import { evaluatedPass } from '../../../../src/engine/math/evaluatedPass.ts';
import { meanPassAtK } from '../../../../src/engine/math/passAtK.ts';
import { Rng } from '../../../../src/engine/random.ts';
import type { Benchmark, Progress, Scorer } from '../../../../src/engine/ports.ts';
import { eventSchema, type EventOf } from '../../../../src/shared/journal/events.ts';
import { crashAt } from '../../../support/scripted/crashAt.ts';
import { LadderDomain, LadderScorer } from '../../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';
import { unreliable } from '../../../support/scripted/unreliablePolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

/** The ladder's held-out rungs as a benchmark, some of them; two turns each where asked. */
function benchmarkOf(turns = 1): Benchmark {
  const domain = new LadderDomain({ turns });
  const tasks = domain.seeds('validation').slice(6);
  return { name: 'Rungs', rule: 'exact', digest: 'abc', tasks, domain, scorer: new LadderScorer() };
}

const evaluated = (run: MemoryRun): EventOf<'evaluated'>[] => run.events.filter((event) => event.type === 'evaluated');

const experiment = smallExperiment({
  epochs: 5,
  evaluation: { every: 2, adapter: 'rungs', attempts: 3, temperature: 1 },
});

/** Events whose tokens are sampled ones. */
const paidIn = new Set(['tasks.generated', 'rollouts.finished', 'validated', 'evaluated']);

describe('evaluating on a benchmark inside a run', function () {
  this.timeout(240_000);

  it('measures the start, every so many epochs, and the last, with intervals over tasks', async () => {
    const run = await runScripted(experiment, new MemoryRun(), { ports: { benchmark: benchmarkOf() } });
    assert.deepEqual(
      evaluated(run).map(({ epoch, version, tasks, attempts }) => [epoch, version, tasks, attempts]),
      [
        [0, 'agent@0', 6, 3],
        [2, 'agent@2', 6, 3],
        [4, 'agent@4', 6, 3],
        [5, 'agent@5', 6, 3],
      ],
    );
    for (const event of evaluated(run)) {
      assert.deepEqual(eventSchema.parse(JSON.parse(JSON.stringify(event))), event);
      const own = run.traces.filter(({ purpose, epoch }) => purpose === 'benchmark' && epoch === event.epoch);
      assert.equal(own.length, 18);
      assert.ok(own.every(({ id, version }) => id.startsWith(`b${event.epoch}/`) && version === event.version));
      const right = own.filter(({ verdict }) => verdict.success).length;
      const [first, all] = event.pass;
      assert.equal(first?.k, 1);
      assert.equal(all?.k, 3);
      assert.ok(Math.abs((first.value ?? NaN) - right / 18) < 1e-12);
      assert.ok((all.value ?? NaN) >= (first.value ?? NaN));
      assert.ok(first.low <= (first.value ?? NaN) && (first.value ?? NaN) <= first.high);
      assert.equal(event.outcomes.length, 6);
      assert.ok(own.every(({ sequences }) => sequences.every(({ tokens }) => tokens.length === 0)));
      assert.equal('unanswered' in event, false);
    }
    const ofEpoch = run.events.filter((event) => 'epoch' in event && event.epoch === 2);
    const spent = ofEpoch.reduce(
      (sum, event) => sum + (paidIn.has(event.type) && 'tokens' in event ? Number(event.tokens) : 0),
      0,
    );
    const summary = ofEpoch.at(-1);
    assert.equal(summary?.type === 'epoch.finished' ? summary.summary.tokens : null, spent);
  });

  it('leaves everything else of the run as it is without it', async () => {
    const without = await runScripted(smallExperiment({ epochs: 5 }));
    const run = await runScripted(experiment, new MemoryRun(), { ports: { benchmark: benchmarkOf() } });
    const others = run.events.filter(({ type }) => type !== 'evaluated' && type !== 'epoch.finished');
    assert.deepEqual(
      others.map((event) => ({ ...event, seq: 0 })),
      without.events.filter(({ type }) => type !== 'epoch.finished').map((event) => ({ ...event, seq: 0 })),
    );
    assert.deepEqual(
      run.traces.filter(({ purpose }) => purpose !== 'benchmark'),
      without.traces,
    );
  });

  it('is not made where no benchmark is there, or every is 0', async () => {
    const none = await runScripted(smallExperiment(), new MemoryRun(), { ports: { benchmark: benchmarkOf() } });
    assert.deepEqual(evaluated(none), []);
    assert.deepEqual(evaluated(await runScripted(experiment)), []);
  });

  for (const turns of [1, 2]) {
    it(`a run killed anywhere in it ends the same and pays for nothing twice, tasks of ${turns} turns`, async () => {
      const options = { ports: { benchmark: benchmarkOf(turns) } };
      const whole = await runScripted(experiment, new MemoryRun(), options);
      const order = [...Array.from({ length: whole.events.length + whole.tasks.length + whole.traces.length }).keys()];
      const inside = order.filter((at) => at < 60 || at % 3 === 0);
      for (const at of Rng.from('crash', 'evaluate', turns).shuffle(inside).slice(0, 30)) {
        const crashed = await crashAt(experiment, at, options);
        const [paid, billed] = [crashed.traces.length, crashed.bill.samples.length];
        await runScripted(experiment, crashed, options);
        assert.equal(crashed.text, whole.text, `journal after a crash before append ${at}`);
        assert.deepEqual(crashed.traces, whole.traces);
        assert.ok(crashed.bill.samples.length - billed <= whole.bill.samples.length - (turns === 1 ? paid : 0));
      }
    });
  }

  it('counts as wrong what was not answered, and tells what was answered and what was drawn', async () => {
    const benchmark = { ...benchmarkOf(), data: { of: 9, whole: false } };
    const refused = benchmark.tasks.slice(0, 2).map(({ id }) => id);
    const run = new MemoryRun();
    const agent = unreliable(new ScriptedPolicy('agent', 4, run.checkpoints.agent, run.bill), {
      fails: (id) => (refused.some((task) => id.startsWith(`${task}#`)) ? 'The prompt is too long.' : null),
    });
    await runScripted({ ...experiment, validation: { ...experiment.validation, every: 0 } }, run, {
      ports: { benchmark, agent },
    });
    const [event] = evaluated(run);
    assert.ok(event?.judged !== undefined);
    assert.deepEqual([event.of, event.whole, event.tasks, event.judged.attempts], [9, false, 6, 12]);
    assert.deepEqual(event.unanswered, { count: 6, causes: [{ cause: 'The prompt is too long.', count: 6 }] });
    assert.ok(Math.abs((event.pass[0]?.value ?? NaN) - event.judged.successes / 18) < 1e-12);
    assert.match(event.outcomes, /^--[01]{4}$/);
    assert.deepEqual(evaluatedPass(event).answered, event.judged);
    // Events of older versions: figures over answered attempts, from which the authors' follow.
    const { tasks } = event;
    const older = { tasks, attempts: 1, outcomes: '--1100' };
    const { pass, answered } = evaluatedPass({ ...older, pass: [meanPassAtK([{ attempts: 4, successes: 2 }], 1)] });
    assert.deepEqual([pass[0]?.value, pass[0]?.tasks, answered], [2 / 6, 6, { attempts: 4, successes: 2 }]);
    const told = [meanPassAtK([{ attempts: 6, successes: 3 }], 1)];
    for (const [whole, why] of [
      [{ tasks, attempts: 1, outcomes: '111000' }, 'all were answered'],
      [{ tasks, attempts: 3, outcomes: '--1100' }, 'nothing tells what was left out of several attempts'],
      [{ tasks, attempts: 3, outcomes: '111000' }, 'both'],
      [{ tasks, attempts: 2, outcomes: '111000', judged: { attempts: 12, successes: 6 } }, 'all were judged'],
    ] as const) {
      assert.deepEqual(evaluatedPass({ ...whole, pass: told }), { pass: told, answered: null }, why);
    }
    const some = { attempts: 11, successes: 6 };
    const most = evaluatedPass({ tasks, attempts: 2, outcomes: '11100-', judged: some, pass: told });
    assert.deepEqual(most, { pass: told, answered: some });
    assert.match(
      evaluationLine(event),
      /of 6 tasks; a sample of 9; its data is not whole; what was .+ of the 12 answered/,
    );
  });

  it('counts answers that were cut off, and says so', async () => {
    const benchmark = benchmarkOf();
    const cut = benchmark.tasks.slice(0, 2).map(({ id }) => `${id}#1`);
    const run = new MemoryRun();
    const agent = unreliable(new ScriptedPolicy('agent', 4, run.checkpoints.agent, run.bill), {
      isCut: (id) => cut.includes(id),
    });
    await runScripted(experiment, run, { ports: { benchmark, agent } });
    assert.deepEqual(
      evaluated(run).map(({ truncated }) => truncated),
      [2, 2, 2, 2],
    );
    const [event] = evaluated(run);
    assert.ok(event !== undefined);
    assert.match(evaluationLine(event), /; 2 of 18 attempts were cut off at their length \(rollouts\.maxTokens\)$/);
    const { truncated: _, ...older } = event;
    assert.deepEqual(eventSchema.parse(older), older);
    assert.doesNotMatch(evaluationLine(older), /cut off/);
    const none = await runScripted(experiment, new MemoryRun(), { ports: { benchmark } });
    assert.ok(evaluated(none).every(({ truncated }) => truncated === 0));
  });

  it('counts attempts that its checker could not judge, and tells how far it is', async () => {
    const scorer: Scorer = {
      score: (task, trace) =>
        task.gold === '1'
          ? { success: false, reward: 0, valid: false, error: 'The checker divided by zero.' }
          : new LadderScorer().score(task, trace),
    };
    const benchmark = { ...benchmarkOf(), scorer };
    const progress: Progress[] = [];
    const run = await runScripted(experiment, new MemoryRun(), {
      ports: { benchmark },
      onProgress: (now) => progress.push(now),
    });
    assert.ok(evaluated(run).every(({ checkerErrors, judged }) => checkerErrors === 3 && judged?.attempts === 15));
    const told = progress.filter(({ phase, epoch }) => phase === 'evaluate' && epoch === 2);
    assert.deepEqual(
      told.map(({ done, total }) => [done, total]),
      Array.from({ length: 18 }, (_, i) => [i + 1, 18]),
    );
  });

  it('is judged by the benchmark’s own scorer, whoever judges the training', async () => {
    const judge = {
      judge: () => Promise.resolve({ success: false, reward: 0, valid: true }),
    };
    const run = await runScripted(experiment, new MemoryRun(), { ports: { benchmark: benchmarkOf(), judge } });
    assert.ok(run.traces.some(({ purpose, verdict }) => purpose === 'benchmark' && verdict.success));
    assert.ok(run.traces.every(({ purpose, verdict }) => purpose === 'benchmark' || !verdict.success));
  });
});
