/** A branch reads the files anew that its settings name anew, and keeps its parent's copies of the others. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { branchRun } from '../../../src/launch/branchRun.ts';
import { readAnew } from '../../../src/launch/branchedFiles.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { readInputs } from '../../../src/launch/inputs/inputs.ts';
import { readTestSets } from '../../../src/launch/inputs/testSets.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { branchedExperiment, namedFields } from '../../../src/shared/experiment/branched.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { fromSources } from '../../support/fromSources.ts';
import { launchHere } from '../../support/launchHere.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { tiny } from '../../support/tiny.ts';

const clock = { now: () => 7 };
const log = { info: () => undefined, warn: () => undefined };

/** Task files with tasks of their own. */
const tasksFrom = (name: string, first: number): string =>
  new StorekeeperDomain({ baseTasks: first + 4 })
    .seeds('base')
    .slice(first)
    .map(({ prompt, evaluation, gold }, i) => `${JSON.stringify({ id: `${name}.${i}`, prompt, evaluation, gold })}\n`)
    .join('');

describe('files of a branch', function () {
  this.timeout(240_000);
  let dir = '';
  let store: RunStore;
  /** One epoch at tasks of A, and one at tasks that its environment wrote. */
  let offline = '';
  let written = '';

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-branched-'));
    for (const [name, first] of [
      ['A', 0],
      ['B', 4],
    ] as const)
      await writeFile(join(dir, `${name}.jsonl`), tasksFrom(name, first));
    store = new RunStore(join(dir, 'runs'), { clock, log, version: 'test' });
    const run = async (name: string, over: object): Promise<string> => {
      const text = JSON.stringify({ ...tiny, name, epochs: 1, ...over });
      const parsed = parseExperiment(text, `${name}.genenv.json`);
      if ('problems' in parsed) throw new InputError(parsed.problems);
      const file = join(dir, `${name}.genenv.json`);
      const start = { experiment: parsed.experiment, directory: dir, file };
      const landing = await launchHere({ root: store.root, notes: [] }, start, { dist: fromSources });
      assert.equal(landing.state, 'finished', landing.error?.message ?? '');
      return landing.id;
    };
    const sets = { families: 2, variations: 2, heldOutRun: 13, testSets: 'A.jsonl' };
    offline = await run('offline', {
      mode: 'offline',
      generation: { families: 2, variations: 2, offlineFile: 'A.jsonl' },
    });
    written = await run('written', { generation: sets });
  });
  after(() => rm(dir, { recursive: true, force: true }));

  const settingsOf = async (run: string): Promise<Experiment> => {
    const reader = await store.openReader(run);
    await reader.close();
    return reader.manifest.experiment;
  };

  /** A branch, with what its journal says of its files. */
  const branch = async (
    run: string,
    epoch: number,
    ...sets: string[]
  ): Promise<{ id: string; dir: string; experiment: Experiment; changes: unknown[] }> => {
    const parsed = branchedExperiment(await settingsOf(run), ['epochs=2', ...sets], epoch);
    if ('problems' in parsed) throw new InputError(parsed.problems);
    const { experiment } = parsed;
    const asked = { run, epoch, experiment, named: namedFields(sets), author: 'ada' };
    const writer = await branchRun(store, { ...asked, clock, dist: fromSources });
    await writer.close();
    const reader = await store.openReader(writer.id);
    const events = await all(reader.events());
    await reader.close();
    const changes = events.flatMap((one) => (one.type === 'settings.changed' ? [one.epoch, ...one.changes] : []));
    return { id: writer.id, dir: writer.dir, experiment, changes };
  };
  const offlineIds = async ({ dir: home, experiment }: Awaited<ReturnType<typeof branch>>): Promise<string[]> =>
    ((await readInputs(home, experiment)).offline ?? []).map(({ id }) => id);

  it('are those named for it where no shared epoch attempted tasks of the others', async () => {
    const same = await branch(offline, 1, 'generation.offlineFile=A.jsonl');
    assert.deepEqual(
      [await offlineIds(same), same.changes],
      [['offline.A.0', 'offline.A.1', 'offline.A.2', 'offline.A.3'], []],
    );
    const other = await branch(offline, 0, 'generation.offlineFile=B.jsonl');
    const change = { field: 'generation.offlineFile', from: 'A.jsonl', to: 'B.jsonl' };
    assert.deepEqual(
      [await offlineIds(other), other.changes],
      [
        ['offline.B.0', 'offline.B.1', 'offline.B.2', 'offline.B.3'],
        [1, change],
      ],
    );
    const begun = await branch(written, 1, 'mode=offline', 'generation.offlineFile=B.jsonl');
    assert.deepEqual(await offlineIds(begun), ['offline.B.0', 'offline.B.1', 'offline.B.2', 'offline.B.3']);
    assert.deepEqual(begun.changes, [2, { ...change, from: null }]);
    const landing = await launchHere({ root: store.root, notes: [] }, { resume: begun.id }, { dist: fromSources });
    assert.equal(landing.state, 'finished', landing.error?.message ?? '');
  });

  it('are refused before a run is made where the shared epochs attempted others, and where there is none', async () => {
    const before = await store.ids();
    const fails = (set: string, message: RegExp): Promise<void> =>
      assert.rejects(branch(offline, 1, set), (error) => {
        assert.ok(error instanceof InputError);
        assert.match(error.message, message);
        return error.problems[0]?.field === set.split('=')[0] && error.problems[0]?.ofName === true;
      });
    await fails('generation.offlineFile=B.jsonl', /not those that the shared epochs attempted/);
    await fails('generation.offlineFile=missing.jsonl', /There is no file .*missing\.jsonl/);
    await fails('generation.testSets=missing.jsonl', /There is no file .*missing\.jsonl/);
    assert.deepEqual(await store.ids(), before);
  });

  it('are test sets as they are now where they are named, or read at all for the first time', async () => {
    const of = async ({ dir: home, experiment }: Awaited<ReturnType<typeof branch>>): Promise<unknown> =>
      (await readTestSets(experiment, home))?.map(({ of: name }) => name)[0];
    const field = 'generation.testSets';
    const other = await branch(written, 1, `${field}=B.jsonl`);
    assert.deepEqual([await of(other), other.changes], ['B.jsonl', [2, { field, from: 'A.jsonl', to: 'B.jsonl' }]]);
    const off = await branch(written, 1, 'generation.heldOutRun=null');
    assert.deepEqual([await of(off), off.changes], [undefined, [2, { field, from: 'A.jsonl', to: null }]]);
    const on = await branch(offline, 1, 'generation={"heldOutRun":8,"testSets":"B.jsonl"}');
    assert.deepEqual([await of(on), on.changes], ['B.jsonl', [2, { field, from: null, to: 'B.jsonl' }]]);
    // The copy is what the parent had, whatever became of the file.
    const text = await readFile(join(dir, 'A.jsonl'), 'utf8');
    await writeFile(join(dir, 'A.jsonl'), tasksFrom('C', 8));
    try {
      assert.deepEqual((await branch(written, 1)).changes, []);
      const anew = await branch(written, 1, `${field}=A.jsonl`);
      assert.deepEqual(anew.changes, [2, { field, from: 'A.jsonl', to: 'A.jsonl' }]);
    } finally {
      await writeFile(join(dir, 'A.jsonl'), text);
    }
  });

  it('are known before the branch is made', async () => {
    const before = await settingsOf(written);
    const given = { ...before, mode: 'offline' as const, generation: { ...before.generation, offlineFile: 'B.jsonl' } };
    assert.deepEqual(readAnew(before, given, []), ['generation.offlineFile']);
    assert.deepEqual(readAnew(before, before, []), []);
    assert.deepEqual(readAnew(before, before, ['generation.testSets', 'reward.file']), ['generation.testSets']);
  });
});
