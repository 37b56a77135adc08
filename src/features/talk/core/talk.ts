/** A conversation with checkpoints, as its `*.talk.json` file holds it. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { messageSchema, type Message } from '../../../shared/records/message.ts';
import { verdictSchema, type Verdict } from '../../../shared/records/trace.ts';
import { parseOrUndefined } from '../../../shared/json.ts';

/** Two answer side by side at most. */
export const mostPolicies = 2;

const exchangeSchema = z.strictObject({
  /** The person's message; null where the task's own prompt is answered. */
  you: z.string().nullable(),
  /** The versions that answered, in the order of `answers`. */
  by: z.array(z.string()),
  /** Of each policy, in their order: its turns, and the answers of the task's tools between them. Empty where it gave none. */
  answers: z.array(z.array(messageSchema)),
  /** Of each policy: what the task's judge said of the conversation up to here; absent where it was not asked. */
  verdicts: z.array(verdictSchema.nullable()).optional(),
});

const talkSchema = z.strictObject({
  version: z.literal(1),
  /** Folder of the run, from the folder of this file. */
  run: z.string(),
  /** Versions of the run's policies: `agent@3`. */
  policies: z.array(z.string()).min(1).max(mostPolicies),
  /** A task whose prompt begins the conversation, and whose tools are live; null for none. */
  task: z.string().nullable(),
  temperature: z.number().min(0).max(5),
  maxTokens: z.int().positive(),
  seed: z.int().nonnegative(),
  exchanges: z.array(exchangeSchema),
});
export type Talk = z.infer<typeof talkSchema>;

/** A problem is a sentence; null where there is none. */
export function readTalk(text: string): { talk: Talk; problem: null } | { talk: null; problem: string } {
  const parsed = talkSchema.safeParse(parseOrUndefined(text));
  if (parsed.success) return { talk: parsed.data, problem: null };
  const [issue] = parsed.error.issues;
  return { talk: null, problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? l10n.t('not as expected')}` };
}

export const talkText = (talk: Talk): string => `${JSON.stringify(talk, null, 2)}\n`;

/** Whether the task's prompt is still to be answered. */
export const awaitsPrompt = ({ task, exchanges }: Talk): boolean => task !== null && exchanges.length === 0;

/** The messages that one policy reads, after the task's prompt. */
export function readBy(talk: Talk, side: number): Message[] {
  return talk.exchanges.flatMap(({ you, answers }) => [
    ...(you === null ? [] : [{ role: 'user' as const, content: you }]),
    ...(answers[side] ?? []),
  ]);
}

/** With one more exchange. */
export const withExchange = (talk: Talk, you: string | null, answers: readonly (readonly Message[])[]): Talk => ({
  ...talk,
  exchanges: [...talk.exchanges, { you, by: talk.policies, answers: answers.map((one) => [...one]) }],
});

/** With what the judge says of the conversation so far, a verdict a policy; null of one that gave no answer. */
export const withVerdicts = (talk: Talk, verdicts: readonly (Verdict | null)[]): Talk => ({
  ...talk,
  exchanges: talk.exchanges.map((one, i) =>
    i === talk.exchanges.length - 1 && verdicts.some((verdict) => verdict !== null)
      ? { ...one, verdicts: [...verdicts] }
      : one,
  ),
});
