/** Test sets that must not be written: read from what a person names, kept in the run, refused where they were damaged. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { keepTestSets, loadTestSets, readTestSets } from '../../../src/launch/inputs/testSets.ts';
import { testSetsCheck } from '../../../src/features/preflight/node/testSets.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { withPreset } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../../src/shared/experiment/schema.ts';
import { quizAdapter } from '../../support/adapters/quizAdapter.ts';

const dist = new URL('../../../dist/', import.meta.url);
const naming = (testSets: string | null, heldOutRun: number | null = 13) => ({
  generation: { ...presets.default.generation, testSets, heldOutRun },
});

const withTestSets = (testSets: string | null): Experiment =>
  experimentSchema.parse(withPreset({ preset: 'default', name: 'sets', generation: { testSets } }));

describe('test sets of a run', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genenv-test-sets-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const fails = (testSets: string, message: RegExp): Promise<void> =>
    assert.rejects(loadTestSets(naming(testSets), folder, dist), (error) => {
      assert.ok(error instanceof InputError);
      assert.equal(error.problems[0]?.field, 'generation.testSets');
      assert.match(error.problems[0].message, message);
      return true;
    });

  it('are those of a task file, without instructions, and the same in the run', async () => {
    const line = {
      ...{ id: 'q1', gold: '4', evaluation: { kind: 'exact' } },
      prompt: [
        { role: 'system', content: 'Answer.' },
        { role: 'user', content: 'What is two and two?' },
      ],
    };
    await writeFile(join(folder, 'tests.jsonl'), `${JSON.stringify(line)}\n`);
    const loaded = await loadTestSets(naming('tests.jsonl'), folder, dist);
    assert.deepEqual(loaded, [{ of: 'tests.jsonl', id: 'validation.q1', text: 'What is two and two?' }]);
    const run = join(folder, 'run');
    await mkdir(run);
    await keepTestSets(run, loaded);
    await rm(join(folder, 'tests.jsonl'));
    assert.deepEqual(await readTestSets(naming('tests.jsonl'), run), loaded, 'the original is not needed any more');
    const again = await loadTestSets(naming('run/inputs/testSets.json'), folder, dist);
    assert.deepEqual(again, loaded, 'a new run names what the old one kept');
    const kept = join(run, 'inputs', 'testSets.json');
    await writeFile(kept, (await readFile(kept, 'utf8')).replace('two and two', 'two and three'));
    await assert.rejects(readTestSets(naming('tests.jsonl'), run), /check sum differs/);
    await writeFile(kept, '{');
    await assert.rejects(readTestSets(naming('tests.jsonl'), run), /cannot be read/);
  });

  it('are none where none is named, or words are not compared', async () => {
    assert.equal(await loadTestSets(naming(null), folder, dist), null);
    assert.equal(await loadTestSets(naming('missing.jsonl', null), folder, dist), null);
    assert.equal(await readTestSets(naming('missing.jsonl', null), folder), null);
  });

  it('are found beside the experiment and below, without what is trained on', async () => {
    const home = join(folder, 'found');
    const below = join(home, 'benchmarks', 'quiz');
    await mkdir(below, { recursive: true });
    await mkdir(join(home, 'node_modules', 'quiz'), { recursive: true });
    assert.deepEqual(await loadTestSets(naming('found'), home, dist), []);
    for (const at of [below, join(home, 'node_modules', 'quiz')]) {
      await writeFile(join(at, 'quiz.adapter.json'), JSON.stringify(quizAdapter()));
      for (const split of ['train', 'test']) {
        const line = JSON.stringify({ question: `Which capital is called ${split}?`, answer: 'Paris' });
        await writeFile(join(at, `${split}.jsonl`), `${line}\n`);
      }
    }
    await writeFile(join(home, 'broken.adapter.json'), '{');
    const found = await loadTestSets(naming('found'), home, dist);
    assert.deepEqual(
      found?.map(({ of, text }) => [of, text]),
      [['quiz', 'Q: Which capital is called test?']],
    );
    const said = async (testSets: string | null) =>
      testSetsCheck(withTestSets(testSets), { directory: home, loaded: testSets === null ? null : found });
    assert.equal((await said('found')).sentence, ' Not to be written: quiz (1).');
    assert.match((await said(null)).doubts[0]?.message ?? '', /test sets that lie here: quiz \(test\)\.$/);
    const run = join(folder, 'found-run');
    await mkdir(run);
    await keepTestSets(run, []);
    assert.deepEqual(await readTestSets(naming('found'), run), [], 'none was found, and none is later');
    await rm(join(below, 'test.jsonl'));
    assert.deepEqual(await loadTestSets(naming('found'), home, dist), [], 'data that is not there refuses nothing');
  });

  it('are refused before the run is made where they cannot be read', async () => {
    await fails('missing.jsonl', /There is no file .*missing\.jsonl/);
    await mkdir(join(folder, 'folder.jsonl'));
    await fails('folder.jsonl', /cannot be read/);
    await fails('nosuch', /There is no test set “nosuch”/);
    await mkdir(join(folder, 'empty'));
    await fails('empty', /holds no adapter/);
  });
});
