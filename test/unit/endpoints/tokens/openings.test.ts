import assert from 'node:assert/strict';
import { Template } from '@huggingface/jinja';
import { ChatTokens } from '../../../../src/endpoints/tokens/chatTokens.ts';
import { appendTurn } from '../../../../src/engine/math/sequence.ts';
import type { Message } from '../../../../src/shared/records/message.ts';
import type { Sequence } from '../../../../src/shared/records/trace.ts';
import { bytePairTokenizer } from '../../../support/tokens/smallTokenizer.ts';
import { emptyInHistory, questionsAlone, sinceQuestion } from '../../../support/tokens/thinkingTemplates.ts';

const question = { role: 'user', content: 'go' } satisfies Message;
const turns = 3;

/** A conversation of some turns: the prompts as sent, in words, and the training sequences. */
function conversation(template: string, says: (turn: number) => string, replies: 'user' | 'tool') {
  const tokens = new ChatTokens({ ...bytePairTokenizer(), template, source: 'thinking' });
  // A last token that ends a turn is no part of the text.
  const words = (ids: readonly number[]): string => tokens.decode([...ids, ...tokens.stop]);
  const sequences: Sequence[] = [];
  const prompts: string[] = [];
  const history: Message[] = [question];
  for (let turn = 0; turn < turns; turn++) {
    const promptTokens = tokens.prompt(history);
    prompts.push(words(promptTokens));
    const { tokens: all, spans } = tokens.render([question, { role: 'assistant', content: says(turn) }]);
    const sampled = all.slice(...(spans[0] ?? []));
    appendTurn(sequences, { promptTokens, tokens: sampled, logprobs: sampled.map(() => -1) });
    const said = { role: 'assistant', content: `a${turn}`, tokens: sampled } satisfies Message;
    history.push(said, { role: replies, content: `o${turn}` });
  }
  return { prompts, sequences, history, tokens, words };
}

const rendered = (template: string, messages: readonly Message[]): string =>
  new Template(template).render({ messages, add_generation_prompt: true });

describe('turns of a model that thinks', () => {
  it('follow the thought that the prompt opened, as the template says where it keeps thoughts', () => {
    const says = (turn: number): string => `t${turn}\n</think>\n\na${turn}`;
    const { prompts, sequences } = conversation(sinceQuestion, says, 'tool');
    const said = (turn: number): Message[] => [
      { role: 'assistant', content: `<think>\n${says(turn)}` },
      { role: 'tool', content: `o${turn}` },
    ];
    const expected = [0, 1, 2].map((turn) =>
      rendered(sinceQuestion, [question, ...[0, 1].slice(0, turn).flatMap(said)]),
    );
    assert.deepEqual(prompts, expected);
    assert.match(prompts[2] ?? '', /assistant\n<think>\nt0\n<\/think>\n\na0<\|im_end\|>/);
    assert.equal(sequences.length, 1);
    assert.equal(sequences[0]?.spans.length, turns);
  });

  it('stay as they were sampled where the template would leave earlier thoughts out: a chat is one sequence', () => {
    for (const template of [sinceQuestion, questionsAlone]) {
      const says = (turn: number): string => `t${turn}\n</think>\n\na${turn}`;
      const { prompts, sequences } = conversation(template, says, 'user');
      assert.equal(sequences.length, 1);
      assert.equal(prompts[0], rendered(template, [question]));
      assert.match(prompts[1] ?? '', /<think>\nt0\n<\/think>\n\na0<\|im_end\|>\n?<\|im_start\|>user\no0/);
      assert.equal(prompts[2]?.split('<think>\n').length, turns + 1);
    }
  });

  it('follow no thought where the prompt opened none, as behind a tool', () => {
    const says = (turn: number): string => (turn === 0 ? 't0</think>a0' : `a${turn}`);
    const { prompts, sequences } = conversation(questionsAlone, says, 'tool');
    const first = '<|im_start|>user\ngo<|im_start|><think>\nt0</think>a0<|im_end|><|im_start|>tool\no0\n';
    assert.deepEqual(prompts.slice(1), [first, `${first}a1<|im_end|><|im_start|>tool\no1\n`]);
    assert.equal(sequences.length, 1);
  });

  it('have no empty thought before their own', () => {
    const { prompts, sequences } = conversation(emptyInHistory, (turn) => `<think>t${turn}</think>\na${turn}`, 'user');
    assert.equal(
      prompts[1],
      [
        '<|im_start|>user\ngo<|im_end|>\n<|im_start|>assistant\n<think>t0</think>\na0<|im_end|>\n',
        '<|im_start|>user\no0<|im_end|>\n<|im_start|>assistant\n',
      ].join(''),
    );
    assert.equal(sequences.length, 1);
  });

  it('follow the template’s own text where they were not sampled', () => {
    const told: Message[] = [question, { role: 'assistant', content: 'a0' }, question];
    for (const template of [sinceQuestion, questionsAlone, emptyInHistory]) {
      const tokens = new ChatTokens({ ...bytePairTokenizer(), template, source: 'thinking' });
      assert.equal(tokens.decode([...tokens.prompt(told), ...tokens.stop]), rendered(template, told));
    }
  });

  it('are learned from behind the prompt that asked for them', () => {
    const { history, tokens } = conversation(sinceQuestion, () => 't</think>a', 'user');
    const sampled = history.slice(0, 2);
    const { tokens: learned, spans } = tokens.render(sampled);
    assert.deepEqual(learned.slice(0, spans[0]?.[0]), tokens.prompt([question]));
  });
});
