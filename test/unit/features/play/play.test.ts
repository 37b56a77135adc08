import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StateFold } from '../../../../src/engine/state.ts';
import type { Question } from '../../../../src/features/play/core/personPolicy.ts';
import { beginPlay, continuedPlay, keepDraft, playOn, type OpenPlay } from '../../../../src/features/play/node/play.ts';
import { PlayError } from '../../../../src/features/play/node/playError.ts';
import { labelledRun } from '../../../../src/features/labels/node/labelledRun.ts';
import { admission, admittedAttempts, withdrawal } from '../../../../src/features/pools/node/admitted.ts';
import { PoolError } from '../../../../src/features/pools/node/poolError.ts';
import { forkSource } from '../../../../src/features/reattempt/node/forkSource.ts';
import { reattempt } from '../../../../src/features/reattempt/node/reattempt.ts';
import { givenTasks } from '../../../../src/launch/domains/openDomain.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { agentPool } from '../../../../src/runs/export/agentPool.ts';
import { editTasks } from '../../../../src/runs/records/editTasks.ts';
import { appendLabel } from '../../../../src/runs/records/labelsFile.ts';
import { appendPlay, playedTrace, readPlays } from '../../../../src/runs/records/playsFile.ts';
import { runPaths } from '../../../../src/runs/store/runPaths.ts';
import type { RunReader } from '../../../../src/runs/store/runReader.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { labelVersion } from '../../../../src/shared/records/label.ts';
import type { TaskEdit } from '../../../../src/shared/records/taskEdit.ts';
import { personOf } from '../../../../src/shared/records/play.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { launchHere } from '../../../support/launchHere.ts';
import { onlyRun } from '../../../support/runContents.ts';
import { searched } from '../../../support/runs/searchedRuns.ts';
import { tiny } from '../../../support/tiny.ts';

const clock = { now: () => 1_763_769_600_000 };
const log = { info: () => undefined, warn: () => undefined };

