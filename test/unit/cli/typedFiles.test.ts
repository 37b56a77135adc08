import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readExperiment, typedIn } from '../../../src/cli/readExperiment.ts';
import { branchedExperiment } from '../../../src/shared/experiment/branched.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';

describe('files that --set names', () => {
  let cwd = '';
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'genenv-typed-'));
    mkdirSync(join(cwd, 'mine'));
    writeFileSync(join(cwd, 'mine', 'b.genenv.json'), '{ "version": 1, "preset": "embedded" }');
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));
  const read = async (file: string, folder: string, ...sets: string[]) =>
    (await readExperiment(folder, file, sets)).experiment;

  it('are seen from the folder where they are typed, also within objects and of several domains', async () => {
    const one = await read(
      'mine/b.genenv.json',
      cwd,
      ...['domain.seeds=seeds.jsonl', 'reward={"file":"mine/a.reward.ts"}', 'evaluation.data=data'],
    );
    assert.equal(one.domain.seeds, join(cwd, 'seeds.jsonl'));
    assert.equal(one.reward.file, join(cwd, 'mine', 'a.reward.ts'));
    assert.equal(one.evaluation.data, join(cwd, 'data'));
    const own = 'domains=[{"name":"file","file":"sums.domain.ts","share":1},{"name":"stories","share":1}]';
    const openai = '{"kind":"openai","url":"http://127.0.0.1:9/v1","model":"m"}';
    const several = await read(
      'mine/b.genenv.json',
      cwd,
      ...[own, `endpoints.agent=${openai}`, `endpoints.environment=${openai}`, 'agent.train=false', 'mode=random'],
    );
    assert.equal(several.domains?.[0]?.file, join(cwd, 'sums.domain.ts'));
  });

  it('keep their names where both folders see the same, and words for what comes with GenEnv', async () => {
    const beside = await read('b.genenv.json', join(cwd, 'mine'), 'domain.seeds=seeds.jsonl');
    assert.equal(beside.domain.seeds, 'seeds.jsonl');
    const words = await read(
      'mine/b.genenv.json',
      cwd,
      ...[
        'endpoints.agent.weights=agent',
        'generation.testSets=found',
        'evaluation.adapter=bfcl',
        'evaluation.every=1',
      ],
    );
    const { weights } = words.endpoints.agent.kind === 'embedded' ? words.endpoints.agent : assert.fail();
    assert.deepEqual([weights, words.generation.testSets, words.evaluation.adapter], ['agent', 'found', 'bfcl']);
    mkdirSync(join(cwd, 'sets'));
    assert.equal(
      (await read('mine/b.genenv.json', cwd, 'generation.testSets=sets')).generation.testSets,
      join(cwd, 'sets'),
    );
  });

  it('are seen from there of a branch, too, wherever its parent’s experiment is', () => {
    const branch = (directory: string | null, set: string): string | null => {
      const parsed = branchedExperiment(smallExperiment({ epochs: 5 }), [set], 2, typedIn(cwd, directory));
      return 'problems' in parsed ? assert.fail(parsed.problems[0]?.message) : parsed.experiment.reward.file;
    };
    assert.equal(branch(join(cwd, 'mine'), 'reward.file=a.reward.ts'), join(cwd, 'a.reward.ts'));
    assert.equal(branch(cwd, 'reward.file=a.reward.ts'), 'a.reward.ts');
    assert.equal(branch(null, 'reward.file=a.reward.ts'), join(cwd, 'a.reward.ts'));
    assert.equal(branch(cwd, 'reward.file=null'), null);
  });
});
