/** A domain file tried at real requests, outside of any run: tasks that the environment writes, attempts that the agent makes. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDomain } from '../../../src/domains/checkDomain.ts';
import { attemptTask } from '../../../src/features/domains/node/attemptTask.ts';
import { openDomainTrial, soloExperiment } from '../../../src/features/domains/node/openTrial.ts';
import { writeTasks } from '../../../src/features/domains/node/writeTasks.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { KeyError } from '../../../src/launch/access/keys.ts';
import { withPreset } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../../src/shared/experiment/schema.ts';
import { agreedKeys } from '../../support/agreedKeys.ts';
import { dist } from '../../support/built.ts';
import { sums } from '../../support/domains/sums.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';

const log = { info: () => undefined, warn: () => undefined };

describe('a domain file that is tried', function () {
  this.timeout(120_000);
  let dir = '';
  let server: FakeServer;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-trial-'));
    await writeFile(join(dir, 'sums.domain.ts'), sums['sums.domain.ts']);
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    await server.start();
    let asked = 0;
    server.says = (seed, { messages = [] }) => {
      if (!(messages.at(-1)?.content ?? '').startsWith('Write another sum')) return { content: String(6 + (seed % 2)) };
      asked += 1;
      return { content: ['10 + 4', 'I would rather not.', '60 + 60', '1 + 1', '10 + 5'][(asked - 1) % 5] ?? '' };
    };
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });
  const experiment = (over: object = {}): Experiment => {
    const endpoint = { kind: 'openai', url: server.url, model };
    return experimentSchema.parse(
      withPreset({
        ...{ preset: 'default', name: 'own', mode: 'random', domain: { file: 'sums.domain.ts' } },
        ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false }, ...over },
      }),
    );
  };
  let now = 0;
  const tools = (signal = new AbortController().signal) => ({
    ...{ dist, log, signal, keys: agreedKeys({}), clock: { now: () => now++ } },
  });
  const open = (over: object = {}) => openDomainTrial(experiment(over), dir, dist);

  it('is refused where its copy would not load, at the line that reads what lies beside it', async () => {
    const own = sums['sums.domain.ts'];
    const file = join(dir, 'sums.domain.ts');
    await writeFile(join(dir, 'table.json'), '{}');
    await writeFile(
      file,
      `import { readFileSync } from 'node:fs';\nreadFileSync(new URL('table.json', import.meta.url));\n${own}`,
    );
    await assert.rejects(open(), (error) => {
      assert.ok(error instanceof InputError);
      const [problem] = error.problems;
      assert.deepEqual([problem?.file, problem?.line], [file, 2]);
      assert.match(
        problem?.message ?? '',
        /^A run’s copy of it does not load, as it has modules alone: .*open 'table\.json'/,
      );
      return true;
    });
    await writeFile(
      file,
      `import table from './table.json' with { type: 'json' };\nString([table, import.meta.url]);\n${own}`,
    );
    (await open()).close();
  });

  it('has five texts written, and tells which are tasks and why the others are none', async () => {
    const trial = await open();
    try {
      const [seed = assert.fail('there is one')] = trial.base;
      const { tasks, version, stopped } = await writeTasks({ trial, seed, count: 5 }, tools());
      assert.deepEqual([version, stopped, tasks.length], ['environment@0', false, 5]);
      const notes = new Map(tasks.map((task) => [task.generation?.text, task.note ?? task.gold]));
      assert.deepEqual(Object.fromEntries(notes), {
        '10 + 4': '14',
        'I would rather not.': 'it is no sum',
        '60 + 60': 'the sum is 100 or more',
        '1 + 1': 'Equal to a task written before.',
        '10 + 5': '15',
      });
      assert.match(tasks[0]?.generation?.context?.[0]?.content ?? '', /^Write another sum than 1 \+ 1/);
    } finally {
      trial.close();
    }
  });

  it('gives what was written by then where a person has enough', async () => {
    const trial = await open();
    try {
      const ending = new AbortController();
      const [seed = assert.fail('there is one')] = trial.base;
      server.says = () => {
        ending.abort();
        return { content: '10 + 4' };
      };
      const { tasks, stopped } = await writeTasks({ trial, seed, count: 5 }, tools(ending.signal));
      assert.deepEqual([stopped, tasks], [true, []]);
    } finally {
      trial.close();
    }
  });

  it('asks nobody where it may not', async () => {
    const trial = await open();
    const keys = {
      find: () => Promise.reject(new KeyError('not-allowed', 'No.', '')),
      reach: () => Promise.reject(new KeyError('not-allowed', 'No.', '')),
    };
    try {
      const [seed = assert.fail('there is one')] = trial.base;
      await assert.rejects(writeTasks({ trial, seed, count: 5 }, { ...tools(), keys }), /No\./);
      await assert.rejects(attemptTask({ trial, task: seed, attempts: 2, run: null }, { ...tools(), keys }), /No\./);
    } finally {
      trial.close();
    }
  });

  it('poses a task as often as is asked, and judges each attempt', async () => {
    const trial = await open();
    try {
      const task = trial.base[2] ?? assert.fail('there are three');
      const { traces, prompt, version, missing } = await attemptTask({ trial, task, attempts: 6, run: null }, tools());
      assert.deepEqual([version, traces.length, missing], ['agent@0', 6, null]);
      assert.equal(prompt[0]?.content, 'How much is 3 + 3? Answer with the number.');
      for (const { verdict, messages } of traces) assert.equal(verdict.success, messages.at(-1)?.content === '6');
      assert.ok(traces.some(({ verdict }) => verdict.success) && traces.some(({ verdict }) => !verdict.success));
    } finally {
      trial.close();
    }
  });

  it('is judged by the reward file that the experiment names', async () => {
    await writeFile(join(dir, 'mine.reward.ts'), 'export const reward = () => 0.25;\n');
    const trial = await open({ reward: { file: 'mine.reward.ts' } });
    try {
      const [task = assert.fail('there is one')] = trial.base;
      const { traces } = await attemptTask({ trial, task, attempts: 2, run: null }, tools());
      assert.deepEqual(
        traces.map(({ verdict }) => verdict.reward),
        [0.25, 0.25],
      );
    } finally {
      trial.close();
    }
  });

  it('has its problems at the line at which it failed', async () => {
    const failing = sums['sums.domain.ts'].replace(
      'Number(gold) < 100 ||',
      "{\n  if (gold === '4') throw new Error('no fours');\n  return Number(gold) < 5 ||",
    );
    await writeFile(join(dir, 'sums.domain.ts'), failing.replace("'the sum is 100 or more';", "'too large';\n};"));
    const trial = await openDomainTrial(soloExperiment(join(dir, 'sums.domain.ts')), dir, dist);
    try {
      const { domain, functions, exported, base, heldOutLike } = trial;
      const { problems } = await checkDomain({ domain, functions, exported, heldOutLike, tasks: base, texts: null });
      const line = failing.split('\n').findIndex((text) => text.includes('no fours')) + 1;
      assert.deepEqual(
        problems.map(({ call, task, at }) => [call, task?.gold, at?.line]),
        [
          ['verify', '4', line],
          ['verify', '6', undefined],
        ],
      );
    } finally {
      trial.close();
    }
  });
});