describe('an attempt of a person', function () {
  this.timeout(240_000);
  let root = '';
  let run: RunReader;
  let task: Task;
  /** The gold, a call a turn. */
  let calls: string[];

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'genenv-play-'));
    const experiment = resolveExperiment({ version: 1, ...tiny, rollouts: { ...tiny.rollouts, maxTurns: 6 } });
    const { state } = await launchHere({ root, notes: [] }, { experiment, directory: root }, {});
    assert.equal(state, 'finished');
    run = await new RunStore(root, { clock, log, version: 'test' }).openReader(await onlyRun(root));
    const turnsOf = ({ gold }: Task): string[] =>
      (gold ?? '')
        .replace('<end>', '')
        .trim()
        .split(/ (?=(?:first|second|third|fourth|fifth) )/);
    const found = (await run.tasksOf(1)).find((one) => one.status === 'accepted' && turnsOf(one).length >= 2);
    assert.ok(found !== undefined);
    task = found;
    calls = turnsOf(found);
  });
  after(async () => {
    await run.close();
    await rm(root, { recursive: true, force: true });
  });

  const ended = async (): Promise<string[]> =>
    (await readPlays(file())).plays.flatMap(({ trace }) => (trace === null ? [] : [trace.id]));
  const ofAda = async (success: boolean): Promise<string[]> =>
    (await readPlays(file())).plays
      .flatMap(({ trace }) => (trace?.version === 'person:ada' && trace.verdict.success === success ? [trace.id] : []))
      .toReversed();
  const file = () => runPaths(run.dir).plays;
  /** Says these turns, then leaves. */
  const say = async (open: OpenPlay, turns: readonly string[]) => {
    const asked: Question[] = [];
    const leaving = new AbortController();
    const left = [...turns];
    const ended = await playOn(run, open, {
      ...{ dist, clock, log, keys: environmentKeys({}), signal: leaving.signal },
      ask(question, signal) {
        asked.push(question);
        const text = left.shift();
        if (text !== undefined) return Promise.resolve(text);
        leaving.abort(new Error('enough'));
        return Promise.reject(signal.reason instanceof Error ? signal.reason : new Error('enough'));
      },
    });
    return { ended, asked };
  };

  it('is answered by the tools and judged, and kept beside the run, which stays as it is', async () => {
    const traces = await readFile(runPaths(run.dir).traces.records);
    const { ended, asked } = await say(await beginPlay(run, task.id, 'ada', clock), calls);
    const { trace } = ended;
    assert.ok(trace !== null);
    assert.deepEqual([trace.verdict.success, trace.verdict.reward, personOf(trace.version)], [true, 1, 'ada']);
    assert.deepEqual(
      trace.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content),
      calls,
    );
    assert.equal(asked[0]?.messages.at(-1)?.content, task.prompt.at(-1)?.content);
    assert.deepEqual(
      asked[1]?.messages.slice(-2).map(({ role }) => role),
      ['tool', 'user'],
    );
    assert.deepEqual((await playedTrace(file(), trace.id))?.trace, trace);
    assert.deepEqual(await readFile(runPaths(run.dir).traces.records), traces);
    assert.equal(await run.trace(trace.id), undefined);
  });

  it('resumes where it was left, with the turns that were sent and the draft', async () => {
    const begun = await beginPlay(run, task.id, 'ada', clock);
    const first = await say(begun, calls.slice(0, 1));
    assert.deepEqual([first.ended.trace, first.ended.turns], [null, calls.slice(0, 1)]);
    await keepDraft(run, begun.play, 'second half');
    await keepDraft(run, begun.play, 'second half');
    const again = await continuedPlay(run, begun.play.id);
    assert.deepEqual([again.play.draft, again.play.turns], ['second half', calls.slice(0, 1)]);
    const rest = await say(again, calls.slice(1));
    assert.equal(rest.ended.trace?.verdict.success, true);
    // The first question is the one that was open.
    assert.equal(rest.asked[0]?.turn, 1);
    await assert.rejects(continuedPlay(run, begun.play.id), (error) => PlayError.is(error, 'ended'));
    await assert.rejects(continuedPlay(run, 'none'), (error) => PlayError.is(error, 'unknown'));
  });

  it('continued twice at once is the one that went on first, and refuses the other', async () => {
    const open = await beginPlay(run, task.id, 'bob', clock);
    await say(open, calls.slice(0, 1));
    const [one, other] = [await continuedPlay(run, open.play.id), await continuedPlay(run, open.play.id)];
    const { ended: first } = await say(one, calls.slice(1));
    const before = await readFile(file(), 'utf8');
    await assert.rejects(say(other, ['nonsense']), (error) => PlayError.is(error, 'elsewhere') && error.remedy !== '');
    assert.equal(await readFile(file(), 'utf8'), before);
    const { trace } = first;
    assert.ok(trace !== null);
    assert.deepEqual((await playedTrace(file(), trace.id))?.trace, trace);
  });

  it('keeps its first end where a file of an older version has two', async () => {
    const [own] = (await readPlays(file())).plays;
    assert.ok(own?.trace != null);
    const text = await readFile(file(), 'utf8');
    const trace = { ...own.trace, messages: [] };
    await appendPlay(file(), { v: own.v, id: own.id, type: 'turn', at: 1, text: 'late' });
    await appendPlay(file(), { v: own.v, id: own.id, type: 'ended', at: 1, trace });
    assert.deepEqual((await readPlays(file())).plays[0], own);
    await writeFile(file(), text);
  });

  it('leaves no line where nothing was written', async () => {
    const before = await readFile(file(), 'utf8');
    const begun = await beginPlay(run, task.id, 'ada', clock);
    const { ended } = await say(begun, []);
    await keepDraft(run, begun.play, '');
    assert.deepEqual([ended.trace, ended.turns], [null, []]);
    assert.equal(await readFile(file(), 'utf8'), before);
  });

  it('begins with a draft alone, once', async () => {
    const begun = await beginPlay(run, task.id, 'eve', clock);
    await keepDraft(run, begun.play, 'fir');
    await say(await continuedPlay(run, begun.play.id), ['nonsense']);
    const { plays, damaged } = await readPlays(file());
    const own = plays.find(({ id }) => id === begun.play.id);
    assert.deepEqual([own?.turns, own?.draft, own?.trace?.verdict.success, damaged], [['nonsense'], '', false, []]);
  });

  it('can be forked: the agent continues from its turns', async () => {
    const { plays } = await readPlays(file());
    const { trace, task: attempted } = await forkSource(run, plays[0]?.trace?.id ?? '');
    const second = trace.messages.findIndex(({ role }, i) => i > 0 && role === 'assistant');
    const fork = await reattempt(
      {
        ...{ agent: { run }, task: attempted, edited: null, attempts: 2, author: 'ada' },
        fork: { trace, turn: second, text: null },
      },
      { dist, clock, log, keys: environmentKeys({}), signal: new AbortController().signal },
    );
    assert.deepEqual([fork.state, fork.traces.after.length], ['finished', 2]);
    for (const { messages } of fork.traces.after) assert.equal(messages[0]?.content, calls[0]);
  });

  it('is found by searches, labelled, and in no figure of the run', async () => {
    const [own] = (await readPlays(file())).plays;
    const trace = own?.trace;
    assert.ok(trace != null);
    assert.deepEqual(await searched(run.dir, 'by:ada verdict:solved'), await ofAda(true));
    assert.deepEqual(await searched(run.dir, 'by:person'), (await ended()).toReversed());
    assert.ok(!(await searched(run.dir, 'by:policy verdict:solved')).includes(trace.id));
    assert.deepEqual(await searched(run.dir, 'by:ada purpose:train'), []);
    assert.ok((await searched(run.dir, `task:${task.id} -by:person`)).every((id) => !id.startsWith('person.')));
    assert.ok((await searched(run.dir, `task:${task.id}`)).includes(trace.id));
    await appendLabel(runPaths(run.dir).attemptLabels, {
      ...{ v: labelVersion, at: 1, author: 'eve', trace: trace.id, verdict: 'pass', labels: ['by-hand'] },
    });
    assert.deepEqual(await searched(run.dir, 'label:by-hand'), [trace.id]);
    const { attempts, gone, agreement } = await labelledRun(run);
    assert.deepEqual([attempts.map((one) => one.trace), gone, agreement.labelled], [[trace.id], [], 1]);
  });

  it('is in the agent pool where someone asks, until it is removed', async () => {
    const store = new RunStore(root, { clock, log, version: 'test' });
    const [own] = (await readPlays(file())).plays;
    const id = own?.trace?.id ?? '';
    const given = await givenTasks(run);
    const lines = async () =>
      (await Array.fromAsync(agentPool(run, given))).flatMap((one) => (one.kind === 'trace' ? [one] : []));
    const before = await lines();
    const made = await admission(run, id);
    assert.equal(made?.effect, 'finished');
    assert.deepEqual(made.edit, { action: 'admit', task: task.id, trace: id, written: 1 });
    const journaled = await editTasks(store, run.id, { edits: [made.edit], author: 'eve', clock });
    assert.deepEqual(journaled, { state: 'journaled', epoch: 3 });
    assert.equal(await admission(run, id), null, 'it is there already');
    assert.deepEqual(await admittedAttempts(run), [{ trace: id, task: task.id, by: 'eve', epoch: 3 }]);
    const now = await lines();
    assert.deepEqual(now.slice(0, -1), before);
    assert.deepEqual([now.at(-1)?.id, now.at(-1)?.version, now.at(-1)?.success], [id, 'person:ada', true]);
    const fold = new StateFold();
    for await (const event of run.events()) fold.add(event);
    assert.equal(fold.state.pools.agentTraces, before.length, 'figures count the agent’s own alone');
    const edits = [await withdrawal(run, id)];
    await editTasks(store, run.id, { edits, author: 'eve', clock });
    assert.deepEqual([await admittedAttempts(run), await lines()], [[], before]);
    await assert.rejects(withdrawal(run, id), (error) => PoolError.is(error, 'outside'));
  });

  it('is refused by the pool where it cannot teach, or its task is another now', async () => {
    const { plays } = await readPlays(file());
    await assert.rejects(admission(run, 'e1/none/r0'), (error) => PoolError.is(error, 'unknown'));
    const [solved] = plays;
    const trace = solved?.trace;
    assert.ok(solved !== undefined && trace != null);
    const bad = { ...trace, id: 'person.bad/x/r0', verdict: { ...trace.verdict, success: false, valid: false } };
    const { v, at, author } = solved;
    await appendPlay(file(), { v, type: 'begun', id: 'bad', at, author, task: task.id, edited: null });
    await appendPlay(file(), { v, type: 'ended', id: 'bad', at, trace: bad });
    await assert.rejects(admission(run, bad.id), (error) => PoolError.is(error, 'invalid'));
    const store = new RunStore(root, { clock, log, version: 'test' });
    const edit = (edits: readonly TaskEdit[]) => editTasks(store, run.id, { edits, author: 'eve', clock });
    await edit([{ action: 'exclude', task: task.id, reason: 'odd' }]);
    await assert.rejects(admission(run, trace.id), (error) => PoolError.is(error, 'excluded'));
    await edit([
      { action: 'restore', task: task.id },
      { action: 'edit', task: task.id, changes: [{ field: 'gold', from: task.gold, to: 'other' }] },
    ]);
    await assert.rejects(admission(run, trace.id), (error) => PoolError.is(error, 'edited'));
  });
});
