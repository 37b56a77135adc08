import assert from 'node:assert/strict';
import { mkdtemp, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { decidingStep, forkSteps, turnSteps } from '../../../../src/features/reattempt/core/decidingTurn.ts';
import type { ForkAsk } from '../../../../src/features/reattempt/node/forkAt.ts';
import { labelledRun } from '../../../../src/features/labels/node/labelledRun.ts';
import { appendLabel } from '../../../../src/runs/records/labelsFile.ts';
import { traceOfAnyone } from '../../../../src/runs/records/traceOfAnyone.ts';
import { labelVersion } from '../../../../src/shared/records/label.ts';
import { forkSource } from '../../../../src/features/reattempt/node/forkSource.ts';
import { reattempt } from '../../../../src/features/reattempt/node/reattempt.ts';
import { ReattemptError } from '../../../../src/launch/policies/reattemptError.ts';
import { readReattempts } from '../../../../src/runs/records/reattemptsFile.ts';
import { runPaths } from '../../../../src/runs/store/runPaths.ts';
import type { RunReader } from '../../../../src/runs/store/runReader.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { rateOfTraces, ratesOf, type Reattempt } from '../../../../src/shared/records/reattempt.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { launchHere } from '../../../support/launchHere.ts';
import { onlyRun } from '../../../support/runContents.ts';
import { tiny } from '../../../support/tiny.ts';

const clock = { now: () => 1_763_769_600_000 };
const log = { info: () => undefined, warn: () => undefined };
const saidBy = (trace: Pick<Trace, 'messages'>, role: string): number[] =>
  trace.messages.flatMap((message, i) => (message.role === role ? [i] : []));

describe('forks of a trace', function () {
  this.timeout(240_000);
  let root = '';
  let run: RunReader;
  let trace: Trace;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'genenv-fork-'));
    const rollouts = { ...tiny.rollouts, maxTurns: 6 };
    const experiment = resolveExperiment({ version: 1, ...tiny, rollouts });
    const { state } = await launchHere({ root, notes: [] }, { experiment, directory: root }, {});
    assert.equal(state, 'finished');
    run = await new RunStore(root, { clock, log, version: 'test' }).openReader(await onlyRun(root));
    const traces = await run.tracesOf(1);
    const long = traces.find((one) => one.purpose === 'train' && saidBy(one, 'assistant').length >= 3);
    assert.ok(long !== undefined, 'some attempt has three turns of the agent');
    trace = long;
  });
  after(async () => {
    await run.close();
    await rm(root, { recursive: true, force: true });
  });

  const forked = async (ask: Omit<ForkAsk, 'trace'> & { of?: Trace }, version?: string) => {
    const { trace: found, task } = await forkSource(run, (ask.of ?? trace).id);
    return reattempt(
      {
        ...{ agent: { run }, task, edited: null, attempts: 4, author: 'ada' },
        fork: { trace: found, turn: ask.turn, text: ask.text },
        ...(version === undefined ? {} : { version }),
      },
      { dist, clock, log, keys: environmentKeys({}), signal: new AbortController().signal },
    );
  };
  const lines = async (): Promise<number> => (await readReattempts(runPaths(run.dir).reattempts)).reattempts.length;

  it('keep the turns before it, tools included, and sample the rest', async () => {
    const [, second = 0] = saidBy(trace, 'assistant');
    const made = await forked({ turn: second, text: null });
    assert.deepEqual([made.state, made.message, made.traces.after.length], ['finished', null, 4]);
    for (const one of made.traces.after) {
      assert.deepEqual(one.messages.slice(0, second), trace.messages.slice(0, second));
      assert.equal(one.messages[second]?.role, 'assistant');
      // Kept turns were not sampled now: only later ones are spans of this attempt.
      const spans = one.sequences.reduce((sum, { spans: own }) => sum + own.length, 0);
      assert.equal(spans, saidBy(one, 'assistant').length - 1);
    }
    assert.ok(new Set(made.traces.after.map(({ messages }) => JSON.stringify(messages))).size > 1, 'they differ');
    const beside = (await run.attemptsAt(trace.task, 1)).filter(({ purpose }) => purpose === 'train');
    assert.equal(ratesOf(made).before.attempts, beside.length);
  });

  it('read an edited answer of a tool in place of its own', async () => {
    const [tool = 0] = saidBy(trace, 'tool');
    const made = await forked({ turn: tool, text: 'left 99' });
    for (const { messages } of made.traces.after) {
      assert.equal(messages[tool]?.content, 'left 99');
      assert.deepEqual(messages.slice(0, tool), trace.messages.slice(0, tool));
      assert.ok(messages.length > tool + 1);
    }
  });

  it('act on an edited turn of the agent: the tools answer to what it says now', async () => {
    const [first = 0] = saidBy(trace, 'assistant');
    const tools = (await run.task(trace.task))?.tools ?? [];
    const made = await forked({ turn: first, text: `first get ${tools[0]?.name ?? 'f0'} milk` });
    for (const { messages } of made.traces.after) {
      assert.equal(messages[first]?.tokens, undefined);
      assert.equal(messages[first + 1]?.role, 'tool');
      assert.equal(messages[first + 2]?.role, 'user', 'one call has one answer');
    }
  });

  it('are by any version of either policy, with ids only where they are its own', async () => {
    const [, second = 0] = saidBy(trace, 'assistant');
    const old = await forked({ turn: second, text: null }, 'agent@0');
    const other = await forked({ turn: second, text: null }, 'environment@1');
    assert.deepEqual([old.version, other.version], ['agent@0', 'environment@1']);
    assert.ok((old.traces.after[0]?.messages[0]?.tokens?.length ?? 0) > 0);
    assert.equal(other.traces.after[0]?.messages[0]?.tokens, undefined);
  });

  it('can be forked again', async () => {
    const [, second = 0] = saidBy(trace, 'assistant');
    const made = await forked({ turn: second, text: null });
    const [of] = made.traces.after;
    assert.ok(of !== undefined);
    const again = await forked({ turn: second, text: null, of });
    assert.deepEqual([again.state, again.fork?.trace], ['finished', of.id]);
    assert.deepEqual(again.recorded, rateOfTraces(made.traces.after), 'its siblings');
  });

  it('are found by their ids, and counted where people label them', async () => {
    const [, second = 0] = saidBy(trace, 'assistant');
    const [made] = (await forked({ turn: second, text: null })).traces.after;
    assert.ok(made !== undefined);
    assert.deepEqual(await traceOfAnyone(run, made.id), made);
    assert.deepEqual(await traceOfAnyone(run, trace.id), trace);
    for (const one of [made.id, 'after.gone/t/r0'])
      await appendLabel(runPaths(run.dir).attemptLabels, {
        ...{ v: labelVersion, at: 1, author: 'eve', trace: one, verdict: 'pass', labels: [] },
      });
    const { attempts, gone, agreement } = await labelledRun(run);
    assert.deepEqual([attempts.map((one) => one.trace), gone], [[made.id], ['after.gone/t/r0']]);
    assert.equal(agreement.share.attempts, 1);
  });

  it('of an edited attempt have its edit, and so have their own forks', async () => {
    const task = await run.task(trace.task);
    assert.ok(task !== undefined);
    const other = (await run.tasksOf(1)).find(({ id, status }) => status === 'accepted' && id !== task.id);
    assert.ok(other !== undefined);
    const tools = { dist, clock, log, keys: environmentKeys({}), signal: new AbortController().signal };
    const { prompt, tools: given, evaluation, gold } = other;
    assert.notDeepEqual(prompt, task.prompt);
    const edit = {
      agent: { run },
      task,
      edited: { ...task, prompt, tools: given, evaluation, gold },
      attempts: 1,
      author: 'ada',
    };
    const [of] = (await reattempt(edit, tools)).traces.after;
    assert.ok(of !== undefined);
    const [fork] = (await forked({ turn: 0, text: null, of })).traces.after;
    assert.ok(fork !== undefined);
    assert.deepEqual((await forkSource(run, fork.id)).task.prompt, prompt);
  });

  it('refuse what cannot be sampled, and leave no line of it', async () => {
    const before = await lines();
    const refused = (reason: string, words: RegExp) => (error: unknown) =>
      error instanceof ReattemptError && error.reason === reason && words.test(`${error.message} ${error.remedy}`);
    await assert.rejects(forked({ turn: 99, text: null }), refused('not-forkable', /has no turn 100\. Choose/));
    await assert.rejects(forked({ turn: 0, text: null }, 'agent@9'), refused('no-agent', /These can: agent@/));
    await assert.rejects(forkSource(run, 'nope'), refused('not-forkable', /no trace "nope"/));
    await unlink(join(run.dir, 'checkpoints', 'environment@1.bin'));
    await assert.rejects(
      forked({ turn: 0, text: null }, 'environment@1'),
      refused('not-kept', /cannot sample any more/),
    );
    assert.equal(await lines(), before);
  });

  it('say which turn ends the attempt, where nothing is left to sample', async () => {
    const last = saidBy(trace, 'assistant').at(-1) ?? 0;
    const made = await forked({ turn: last, text: 'stop' });
    assert.equal(made.state, 'failed');
    assert.match(
      made.message ?? '',
      /^Nothing is left to sample after turn \d+ of the agent: .* Fork at an earlier turn\.$/,
    );
  });
});

