/** A domain without content: the environment writes a number, the agent answers with it or not. */
import type { Domain, Scorer } from '../../../src/engine/ports.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Task, TaskDraft } from '../../../src/shared/records/task.ts';

const user = (content: string): Message => ({ role: 'user', content });

/** The base task of a text or of a question to write one near it. */
export const baseOf = (text: string): string => /base\.\d+/.exec(text)?.[0] ?? '';

const draft = (number: string): TaskDraft => ({
  ...{ prompt: [user(`say ${number}`)], evaluation: { kind: 'exact' }, gold: number },
  ...{ complexity: {}, plan: '' },
});

const seeds = (split: 'base' | 'validation'): Task[] =>
  Array.from({ length: 64 }, (_, i) => ({
    ...{ v: 1, id: `${split}.${i}`, family: `${split}.${i}`, epoch: 0, origin: split, seed: null, status: 'accepted' },
    ...draft(`${split}.${i}`),
  }));

export const counting: Domain = {
  name: 'counting',
  seeds,
  environmentPrompt: ({ seed }) => [user(`write near ${seed.id}`)],
  parseTask: (text, _, seed) => ({ ok: true, draft: draft(`${seed.id} ${text}`) }),
  verify: () => ({ ok: true }),
  fingerprint: ({ prompt }) => prompt.map(({ content }) => content).join('\n'),
  agentPrompt: ({ prompt }) => prompt,
  environment: () => null,
};

export const countingScorer: Scorer = {
  score: (_, { messages }) => {
    const success = messages.at(-1)?.content === 'right';
    return { success, reward: success ? 1 : 0, valid: true };
  },
};
