import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkDomain } from '../../../src/domains/checkDomain.ts';
import { domainTemplates } from '../../../src/features/domains/host/domainTemplates.ts';
import { openDomainTrial, soloExperiment } from '../../../src/features/domains/node/openTrial.ts';
import { traceSchema } from '../../../src/shared/records/trace.ts';
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
        const { domain, functions, exported, base } = trial;
        const report = await checkDomain({ domain, functions, exported, tasks: base, texts });
        assert.deepEqual(report.problems, []);
        assert.equal(report.seeds, 2);
        assert.match(report.environmentPrompt?.[0]?.content ?? '', /50 % of tries:\n\nAnn has 3 apples/);
        assert.deepEqual(report.texts, {
          given: 7,
          tasks: 2,
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
      given: [
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
      tasks: 'game',
      given: ['100 64 7', '10 11 3', '10 3 0', 'a game'],
      rejected: {
        'the secret number is out of range': 1,
        'it has no guess, or more than 12': 1,
        'it is not three numbers': 1,
      },
    },
  ] as const;
  for (const { tasks, given, rejected } of others) {
    it(`are whole: ${tasks}`, async () => {
      const template = domainTemplates.find((one) => one.tasks === tasks) ?? assert.fail('no template');
      const file = join(dir, `${tasks}${template.ending}`);
      await writeFile(file, template.text);
      const trial = await openDomainTrial(soloExperiment(file), dir, dist);
      try {
        const { domain, functions, exported, base, heldOut } = trial;
        assert.deepEqual([base.length, heldOut.length], [2, 1]);
        const report = await checkDomain({ domain, functions, exported, tasks: base, texts: given });
        assert.deepEqual(report.problems, []);
        assert.deepEqual(report.texts, { given: given.length, tasks: 1, rejected });
      } finally {
        trial.close();
      }
    });
  }

  /** What the environment writes and what the agent says, by the seed of the request; some of it right. */
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
    game: {
      asked: /^A player guesses a number/,
      writes: (seed: number) => `4 ${1 + (seed % 4)} 2`,
      says: (seed: number) => String(1 + (seed % 4)),
    },
  };
  for (const tasks of ['tools', 'game'] as const) {
    it(`are trained on for some epochs: ${tasks}`, async () => {
      const { asked, writes, says } = models[tasks];
      const template = domainTemplates.find((one) => one.tasks === tasks) ?? assert.fail('no template');
      const server = new FakeServer('vllm');
      server.context = 1_000_000;
      server.tools = 'says';
      server.says = (seed, { messages = [] }) => {
        const read = messages[0]?.content ?? '';
        return { content: asked.test(read) ? writes(seed) : says(seed, read) };
      };
      await server.start();
      try {
        const endpoint = { kind: 'openai', url: server.url, model };
        const experiment = {
          ...{ preset: 'default', name: tasks, mode: 'random', epochs: 2, domain: { file: `${tasks}.domain.ts` } },
          ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
          ...{ generation: { families: 4, variations: 2 }, rollouts: { group: 4, maxTurns: 4 } },
          validation: { tasks: 1 },
        };
        await writeFile(join(dir, `${tasks}.domain.ts`), template.text);
        await writeFile(join(dir, `${tasks}.genenv.json`), JSON.stringify(experiment));
        const root = join(dir, `runs-${tasks}`);
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