describe('the turn that decided', () => {
  const rate = (successes: number, attempts = 20) => ({ successes, attempts });

  it('is the one with the largest change that is no chance', () => {
    const steps = turnSteps(
      [
        { turn: 4, rate: rate(18) },
        { turn: 0, rate: rate(4) },
        { turn: 2, rate: rate(5) },
      ],
      true,
    );
    assert.deepEqual(
      steps.map(({ turn }) => turn),
      [0, 2, 4],
    );
    assert.equal(decidingStep(steps)?.turn, 2);
    assert.ok(Math.abs((decidingStep(steps)?.change.d ?? 0) - 0.65) < 1e-9);
  });

  it('is looked for within each version, not between two', () => {
    const verdict = { success: true, reward: 1, valid: true };
    const trace: Trace = {
      ...{ v: 1, id: 'e1/t/r0', purpose: 'train', task: 't', family: 'f', epoch: 1, version: 'agent@0' },
      ...{ sequences: [], stopReason: 'stop', verdict },
      messages: ['a', 'b', 'c'].map((content) => ({ role: 'assistant' as const, content })),
    };
    const fork = (turn: number, version: string, solved: number): Reattempt => ({
      ...{ v: 1, type: 'begun', id: `${version}${turn}`, at: 0, author: 'ada', task: 't', version, group: 16 },
      ...{ temperature: 1, edited: null, recorded: null, fork: { trace: trace.id, turn, text: null } },
      ...{ state: 'finished', message: null },
      traces: {
        before: [],
        after: Array.from({ length: 16 }, (_, i) => ({ ...trace, verdict: { ...verdict, success: i < solved } })),
      },
    });
    // One version solves 2 of 16 and the other 14 of 16 from every turn: no turn matters.
    const all = forkSteps(
      [fork(0, 'agent@0', 2), fork(1, 'agent@9', 14), fork(0, 'agent@9', 14), fork(1, 'agent@0', 2)],
      trace,
    );
    assert.deepEqual(
      all.map(({ version, steps }) => [version, steps.map(({ turn }) => turn), decidingStep(steps)]),
      [
        ['agent@0', [0], null],
        ['agent@9', [0], null],
      ],
    );
  });

  it('is none where nothing is clear, and the last where its outcome is', () => {
    assert.equal(
      decidingStep(
        turnSteps(
          [
            { turn: 0, rate: rate(2, 4) },
            { turn: 2, rate: rate(3, 4) },
          ],
          null,
        ),
      ),
      null,
    );
    assert.equal(
      decidingStep(
        turnSteps(
          [
            { turn: 0, rate: rate(10) },
            { turn: 2, rate: rate(9) },
          ],
          false,
        ),
      )?.turn,
      2,
    );
  });

  it('counts forks at one turn together', () => {
    const [step] = turnSteps(
      [
        { turn: 0, rate: rate(1, 4) },
        { turn: 0, rate: rate(3, 4) },
      ],
      true,
    );
    assert.deepEqual([step?.anew.successes, step?.anew.attempts], [4, 8]);
  });
});
