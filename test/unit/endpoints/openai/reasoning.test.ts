import assert from 'node:assert/strict';
import { apart, opensThought } from '../../../../src/shared/text/thoughts.ts';
import { endedByText } from '../../../../src/endpoints/tokens/stopTexts.ts';
import { OpenedPolicies } from '../../../support/openai/openedPolicies.ts';

describe('reasoning', () => {
  const opened = new OpenedPolicies();
  afterEach(() => opened.close());

  for (const kind of ['vllm', 'sglang', 'llama.cpp', 'ollama'] as const) {
    it(`is read from where ${kind} puts it`, async () => {
      const server = await opened.start(kind);
      server.says = () => ({ content: 'four', thought: 'two and two' });
      const [completion] = await opened.sample(await opened.open({ url: server.url }), {});
      assert.ok(completion !== undefined && 'text' in completion);
      assert.deepEqual([completion.text, completion.reasoning], ['four', 'two and two']);
    });
  }

  it('ends with its mark, also when it began in the prompt', () => {
    const four = { text: 'four', reasoning: 'two and two' };
    assert.deepEqual(apart('<think>\ntwo and two\n</think>\n\nfour', null), four);
    assert.deepEqual(apart('two and two</think>four', undefined), four);
    assert.deepEqual(apart('[THINK]two and two[/THINK]four', ''), four);
  });

  it('is no part of the answer where the endpoint knows ids alone', () => {
    const texts = ['<think>', 'two and two', '</think>', '\n\nfour', ' END', ' more'];
    const decode = (ids: readonly number[]): string => ids.map((id) => texts[id] ?? '').join('');
    const sampled = (tokens: readonly number[]) => ({
      ...{ tokens, logprobs: tokens.map(() => -1), stopReason: 'stop' as const },
    });
    const { text, reasoning } = endedByText(sampled([0, 1, 2, 3]), decode);
    assert.deepEqual([text, reasoning], ['four', 'two and two']);
    const ended = endedByText(sampled([0, 1, 2, 3, 4, 5]), decode, [' END']);
    assert.deepEqual([ended.text, ended.reasoning, ended.tokens], ['four', 'two and two', [0, 1, 2, 3, 4]]);
  });

  it('that was cut is no answer', () => {
    assert.deepEqual(apart('<think>\ntwo and', null), { text: '', reasoning: 'two and' });
    assert.deepEqual(apart('<think></think>four', null), { text: 'four' });
  });

  it('that the prompt opened and that was cut is no answer either', () => {
    const text = (ids: readonly number[]): string => String.fromCodePoint(...ids);
    const ids = (said: string): number[] => Array.from(said, (letter) => letter.codePointAt(0) ?? 0);
    const sampled = { tokens: ids('two and END two'), logprobs: [], stopReason: 'length' as const };
    for (const [prompt, answer] of [
      ['<user>two and two?<assistant>\n<think>\n', ''],
      ['<user>What is <think>?\n<assistant>\n', 'two and'],
    ] as const) {
      const opened = opensThought(ids(prompt), text);
      const ended = endedByText(sampled, text, [' END'], opened);
      assert.equal(ended.text, answer, prompt);
      assert.equal(apart('two and', null, opened).text, answer, prompt);
      assert.deepEqual(apart('two</think>four', null, opened), { text: 'four', reasoning: 'two' });
    }
  });

  it('is not looked for in an answer that only speaks of it', () => {
    assert.deepEqual(apart('Write <think> first.', null), { text: 'Write <think> first.' });
  });
});
