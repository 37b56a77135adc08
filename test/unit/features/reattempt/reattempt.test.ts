import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { reattempt, type ReattemptAsk } from '../../../../src/features/reattempt/node/reattempt.ts';
import { ReattemptError } from '../../../../src/launch/policies/reattemptError.ts';
import { readReattempts, reattemptedTrace } from '../../../../src/runs/records/reattemptsFile.ts';
import { runPaths } from '../../../../src/runs/store/runPaths.ts';
import type { RunReader } from '../../../../src/runs/store/runReader.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { progressOf, ratesOf, type Reattempt } from '../../../../src/shared/records/reattempt.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import { RemoteRun } from '../../../support/faults/remoteRun.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { launchHere } from '../../../support/launchHere.ts';
import { onlyRun } from '../../../support/runContents.ts';
import { tiny } from '../../../support/tiny.ts';

const clock = { now: () => 1_763_769_600_000 };
const log = { info: () => undefined, warn: () => undefined };

const storeAt = (root: string): RunStore => new RunStore(root, { clock, log, version: 'test' });

async function openOnly(root: string): Promise<RunReader> {
  return storeAt(root).openReader(await onlyRun(root));
}

/** An accepted task that the run's agent attempted. */
async function someTask(run: RunReader): Promise<Task> {
  for await (const task of run.tasks()) if (task.status === 'accepted') return task;
  throw new assert.AssertionError({ message: 'The run wrote no task.' });
}

async function newestVersion(run: RunReader): Promise<string> {
  let newest = 'agent@0';
  for await (const event of run.events()) if (event.type === 'agent.updated') newest = event.version.name;
  assert.notEqual(newest, 'agent@0');
  return newest;
}

interface Over {
  clock?: { now(): number };
  signal?: AbortSignal;
  onProgress?: (now: Reattempt) => void;
}

function again(run: RunReader, ask: Pick<ReattemptAsk, 'task'> & Partial<ReattemptAsk>, over: Over = {}) {
  return reattempt(
    { agent: { run }, edited: null, attempts: 4, author: 'ada', ...ask },
    { dist, clock, log, keys: environmentKeys({}), signal: new AbortController().signal, ...over },
  );
}

/** Every file of a run but the re-attempts, with its bytes. */
async function everythingIn(dir: string): Promise<Map<string, string>> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && !/^(reattempts\.jsonl|lease)$/.test(entry.name));
  const read = files.map(async ({ parentPath, name }): Promise<[string, string]> => {
    const path = join(parentPath, name);
    return [path, (await readFile(path)).toString('base64')];
  });
  return new Map((await Promise.all(read)).sort());
}

const answersOf = ({ traces }: Reattempt, side: 'before' | 'after'): string[] =>
  traces[side].map(({ messages }) => messages.map(({ content }) => content).join('\n'));

