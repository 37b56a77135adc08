import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { branchRun } from '../../../src/launch/branchRun.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { KeptRescore } from '../../../src/features/rescore/node/keptRescore.ts';
import { fateOf } from '../../../src/features/rescore/contract/rejudged.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import type { RunReader } from '../../../src/runs/store/runReader.ts';
import { branchedExperiment } from '../../../src/shared/experiment/branched.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import type { rescoreViews } from '../../../src/features/rescore/contract/page.ts';
import { dist } from '../../support/built.ts';
import { launchHere } from '../../support/launchHere.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { tiny } from '../../support/tiny.ts';

const clock = { now: () => 7 };

/** By the attempt's number alone: the first is solved, the second fails, the third breaks the function. */
const reward = `export function reward(task, trace) {
  if (trace.id.endsWith('r2')) throw new Error('odd at ' + trace.id);
  return { success: trace.id.endsWith('r0'), reward: 0.5, note: 'judged ' + trace.id };
}
`;

describe('a run under another reward', function () {
  this.timeout(240_000);
  let dir = '';
  let store: RunStore;
  let run: RunReader;
  let traces: Trace[];

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-rescored-'));
    await writeFile(join(dir, 'mine.reward.js'), reward);
    const parsed = parseExperiment(JSON.stringify({ ...tiny, epochs: 1 }), 'mine.genenv.json');
    if ('problems' in parsed) throw new InputError(parsed.problems);
    const here = { root: join(dir, 'runs'), notes: [] };
    const file = join(dir, 'mine.genenv.json');
    const landing = await launchHere(here, { experiment: parsed.experiment, directory: dir, file }, { dist });
    assert.equal(landing.state, 'finished', landing.error?.message ?? '');
    const log = { info: () => undefined, warn: () => undefined };
    store = new RunStore(here.root, { clock, log, version: 'test' });
    run = await store.openReader(landing.id);
    traces = await all(run.traces());
  });
  after(async () => {
    await run.close();
    await rm(dir, { recursive: true, force: true });
  });

  const fate = ({ id }: Trace): string => (id.endsWith('r2') ? 'error' : id.endsWith('r0') ? 'solved' : 'failed');
  const rescored = (signal = new AbortController().signal): Promise<KeptRescore> =>
    KeptRescore.make(
      { run, file: join(dir, 'mine.reward.js'), epochs: { first: 0, last: Infinity } },
      { dist, signal },
    );

  it('is looked through a window of rows at a time, whatever kind of flip, and forgotten when it is let go', async () => {
    const kept = await rescored();
    const flips = traces.filter((trace) => fate(trace) !== fateOf(trace.verdict));
    const ids = async (view: (typeof rescoreViews)[number], from = 0, to = kept.count(view)): Promise<string[]> =>
      (await kept.rows(view, from, to)).map((row) => (row.kind === 'flip' ? row.id : row.family));
    const expected = (to: string): string[] => flips.filter((trace) => fate(trace) === to).map(({ id }) => id);
    assert.deepEqual(
      await ids('flips'),
      flips.map(({ id }) => id),
    );
    assert.deepEqual(
      await ids('flips', 3, 5),
      flips.slice(3, 5).map(({ id }) => id),
    );
    for (const view of ['solved', 'failed', 'error'] as const) assert.deepEqual(await ids(view), expected(view));
    const { entered, left } = kept.rescored.summary;
    assert.deepEqual((await ids('families')).sort(), [...entered, ...left].sort());
    // Every other reward, flip or not, the largest move first.
    const moves = (await kept.rows('moved', 0, Infinity)).flatMap((one) =>
      one.kind === 'flip' ? [Math.abs(one.reward.after - one.reward.before)] : [],
    );
    assert.equal(moves.length, traces.filter((one) => fate(one) !== 'error' && one.verdict.reward !== 0.5).length);
    assert.deepEqual(
      moves,
      moves.toSorted((a, b) => b - a),
    );
    const turned = await kept.rows('turned', 0, Infinity);
    assert.equal(turned.length, kept.rescored.summary.advantages.turned);
    for (const one of turned) {
      assert.ok(one.kind === 'flip' && one.advantage !== null);
      assert.ok(one.advantage.before * one.advantage.after < 0);
    }
    const [row] = await kept.rows('solved', 0, 1);
    const first = flips.find((trace) => fate(trace) === 'solved');
    assert.deepEqual(row, {
      ...{ kind: 'flip', id: first?.id, epoch: first?.epoch, fate: { before: 'failed', after: 'solved' } },
      ...{ reward: { before: first?.verdict.reward, after: 0.5 }, note: `judged ${first?.id ?? ''}` },
      advantage: row?.kind === 'flip' ? row.advantage : null,
    });
    // One place in the file, whatever each attempt's message says.
    const odd = traces.filter((trace) => fate(trace) === 'error');
    const [group, ...more] = kept.faults.groups;
    assert.deepEqual([group?.attempts, group?.trace, more.length], [odd.length, odd[0]?.id, 0]);
    assert.deepEqual([group?.fault.at?.line, kept.draft.count], [2, traces.length]);
    assert.deepEqual([...kept.rescored.reward.texts], [['mine.reward.js', reward]]);
    await kept.dispose();
    assert.equal(existsSync(kept.draft.file), false);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const before = process.env['TMPDIR'];
    const empty = join(dir, 'tmp');
    await mkdir(empty);
    process.env['TMPDIR'] = empty;
    try {
      await assert.rejects(rescored(AbortSignal.abort(new Error('stopped'))), /stopped/);
      assert.deepEqual(await readdir(empty), []);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  it('goes on with it as a branch, whose journal says from where on which reward judged', async () => {
    const { experiment } = run.manifest;
    const parsed = branchedExperiment(experiment, ['reward.file=mine.reward.js', 'epochs=2'], 1);
    assert.ok('experiment' in parsed);
    const ask = { run: run.id, epoch: 1, named: ['reward.file'], author: 'ada', clock, dist };
    const writer = await branchRun(store, { ...ask, experiment: parsed.experiment });
    await writer.close();
    const landing = await launchHere({ root: store.root, notes: [] }, { resume: writer.id }, { dist });
    assert.equal(landing.state, 'finished', landing.error?.message ?? '');
    const branch = await store.openReader(writer.id);
    const own = await all(branch.traces());
    const events = await all(branch.events());
    await branch.close();
    assert.deepEqual(
      own.filter(({ epoch }) => epoch < 2),
      traces,
    );
    const later = own.filter(({ epoch }) => epoch === 2);
    assert.ok(later.length > 0);
    for (const trace of later) assert.equal(fateOf(trace.verdict), fate(trace), trace.id);
    const changes = events.flatMap((event) =>
      event.type === 'settings.changed' ? [[event.epoch, event.author, event.changes]] : [],
    );
    assert.deepEqual(changes, [[2, 'ada', [{ field: 'reward.file', from: null, to: 'mine.reward.js' }]]]);

    // Back to the scorer that the run began with.
    const back: Experiment = { ...parsed.experiment, epochs: 3, reward: experiment.reward };
    const again = await branchRun(store, { ...ask, run: writer.id, epoch: 2, experiment: back });
    await again.close();
    assert.equal(existsSync(join(again.dir, 'inputs', 'reward.json')), false);
  });

  it('reads a file of the same name anew when it is named, and only then', async () => {
    const { experiment } = run.manifest;
    const set = (...texts: string[]): Experiment => {
      const parsed = branchedExperiment(experiment, ['reward.file=mine.reward.js', ...texts], 1);
      if ('problems' in parsed) throw new InputError(parsed.problems);
      return parsed.experiment;
    };
    const ask = { author: 'ada', clock, dist };
    const first = await branchRun(store, {
      ...ask,
      run: run.id,
      epoch: 1,
      named: ['reward.file'],
      experiment: set('epochs=2'),
    });
    await first.close();
    const landing = await launchHere({ root: store.root, notes: [] }, { resume: first.id }, { dist });
    assert.equal(landing.state, 'finished', landing.error?.message ?? '');
    const file = join(dir, 'mine.reward.js');
    const edited = reward.replace("endsWith('r0')", "endsWith('r1')");
    const again = async (named: readonly string[]): Promise<{ judges: string; files: unknown[] }> => {
      const writer = await branchRun(store, {
        ...{ ...ask, run: first.id, epoch: 2, experiment: set('epochs=3'), named },
      });
      await writer.close();
      const reader = await store.openReader(writer.id);
      const events = await all(reader.events());
      await reader.close();
      return {
        judges: await readFile(join(writer.dir, 'inputs', 'reward', 'mine.reward.js'), 'utf8'),
        files: events.flatMap((event) =>
          event.type === 'settings.changed' && event.epoch === 3 ? [event.changes, event.rewardFiles] : [],
        ),
      };
    };
    assert.deepEqual(await again(['reward.file']), { judges: reward, files: [] });
    await writeFile(file, edited);
    try {
      assert.deepEqual(await again([]), { judges: reward, files: [] });
      const digest = createHash('sha256').update(edited).digest('hex');
      assert.deepEqual(await again(['reward.file']), {
        judges: edited,
        files: [[{ field: 'reward.file', from: 'mine.reward.js', to: 'mine.reward.js' }], { 'mine.reward.js': digest }],
      });
    } finally {
      await writeFile(file, reward);
    }
  });

  it('keeps a branch’s reward when branched again at an earlier epoch, and journals it', async () => {
    const { experiment } = run.manifest;
    const parsed = branchedExperiment(experiment, ['reward.file=mine.reward.js', 'epochs=2'], 1);
    assert.ok('experiment' in parsed);
    const ask = { author: 'ada', clock, dist };
    const named = ['reward.file'];
    const first = await branchRun(store, { ...ask, run: run.id, epoch: 1, named, experiment: parsed.experiment });
    await first.close();
    const again = await branchRun(store, { ...ask, run: first.id, epoch: 0, named: [], experiment: parsed.experiment });
    await again.close();
    const reader = await store.openReader(again.id);
    const events = await all(reader.events());
    await reader.close();
    const digest = createHash('sha256').update(reward).digest('hex');
    assert.deepEqual(
      events.flatMap((one) => (one.type === 'settings.changed' ? [one.epoch, one.changes, one.rewardFiles] : [])),
      [1, [{ field: 'reward.file', from: null, to: 'mine.reward.js' }], { 'mine.reward.js': digest }],
    );
  });

  it('does not branch with a reward that does not load', async () => {
    await writeFile(join(dir, 'broken.reward.js'), 'export function reward( {\n');
    const { experiment } = run.manifest;
    const broken = { ...experiment, epochs: 2, reward: { ...experiment.reward, file: 'broken.reward.js' } };
    const before = await store.ids();
    const branching = branchRun(store, {
      run: run.id,
      epoch: 1,
      experiment: broken,
      named: ['reward.file'],
      author: 'ada',
      clock,
      dist,
    });
    await assert.rejects(branching, InputError);
    assert.deepEqual(await store.ids(), before);
  });
});
