import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Completion } from '../../../../src/engine/completion.ts';
import type { Policy, SampleRequest } from '../../../../src/engine/ports.ts';
import { hasFailed } from '../../../../src/engine/unanswered.ts';
import { KeptAnswers } from '../../../../src/features/makeTasks/node/keptAnswers.ts';

const request: SampleRequest = {
  ...{ id: 'f0', messages: [{ role: 'user', content: 'Write one.' }], n: 2, seed: 7 },
  ...{ maxTokens: 20, temperature: 1 },
};

/** A server that returns counts of tokens and no ids. */
function counting(asked: string[]): Policy {
  const no = (): Promise<never> => Promise.reject(new Error('It only samples.'));
  return {
    capabilities: {
      ...{ mode: 'frozen', losses: [], score: false, reduction: 'sum', maxContext: 100, concurrency: 4 },
      deterministic: false,
    },
    publish: (name) => Promise.resolve({ name, handle: name }),
    ...{ checkpoint: no, restore: no, dispose: () => Promise.resolve() },
    async *sample(_, requests) {
      for (const { id, only, n, messages } of requests) {
        for (const index of only ?? Array.from({ length: n }, (__, i) => i)) {
          asked.push(`${id}.${index}`);
          const text = `${messages[0]?.content ?? ''} ${index}`;
          yield await Promise.resolve<Completion>({
            ...{ requestId: id, index, promptTokens: [], tokens: [], logprobs: [], text, stopReason: 'stop' },
            counted: { prompt: 5, answer: 3 },
          });
        }
      }
    },
  };
}

describe('paid answers', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-kept-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const path = (): string => join(dir, 'answers.jsonl');
  /** A process of its own. */
  async function session(...requests: SampleRequest[]) {
    const asked: string[] = [];
    const warned: string[] = [];
    const log = { info: () => undefined, warn: (text: string) => void warned.push(text) };
    const policy = (await KeptAnswers.open(path(), log)).around(counting(asked), 'environment');
    const version = await policy.publish('environment@0');
    const answers: Completion[] = [];
    for await (const answer of policy.sample(version, requests, new AbortController().signal)) {
      assert.ok(!hasFailed(answer));
      answers.push(answer);
    }
    return { asked, warned, answers: answers.sort((a, b) => a.index - b.index) };
  }

  it('are paid for once, also those of a server that counts tokens and has no ids', async () => {
    const first = await session(request);
    const second = await session(request);
    assert.deepEqual([first.asked, second.asked, second.warned], [['f0.0', 'f0.1'], [], []]);
    assert.deepEqual(second.answers, first.answers);
  });

  it('of an older version have their thoughts kept apart, also one that began in the prompt', async () => {
    const { answers } = await session(request);
    const lines = (await readFile(path(), 'utf8')).trimEnd().split('\n');
    const texts = ['<think>Maybe {"task": 0}?</think>{"task": 1}', 'Maybe {"task": 0}?\n</think>\n\n{"task": 1}'];
    const older = lines.map((line, i) => line.replace(JSON.stringify(answers[i]?.text), JSON.stringify(texts[i])));
    await writeFile(path(), older.join('\n') + '\n');
    const again = await session(request);
    assert.deepEqual(again.asked, []);
    assert.deepEqual(
      again.answers.map(({ text, reasoning }) => [text, reasoning]),
      [1, 2].map(() => ['{"task": 1}', 'Maybe {"task": 0}?']),
    );
  });

  it('answer no other request of the same name', async () => {
    await session(request);
    const others: Partial<SampleRequest>[] = [
      { messages: [{ role: 'user', content: 'Write another.' }] },
      { temperature: 0.5 },
      { maxTokens: 21 },
      { maxSequence: 30 },
      { seed: 8 },
      { stop: ['.'] },
      { tools: [{ name: 'a', description: '', parameters: {} }] },
    ];
    for (const other of others) {
      const { asked } = await session({ ...request, ...other });
      assert.deepEqual(asked, ['f0.0', 'f0.1'], JSON.stringify(other));
    }
    assert.deepEqual((await session({ ...request, urgency: 3, n: 1 })).asked, [], 'nothing that shapes an answer');
  });

  it('that are damaged, or do not tell what was asked, are asked for again, and it is said', async () => {
    await session(request);
    const [one = '', other = ''] = (await readFile(path(), 'utf8')).split('\n');
    const untold = other.replace(/"asked":"[^"]*",/, '');
    assert.notEqual(untold, other);
    await writeFile(path(), `${one.slice(0, 30)}\n${untold}\n`);
    const { asked, warned } = await session(request);
    assert.deepEqual(asked, ['f0.0', 'f0.1']);
    assert.match(warned[0] ?? '', /cannot be read: 1 of .*answers\.jsonl:1/);
    assert.match(warned[1] ?? '', /do not say what was asked: 1 of/);
    assert.deepEqual((await session(request)).asked, []);
  });
});