describe('re-attempts by a run’s newest agent', function () {
  this.timeout(240_000);
  let made = '';
  let root = '';
  let run: RunReader;

  before(async () => {
    made = await mkdtemp(join(tmpdir(), 'genenv-again-'));
    const experiment = resolveExperiment({ version: 1, ...tiny });
    const { state } = await launchHere({ root: made, notes: [] }, { experiment, directory: made }, {});
    assert.equal(state, 'finished');
  });
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'genenv-again-'));
    await cp(made, root, { recursive: true });
    run = await openOnly(root);
  });
  afterEach(async () => {
    await run.close();
    await rm(root, { recursive: true, force: true });
  });
  after(() => rm(made, { recursive: true, force: true }));

  it('are kept with the run, which stays as it is', async () => {
    const task = await someTask(run);
    // The first reader of the run keeps its index.
    const recorded = await run.attemptsAt(task.id, task.epoch);
    const before = await everythingIn(run.dir);
    const seen: number[] = [];
    const result = await again(run, { task }, { onProgress: (now) => seen.push(progressOf(now).done) });
    assert.deepEqual([result.state, result.version, result.group], ['finished', await newestVersion(run), 4]);
    assert.deepEqual(seen, [0, 1, 2, 3, 4, 4]);
    const rates = ratesOf(result);
    assert.deepEqual(rates.before, {
      successes: recorded.filter(({ verdict }) => verdict.success).length,
      attempts: recorded.length,
    });
    assert.equal(rates.after.attempts, 4);
    assert.deepEqual(await everythingIn(run.dir), before);

    const path = runPaths(run.dir).reattempts;
    const { reattempts, damaged } = await readReattempts(path);
    assert.deepEqual([reattempts, damaged], [[result], []]);
    const [first] = result.traces.after;
    assert.match(first?.id ?? '', /^after\.[0-9a-z]+\/e1\.f\d+\.v\d+[^/]*\/r0$/);
    assert.deepEqual((await reattemptedTrace(path, first?.id ?? ''))?.trace, first);
    assert.equal(await reattemptedTrace(path, recorded[0]?.id ?? ''), null);
  });

  it('draw the same for both sides, and something else the next time', async () => {
    const task = await someTask(run);
    const result = await again(run, { task, edited: { ...task, plan: 'another' }, attempts: 6 });
    assert.deepEqual(progressOf(result), { done: 12, total: 12 });
    assert.deepEqual(answersOf(result, 'before'), answersOf(result, 'after'));
    const second = await again(run, { task, attempts: 6 });
    assert.notDeepEqual(answersOf(second, 'after'), answersOf(result, 'after'));
    assert.notEqual(second.id, result.id);
  });

  it('draw apart where two begin at once', async () => {
    const task = await someTask(run);
    const at = (ms: number) => again(run, { task, attempts: 6 }, { clock: { now: () => ms } });
    const [one, other] = await Promise.all([at(1_763_769_600_000), at(1_763_769_600_001)]);
    assert.notDeepEqual(answersOf(one, 'after'), answersOf(other, 'after'));
  });

  it('see what an edit does: a gold that nobody can reach, mended', async () => {
    const [easy] = (await run.tasksOf(1)).filter(({ status }) => status === 'accepted');
    assert.ok(easy !== undefined);
    const broken: Task = { ...easy, gold: 'no call at all <end>' };
    const result = await again(run, { task: broken, edited: easy, attempts: 8 });
    const { before, after } = ratesOf(result);
    // A checker that breaks on its gold has judged nothing.
    assert.deepEqual([before.attempts, after.attempts], [0, 8]);
    assert.match(result.traces.before[0]?.verdict.error ?? '', /\S/);
    assert.equal(result.edited?.gold, easy.gold);
  });

  it('go on beside whoever writes the run, and end when they are stopped', async () => {
    const writer = await storeAt(root).openWriter(run.id);
    const task = await someTask(run);
    const controller = new AbortController();
    const onProgress = (now: Reattempt): void => {
      if (now.traces.after.length === 2) controller.abort(new Error('enough'));
    };
    // More than are written while the first two are.
    const result = await again(run, { task, attempts: 512 }, { signal: controller.signal, onProgress });
    assert.equal(result.state, 'stopped');
    assert.ok(result.traces.after.length >= 2 && result.traces.after.length < 512, String(result.traces.after.length));
    assert.deepEqual((await readReattempts(runPaths(run.dir).reattempts)).reattempts, [result]);
    await writer.close();
  });

  it('refuse what could not be judged, and a run without an agent', async () => {
    const task = await someTask(run);
    await assert.rejects(
      again(run, { task, edited: { ...task, gold: 'nonsense' } }),
      (error) => error instanceof ReattemptError && error.reason === 'unverified' && error.remedy !== '',
    );
    assert.deepEqual((await readReattempts(runPaths(run.dir).reattempts)).reattempts, []);
    const writer = await storeAt(root).create({ experiment: run.manifest.experiment });
    const fresh = await storeAt(root).openReader(writer.id);
    await assert.rejects(
      again(fresh, { task }),
      (error) => error instanceof ReattemptError && error.reason === 'no-agent',
    );
    await fresh.close();
    await writer.close();
  });

  it('may be by the agent as it is shipped, for tasks of no run', async () => {
    const task = await someTask(run);
    const result = await again(run, { task, agent: { shipped: true } });
    assert.deepEqual([result.state, result.version, result.recorded], ['finished', 'agent@0', null]);
    assert.deepEqual((await readReattempts(runPaths(run.dir).reattempts)).reattempts, []);
  });

  it('may be by a run’s agent for a task that is not of the run, which keeps nothing of it', async () => {
    const task = await someTask(run);
    assert((await run.attemptsAt(task.id, task.epoch)).length > 0, 'the run knows a task of this name');
    const before = await everythingIn(run.dir);
    const result = await again(run, { task, agent: { borrowed: run } });
    assert.deepEqual([result.state, result.version, result.recorded], ['finished', await newestVersion(run), null]);
    assert.deepEqual((await readReattempts(runPaths(run.dir).reattempts)).reattempts, []);
    assert.deepEqual(await everythingIn(run.dir), before);
  });
});

describe('re-attempts on a Tinker server', function () {
  this.timeout(240_000);

  it('sample the published weights and leave the run’s session alone', async () => {
    const remote = new RemoteRun(dist);
    await remote.serve();
    assert.equal((await remote.start()).state, 'finished');
    const run = await openOnly(remote.root);
    try {
      const task = await someTask(run);
      await run.rows();
      const before = await everythingIn(run.dir);
      const result = await again(run, { task });
      assert.deepEqual([result.state, result.version, result.message], ['finished', 'agent@1', null]);
      assert.equal(result.traces.after.length, 4);
      assert.deepEqual(await everythingIn(run.dir), before);
    } finally {
      await run.close();
      await remote.remove();
    }
  });
});
