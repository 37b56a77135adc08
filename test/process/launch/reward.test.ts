import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import * as z from 'zod';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { changedPrograms } from '../../../src/launch/inputs/changedPrograms.ts';
import { keepReward, loadReward, openReward, readKept } from '../../../src/launch/scoring/reward.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { traceSchema, type Trace } from '../../../src/shared/records/trace.ts';
import { dist } from '../../support/built.ts';
import { callOf } from '../../support/rewards/given.ts';
import { launchHere, type LaunchOptions } from '../../support/launchHere.ts';
import { tiny } from '../../support/tiny.ts';

/** Judges by length, slowly at first: what comes first is known last. */
const reward = `import { lengthOf } from './helpers/length';
let calls = 0;
export async function reward(task: { id: string }, trace: { id: string; answer: string }) {
  calls += 1;
  if (calls < 4) await new Promise((done) => setTimeout(done, 20));
  if (trace.answer === '') throw new Error('nothing was said');
  const length: number = lengthOf(trace.answer);
  if (length % 2 === 0) console.log('saw', 'x'.repeat(length % 4 === 0 ? 6000 : 3));
  return { success: length % 2 === 0, reward: (length % 10) / 10, parts: { length }, note: task.id + ' ' + trace.id };
}
`;

describe('a run with a reward of a person’s own', function () {
  this.timeout(240_000);
  let dir = '';

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-own-reward-'));
    await mkdir(join(dir, 'mine', 'helpers'), { recursive: true });
    await writeFile(join(dir, 'mine', 'length.reward.ts'), reward);
    await writeFile(
      join(dir, 'mine', 'helpers', 'length.ts'),
      'export const lengthOf = (text: string): number => text.length;\n',
    );
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  function experiment(file: string): Experiment {
    const small = { ...tiny, epochs: 1, reward: { file }, validation: { every: 0 } };
    const parsed = parseExperiment(JSON.stringify(small), 'mine.genenv.json');
    if ('problems' in parsed) throw new InputError(parsed.problems);
    return parsed.experiment;
  }

  async function run(root: string, options: LaunchOptions = {}, resume?: string) {
    const here = { root: join(dir, root), notes: [] };
    const start =
      resume === undefined ? { experiment: experiment('mine/length.reward.ts'), directory: dir } : { resume };
    const landing = await launchHere(here, start, { dist, ...options });
    const text = await readFile(join(here.root, landing.id, 'traces.jsonl'), 'utf8').catch(() => '');
    return { landing, dir: join(here.root, landing.id), text };
  }

  const tracesOf = (text: string): Trace[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => traceSchema.parse(JSON.parse(line)));

  it('is judged by it, in the order in which answers came, and goes on from its own copy', async () => {
    const whole = await run('whole');
    assert.equal(whole.landing.state, 'finished', whole.landing.error?.message ?? '');
    const traces = tracesOf(whole.text);
    assert.ok(traces.length > 20);
    for (const { messages, verdict, task, id } of traces) {
      const { length } = messages.at(-1)?.content ?? '';
      if (length === 0) assert.match(verdict.error ?? '', /nothing was said \(.*length\.reward\.ts:6:/);
      else {
        assert.equal(verdict.success, length % 2 === 0);
        assert.equal(verdict.note, `${task} ${id}`);
        assert.deepEqual(verdict.parts, { length });
        const long = `saw ${'x'.repeat(3996)}\n… (cut: it printed more than 4000 characters)`;
        assert.equal(verdict.output, [long, undefined, 'saw xxx\n', undefined][length % 4]);
      }
    }

    const boundary = new AbortController();
    const broken = await run('broken', {
      boundary: boundary.signal,
      onEvent: ({ type }) => {
        if (type === 'tasks.generated') boundary.abort();
      },
    });
    assert.equal(broken.landing.state, 'paused', broken.landing.error?.message ?? '');
    await rename(join(dir, 'mine'), join(dir, 'gone'));
    const resumed = await run('broken', {}, broken.landing.id);
    assert.equal(resumed.landing.state, 'finished', resumed.landing.error?.message ?? '');
    assert.equal(withoutPlaces(resumed.text), withoutPlaces(whole.text));

    const kept: unknown = JSON.parse(await readFile(join(whole.dir, 'inputs', 'reward.json'), 'utf8'));
    const { file, files } = z.object({ file: z.string(), files: z.record(z.string(), z.string()) }).parse(kept);
    assert.equal(file, 'length.reward.ts');
    assert.deepEqual(Object.keys(files).sort(), ['helpers/length.ts', 'length.reward.ts']);

    await writeFile(join(whole.dir, 'inputs', 'reward', file), 'export const reward = () => 1;\n');
    const { openJudge } = await import('../../../src/launch/scoring/reward.ts');
    await assert.rejects(
      openJudge(experiment('mine/length.reward.ts'), whole.dir, dist),
      /copy of its reward was changed/,
    );
  });

  for (const name of ['a folder', 'the file']) {
    it(`is kept whole where ${name} is a symbolic link`, async () => {
      const file = name === 'the file' ? 'linked.reward.ts' : 'link/length.reward.ts';
      await symlink(join(dir, 'mine'), join(dir, 'link'));
      await symlink(join('mine', 'length.reward.ts'), join(dir, 'linked.reward.ts'));
      const loaded = await loadReward(experiment(file), dir, dist);
      const kept = join(dir, 'runs', 'linked');
      await keepReward(kept, loaded);
      assert.deepEqual([...(loaded?.texts.keys() ?? [])].sort(), ['helpers/length.ts', basename(file)].sort());
      const copy = join(kept, 'inputs', 'reward', (await readKept(kept)).file);
      const host = await openReward(experiment(file), copy, dist, 1);
      const { verdict } = await host.judge(callOf('four'));
      host.dispose();
      assert.equal(verdict.success, true);
      const settings = { experiment: experiment(file), source: relative(kept, join(dir, 'mine.genenv.json')) };
      assert.deepEqual(await changedPrograms(kept, settings), []);
      await writeFile(join(dir, 'mine', 'helpers', 'length.ts'), 'export const lengthOf = () => 1;');
      assert.match((await changedPrograms(kept, settings)).join(), /^helpers\/length\.ts changed/);
    });
  }

  it('is refused in another encoding than UTF-8, which a run could not keep as it is', async () => {
    const text = "# -*- coding: latin-1 -*-\ndef reward(task, trace): return 1 if trace['answer'] == 'é' else 0\n";
    await writeFile(join(dir, 'mine', 'old.reward.py'), text, 'latin1');
    await assert.rejects(loadReward(experiment('mine/old.reward.py'), dir, dist), (error) => {
      assert.ok(error instanceof InputError);
      const [problem] = error.problems;
      assert.equal(problem?.message, 'old.reward.py is not in UTF-8, in which a run keeps its programs.');
      assert.equal(problem.file, join(dir, 'mine', 'old.reward.py'));
      return true;
    });
    const marked = `\uFEFF${text.replace('latin-1', 'utf-8')}`;
    await writeFile(join(dir, 'mine', 'old.reward.py'), marked);
    const loaded = await loadReward(experiment('mine/old.reward.py'), dir, dist);
    assert.deepEqual([...(loaded?.texts ?? [])], [['old.reward.py', marked]]);
  });

  it('is no file outside the run that keeps it', async () => {
    const { openJudge } = await import('../../../src/launch/scoring/reward.ts');
    const folder = await mkdtemp(join(tmpdir(), 'genenv-kept-'));
    await mkdir(join(folder, 'inputs'));
    for (const file of ['../../outside.reward.js', '/outside.reward.js', 'a/../../b.reward.js', '..\\b.reward.js']) {
      await writeFile(join(folder, 'inputs', 'reward.json'), JSON.stringify({ v: 1, file, files: {} }));
      await assert.rejects(openJudge(experiment('mine.reward.js'), folder, dist), /outside the run’s folder/);
    }
    await rm(folder, { recursive: true });
  });

  it('does not begin when the file does not load, and says where', async () => {
    await writeFile(join(dir, 'mine', 'broken.reward.ts'), '\nthrow new Error("not yet");\n');
    await writeFile(join(dir, 'mine', 'broken.reward.py'), 'import nothing_of_this_name\n');
    await writeFile(join(dir, 'mine', 'cut.reward.ts'), 'const a: number = 1;\nexport const reward = (\n');
    await writeFile(join(dir, 'mine', 'empty.reward.js'), 'export const score = () => 1;\n');
    for (const [name, line, words] of [
      ['broken.reward.ts', 2, /not yet/],
      ['broken.reward.py', 1, /No module named/],
      ['cut.reward.ts', 2, /Expression expected/],
      ['empty.reward.js', 1, /exports no function “reward”/],
      ['absent.reward.ts', 1, /absent/],
      ['mine.ts', 1, /is named/],
    ] as const) {
      await assert.rejects(loadReward(experiment(`mine/${name}`), dir, dist), (error) => {
        assert.ok(error instanceof InputError);
        const [problem] = error.problems;
        assert.match(problem?.message ?? '', words);
        assert.deepEqual([problem?.file, problem?.line], [join(dir, 'mine', name), line]);
        return true;
      });
    }
  });
});

/** A copy lies elsewhere than the original: what went wrong has the same line in another file. */
const withoutPlaces = (text: string): string => text.replaceAll(/\([^()]*reward\.ts:/g, '(');
