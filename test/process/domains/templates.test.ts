import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkDomain } from '../../../src/domains/checkDomain.ts';
import { domainTemplates, taskKinds } from '../../../src/features/domains/host/domainTemplates.ts';
import { runDomainCases } from '../../../src/features/domains/node/trialCases.ts';
import { openDomainTrial, soloExperiment } from '../../../src/features/domains/node/openTrial.ts';
import { casesFile } from '../../../src/shared/rewards/cases.ts';
import { traceSchema } from '../../../src/shared/records/trace.ts';
import { ended } from '../../support/genenv.ts';
import { cli, dist } from '../../support/built.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
import { onlyRun } from '../../support/runContents.ts';

/** As a model might write them, and what becomes of each. */
const texts = [
  'Tom has 12 marbles and gives 5 away. How many has he?\n= 12 - 5',
  'A box holds 4 rows of 6 eggs, and 3 are broken. How many are whole?\n= (4 * 6) - 3',
  'Tom has 12 marbles. How many has he?\n= 12 - 5',
  'Tom has 3 pies for 2 friends. How many each?\n= 3 / 2',
  'Tom has 3 pies for 0 friends. How many each?\n= 3 / 0',
  'How many?\n= process.exit(1)',
  'I would rather not.',
];

/** A solution in the language of a file. */
const solution = (ending: string, does: 'max' | 'min'): string =>
  ending.endsWith('.py')
    ? `def solve(numbers):\n    return ${does}(numbers)`
    : `const solve = (numbers) => Math.${does}(...numbers);`;

/** A problem as an environment may write it. */
const problem = (ending: string, does: 'max' | 'min', tests: readonly string[]): string =>
  `Problem: solve(numbers) gives the largest of them.\nSolution:\n\`\`\`\n${solution(ending, does)}\n\`\`\`\nTests:\n${tests.join('\n')}`;

