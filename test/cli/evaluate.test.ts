import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ended, Workspace, type Ended } from '../support/genenv.ts';
import { FakeServer } from '../support/openai/fakeServer.ts';

/** Questions whose answer is the number in them. */
const adapter = {
  ...{ version: 1, name: 'Quiz' },
  data: {
    ...{ folder: 'data', obtain: 'Write it yourself.', format: 'jsonl' },
    splits: { a: { files: ['a.jsonl'], records: 6 } },
  },
  task: { id: '/record/id', prompt: [{ role: 'user', content: '/record/question' }], gold: '/record/gold' },
  answer: { kind: 'text' },
  scorer: { kind: 'bamboogle', counts: 'em' },
};

const resultSchema = z.looseObject({
  tokens: z.number(),
  scores: z.looseObject({
    all: z.looseObject({ asked: z.number(), attempts: z.number(), successes: z.number() }),
    totals: z.array(z.looseObject({ name: z.string(), value: z.number().nullable(), answered: z.number().nullable() })),
    unofficial: z.array(z.looseObject({ kind: z.string() })),
  }),
});

describe('genenv evaluate', function () {
  this.timeout(60_000);
  let workspace: Workspace;
  let server: FakeServer;

  beforeEach(async () => {
    workspace = new Workspace();
    workspace.write('quiz.adapter.json', adapter);
    server = await new FakeServer('ollama').start();
    server.says = (_, { messages }) => ({ content: /\d/.exec(messages?.at(-1)?.content ?? '')?.[0] ?? '' });
  });
  afterEach(async () => {
    await server.stop();
    workspace.remove();
  });

  const questions = (count: number): string =>
    Array.from({ length: count }, (_, i) => JSON.stringify({ id: `q${i}`, question: `Say ${i}`, gold: `${i}` })).join(
      '\n',
    );
  const genenv = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    ended(workspace.start(['evaluate', 'quiz.adapter.json', '--data', '.', '--max-tokens', '8', ...args], env));

  it('asks any server by address and model, counts tokens, and keeps no key', async () => {
    workspace.write('a.jsonl', questions(6));
    const named = ['--url', server.url, '--model', 'qwen'];
    const { code, out, err } = await genenv([...named, '--key', '${env:QUIZ_KEY}', '--json'], { QUIZ_KEY: 'sesame' });
    assert.equal(code, 0, err);
    const { tokens, scores } = resultSchema.parse(JSON.parse(out));
    assert.deepEqual([scores.all.asked, scores.all.successes], [6, 6]);
    assert.deepEqual(scores.totals, [{ name: 'accuracy', value: 1, answered: 1, missing: [] }]);
    // Two words a question and one an answer, by the server's own count.
    assert.equal(tokens, 6 * 3);
    const root = join(workspace.dir, '.genenv', 'evaluations');
    for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.jsonl?$/.test(name),
    )) {
      assert.ok(!readFileSync(join(root, file), 'utf8').includes('sesame'), file);
    }
    const refused = await genenv([...named, '--key', 'sesame']);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /A key is never written into a file: give \$\{env:NAME\}/);
    assert.ok(!refused.err.includes('sesame'), 'what may be a key is not repeated');
  });

  it('ends with 2 where the data is broken, with 1 where something was not answered, and says why', async () => {
    workspace.write('a.jsonl', `${questions(5)}\n{"id":"q5"}\n`);
    const broken = await genenv(['--policy', 'gold']);
    assert.equal(broken.code, 2, broken.err);
    assert.match(broken.out, /^accuracy: no official total, see below; of those answered 100\.0 %$/m);
    assert.match(broken.out, /^No official total, the data is not whole: split a has 5 tasks, and its authors say 6/m);
    workspace.write('a.jsonl', questions(6));
    workspace.write('answers.jsonl', '{"id":"q0","text":"0"}\n{"id":"Q1","text":"1"}\n');
    const some = await genenv(['--answers', 'answers.jsonl']);
    assert.equal(some.code, 1, some.err);
    assert.match(some.out, /^accuracy, as its authors compute it: 16\.7 %; of those answered 100\.0 %$/m);
    assert.match(
      some.out,
      /^5 attempts not answered, and wrong: The file has no answer to it\. \(5\); q1, q2, q3 and 2 more$/m,
    );
    assert.match(some.out, /^1 answer of the file under unknown ids: Q1$/m);
    assert.doesNotMatch(some.out, /41\.8|76\.0/, 'no figure of the paper, which searched');
  });
});
