/** `genenv tokens` of an evaluation: the table of an answer's tokens, and as JSON. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { StorekeeperDomain } from '../../src/benchmarks/storekeeper/domain.ts';
import { Workspace } from '../support/genenv.ts';
import { FakeServer } from '../support/openai/fakeServer.ts';

const adapter = {
  ...{ version: 1, name: 'Stores' },
  data: { folder: 'stores', obtain: 'here', format: 'jsonl', splits: { test: { files: ['*.jsonl'] } } },
  task: { id: '/record/id', prompt: [{ messages: '/record/messages' }], gold: '/record/gold' },
  answer: { kind: 'text' },
  scorer: { kind: 'contains', compare: 'trimmed' },
};

const answerSchema = z.looseObject({ id: z.string(), messages: z.array(z.looseObject({ content: z.string() })) });

const shownSchema = z.looseObject({
  ...{ of: z.literal('evaluation'), trace: z.string(), sampledBy: z.string(), without: z.null() },
  answers: z.array(
    z.looseObject({
      tokens: z.array(
        z.looseObject({ text: z.string().nullable(), sampled: z.number(), entropy: z.number().nullable() }),
      ),
    }),
  ),
});

describe('genenv tokens FOLDER', function () {
  this.timeout(120_000);
  let workspace: Workspace;

  beforeEach(async () => {
    workspace = new Workspace();
    workspace.write('stores.adapter.json', adapter);
    mkdirSync(join(workspace.dir, 'stores'));
    const domain = await StorekeeperDomain.open({ baseTasks: 1, validationTasks: 2, multiTurn: false });
    const lines = domain
      .seeds('validation')
      .map((task) => JSON.stringify({ id: task.id, messages: domain.agentPrompt(task), gold: 'first' }));
    workspace.write(join('stores', 'a.jsonl'), `${lines.join('\n')}\n`);
  });
  afterEach(() => {
    workspace.remove();
  });

  /** Evaluates, and names the evaluation's folder and its first answer. */
  async function evaluated(...who: readonly string[]) {
    const what = ['evaluate', 'stores.adapter.json', '--data', 'stores', '--max-tokens', '40'];
    const { err } = await workspace.genenv(...what, ...who);
    const root = join('.genenv', 'evaluations');
    const [name = assert.fail(err)] = readdirSync(join(workspace.dir, root));
    const folder = join(root, name);
    const [first = ''] = readFileSync(join(workspace.dir, folder, 'answers.jsonl'), 'utf8').split('\n');
    return { folder, answer: answerSchema.parse(JSON.parse(first)) };
  }

  it('has a row for each token that the shipped agent sampled, with log-probability and entropy', async () => {
    const { folder, answer } = await evaluated('--policy', 'shipped');
    const { code, out, err } = await workspace.genenv('tokens', folder, '--trace', answer.id, '--json');
    assert.equal(code, 0, err);
    const shown = shownSchema.parse(JSON.parse(out));
    const tokens = shown.answers.flatMap((one) => one.tokens);
    const words = tokens.map(({ text }) => text).filter((word) => word !== '<end>');
    assert.equal(words.join(' '), answer.messages[0]?.content);
    assert.ok(tokens.every(({ entropy }) => entropy !== null));

    const table = await workspace.genenv('tokens', folder, '--trace', answer.id);
    assert.equal(table.code, 0, table.err);
    const [head = '', , titles = ''] = table.out.split('\n');
    assert.match(head, new RegExp(`^${answer.id} {2}sampled by agent@0 {2}reward [01]\\.00$`));
    assert.match(titles, /^turn +token +logprob +entropy /);
    const rows = table.out.split('\n').filter((line) => /^ *1 +\S+ +[−\d]/.test(line));
    assert.equal(rows.length, tokens.length);
    assert.match(table.out, /agent@0 gives the recorded log-probabilities again/);
  });

  it('has the log-probabilities that a server told, and says what it cannot know', async () => {
    const server = await new FakeServer('vllm').start();
    server.context = 4096;
    try {
      const { folder, answer } = await evaluated('--url', server.url, '--model', 'qwen');
      const { code, out, err } = await workspace.genenv('tokens', folder, '--trace', answer.id);
      assert.equal(code, 0, err);
      assert.match(out, /^ *1 +#\d+ +[−\d]/m);
      assert.match(out, /^Entropies are not known: /m);
    } finally {
      await server.stop();
    }
  });

  it('refuses an answer that is not there, and says where its ids stand', async () => {
    const { folder } = await evaluated('--policy', 'shipped');
    const { code, err } = await workspace.genenv('tokens', folder, '--trace', 'b0/none/r0');
    assert.equal(code, 2);
    assert.match(err, /This evaluation has no answer "b0\/none\/r0"\..*answers\.jsonl has their ids/s);
    const unnamed = await workspace.genenv('tokens', folder);
    assert.equal(unnamed.code, 2);
    assert.match(unnamed.err, /needs --trace ID/);
  });
});