describe('templates of domains', function () {
  this.timeout(120_000);
  let dir = '';
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-template-'));
  });
  after(() => rm(dir, { recursive: true, force: true }));

  for (const { ending, text } of domainTemplates.filter(({ tasks }) => tasks === 'questions')) {
    it(`are whole: *${ending}`, async () => {
      const file = join(dir, `mine${ending}`);
      await writeFile(file, text);
      const trial = await openDomainTrial(soloExperiment(file), dir, dist);
      try {
        assert.ok(trial.heldOut.length > 0);
        const { domain, functions, exported, base, heldOutLike } = trial;
        const report = await checkDomain({ domain, functions, exported, heldOutLike, tasks: base, texts });
        assert.deepEqual(report.problems, []);
        assert.equal(report.seeds, 2);
        assert.match(report.environmentPrompt?.[0]?.content ?? '', /50 % of tries:\n\nAnn has 3 apples/);
        assert.deepEqual(report.texts, {
          given: 7,
          tasks: 2,
          causes: { gold: 1, unparseable: 4 },
          rejected: {
            'a number of the expression is not in the story': 1,
            'the answer is no natural number': 1,
            'its expression is no arithmetic': 1,
            'it is no story with an expression below it': 2,
          },
        });
      } finally {
        trial.close();
      }
    });
  }

  const others = [
    {
      tasks: 'tools',
      given: () => [
        'Request: Wake me in 40 minutes from my nap.\nCall: {"name": "set_timer", "arguments": {"label": "nap", "minutes": 40}}',
        'Request: Wake me.\nCall: {"name": "set_timer", "arguments": {"label": "nap", "minutes": 40}}',
        'Request: Add 3 pears.\nCall: {"name": "add_to_list", "arguments": {"item": "pears", "amount": "3"}}',
        'Request: Add 3 pears.\nCall: {"name": "add_to_list", "arguments": {"item": "pears"}}',
        'Request: Format the disk.\nCall: {"name": "format", "arguments": {}}',
        'Request: Add 3 pears.\nCall: {add_to_list}',
        'I would rather not.',
      ],
      rejected: {
        'an argument does not stand in the request': 1,
        'an argument is of the wrong type': 1,
        'its call has too few arguments, or too many': 1,
        'there is no such tool': 1,
        'its call is no JSON with a name and arguments': 1,
        'it is no request with a call below it': 1,
      },
    },
    {
      tasks: 'code',
      given: (ending: string) => [
        problem(ending, 'max', ['[[3, 9]] -> 9', '[[-2]] -> -2', '[[8, 1]] -> 8']),
        problem(ending, 'max', ['[[3, 9]] -> 9', '[[-2]] -> -2']),
        problem(ending, 'max', ['[[3, 9]] -> 9', 'solve(-2) -> -2', '[[8, 1]] -> 8']),
        problem(ending, 'max', ['[[3, 9]] -> 9', '[[3, 9]] -> 9', '[[8, 1]] -> 8']),
        problem(ending, 'max', ['[[3, 9]] -> 9', '[[9]] -> 9', '[[9, 1]] -> 9']),
        problem(ending, 'min', ['[[3, 9]] -> 9', '[[-2]] -> -2', '[[8, 1]] -> 8']),
        'I would rather not.',
      ],
      rejected: {
        'it has fewer than 3 tests, or more than 12': 1,
        'a test is no list of arguments with what it gives': 1,
        'two tests are the same call': 1,
        'all tests give the same': 1,
        'its own solution does not pass: it gives 3 for [[3,9]] -> 9': 1,
        'it is no problem with a solution and tests below it': 1,
      },
    },
    {
      tasks: 'game',
      given: () => ['100 64 7', '10 11 3', '10 3 0', 'a game'],
      rejected: {
        'the secret number is out of range': 1,
        'it has no guess, or more than 12': 1,
        'it is not three numbers': 1,
      },
    },
  ] as const;
  for (const { tasks, given, rejected } of others) {
    for (const { ending, text } of domainTemplates.filter((one) => one.tasks === tasks)) {
      it(`are whole: ${tasks}, *${ending}`, async () => {
        const file = join(dir, `${tasks}${ending}`);
        await writeFile(file, text);
        const trial = await openDomainTrial(soloExperiment(file), dir, dist);
        try {
          const { domain, functions, exported, base, heldOut, heldOutLike } = trial;
          assert.deepEqual([base.length, heldOut.length], [2, 1]);
          const report = await checkDomain({
            domain,
            functions,
            exported,
            heldOutLike,
            tasks: base,
            texts: given(ending),
          });
          assert.deepEqual(report.problems, []);
          assert.deepEqual(
            Object.fromEntries(
              Object.entries(report.texts?.rejected ?? {}).map(([why, count]) => [why.replace('3, 9', '3,9'), count]),
            ),
            rejected,
          );
          assert.equal(report.texts?.tasks, 1);
        } finally {
          trial.close();
        }
      });
    }
  }

  it('come in three languages each, with cases that they pass', async () => {
    for (const tasks of taskKinds) {
      const templates = domainTemplates.filter((one) => one.tasks === tasks);
      assert.deepEqual(
        templates.map(({ ending }) => ending),
        ['.domain.ts', '.domain.js', '.domain.py'],
      );
      for (const { ending, text, cases } of templates) {
        const file = join(dir, `worked-${tasks}${ending}`);
        await writeFile(file, text);
        await writeFile(casesFile(file), cases);
        const trial = await openDomainTrial(soloExperiment(file), dir, dist);
        try {
          const run = await runDomainCases(trial, new AbortController().signal);
          const results = await Array.fromAsync(run?.results ?? []);
          assert.ok(results.length >= 4, `${results.length} cases of ${tasks}${ending}`);
          assert.deepEqual(
            results.filter(({ wrong }) => wrong !== null),
            [],
          );
        } finally {
          trial.close();
        }
      }
    }
  });

  const nasty: Readonly<Record<string, readonly string[]>> = {
    '.domain.ts': [
      'const solve = () => process.exit(1);',
      "const solve = () => this.constructor.constructor('return process')().exit(1);",
      'const solve = () => import("node:fs");',
      'const solve = (...given) => solve(...given);',
      'JSON.stringify = () => ({ length: 1e9 }); const solve = () => 1;',
      'JSON.stringify = () => "[[6],[0],[0]]"; const solve = () => 1;',
      'const solve = () => { Promise.resolve().then(() => { for (;;); }); return 6; };',
      'Promise.reject(new Error("gone")); const solve = () => 6;',
      'solve(',
    ],
    '.domain.py': [
      'import os\ndef solve(n):\n    os._exit(1)',
      'def solve(n):\n    return ().__class__.__base__.__subclasses__()',
      'def solve(n):\n    return open("/etc/hostname").read()',
      'def solve(n):\n    return solve(n)',
      'def solve(n):\n    while True:\n        pass',
      'def solve(n):\n    return {1, 2}',
      'def solve(n:',
    ],
  };
  for (const { ending, text } of domainTemplates.filter((one) => one.tasks === 'code')) {
    const answers = nasty[ending];
    if (answers === undefined) continue;
    it(`take code that will not do for an attempt that fails, and no more: *${ending}`, async () => {
      const file = join(dir, `nasty${ending}`);
      await writeFile(file, text);
      const trial = await openDomainTrial(soloExperiment(file), dir, dist);
      try {
        const [task] = trial.base;
        assert.ok(task !== undefined && trial.domain.judge !== null);
        for (const answer of [...answers.map((code) => `\`\`\`\n${code}\n\`\`\``), task.gold ?? '']) {
          const verdict = await trial.domain.judge.judge(task, {
            ...{ v: 1, id: 'a', purpose: 'train', task: task.id, family: task.family, epoch: 0, version: 'a' },
            ...{ messages: [{ role: 'assistant', content: answer }], sequences: [], stopReason: 'stop' },
          });
          assert.equal(verdict.error, undefined, answer);
          assert.equal(verdict.success, answer === task.gold, answer);
        }
      } finally {
        trial.close();
      }
    });
  }

  it('leave the type checker nothing to say', async () => {
    const files: string[] = [];
    for (const { tasks, ending, text, types, language } of domainTemplates) {
      if (language !== 'typescript') continue;
      const file = join(dir, `typed-${tasks}${ending}`);
      await writeFile(file, text);
      await copyFile(new URL(`../../../media/domains/${types}`, import.meta.url), join(dir, types));
      files.push(file);
    }
    const tsc = fileURLToPath(new URL('../../../node_modules/typescript-7/bin/tsc', import.meta.url));
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', ''];
    const { out } = await ended(spawn(process.execPath, [tsc, ...options, ...files], { cwd: dir }));
    assert.equal(out, '');
  });

  /** The texts of environment and agent, by the seed of the request; some of them right. */
  const models = {
    tools: {
      asked: /^An assistant has these tools/,
      writes: (seed: number) =>
        `Request: Add ${seed % 90} pears.\nCall: {"name": "add_to_list", "arguments": {"item": "pears", "amount": ${seed % 90}}}`,
      says: (seed: number, read: string) => {
        const amount = seed % 2 === 0 ? /\d+/.exec(read)?.[0] : '91';
        const call = { name: 'add_to_list', arguments: { amount: Number(amount), item: 'pears' } };
        return `<tool_call>${JSON.stringify(call)}</tool_call>`;
      },
    },
    code: {
      asked: /^Write one programming problem/,
      writes: (seed: number, ending: string) =>
        problem(ending, seed % 3 === 0 ? 'min' : 'max', [
          `[[3, ${10 + (seed % 80)}]] -> ${10 + (seed % 80)}`,
          '[[-2]] -> -2',
          '[[8, 1]] -> 8',
        ]),
      says: (seed: number, _: string, ending: string) =>
        `So:\n\`\`\`\n${solution(ending, seed % 2 === 0 ? 'max' : 'min')}\n\`\`\``,
    },
    game: {
      asked: /^A player guesses a number/,
      writes: (seed: number) => `4 ${1 + (seed % 4)} 2`,
      says: (seed: number) => String(1 + (seed % 4)),
    },
  };
  const ran = (['tools', 'code', 'game'] as const).flatMap((tasks) =>
    domainTemplates.flatMap((one) =>
      one.tasks === tasks && one.language !== 'javascript' ? [{ tasks, ending: one.ending, text: one.text }] : [],
    ),
  );
  for (const { tasks, ending, text } of ran) {
    it(`are run for some epochs: ${tasks}, *${ending}`, async () => {
      const { asked, writes, says } = models[tasks];
      const server = new FakeServer('vllm');
      server.context = 1_000_000;
      server.tools = 'says';
      server.says = (seed, { messages = [] }) => {
        const read = messages[0]?.content ?? '';
        return { content: asked.test(read) ? writes(seed, ending) : says(seed, read, ending) };
      };
      await server.start();
      try {
        const endpoint = { kind: 'openai', url: server.url, model };
        const experiment = {
          ...{ preset: 'default', name: tasks, mode: 'random', epochs: 2, domain: { file: `${tasks}${ending}` } },
          ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
          ...{ generation: { families: 4, variations: 2 }, rollouts: { group: 4, maxTurns: 4 } },
          validation: { tasks: 1 },
        };
        await writeFile(join(dir, `${tasks}${ending}`), text);
        await writeFile(join(dir, `${tasks}.genenv.json`), JSON.stringify(experiment));
        const root = join(dir, `runs-${tasks}${ending}`);
        await promisify(execFile)(process.execPath, [cli, 'run', join(dir, `${tasks}.genenv.json`), '--root', root]);
        const lines = (await readFile(join(root, await onlyRun(root), 'traces.jsonl'), 'utf8')).trim().split('\n');
        const traces = lines
          .map((line) => traceSchema.parse(JSON.parse(line)))
          .filter(({ purpose }) => purpose === 'train');
        const solved = traces.filter(({ verdict }) => verdict.success).length;
        assert.ok(solved > 0 && solved < traces.length, `${solved} of ${traces.length}`);
        assert.ok(traces.every(({ verdict }) => verdict.error === undefined));
        const turns = new Set(traces.map(({ messages }) => messages.filter(({ role }) => role === 'assistant').length));
        assert.equal(Math.max(...turns), tasks === 'game' ? 4 : 1);
      } finally {
        await server.stop();
      }
    });
  }
});
