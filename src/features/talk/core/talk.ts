/** A conversation with checkpoints, as its `*.talk.json` file holds it. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { messageSchema, type Message } from '../../../shared/records/message.ts';
import { traceSchema, verdictSchema, type Trace, type Verdict } from '../../../shared/records/trace.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { TalkError } from './talkError.ts';

/** Two answer side by side at most. */
export const mostPolicies = 2;

const exchangeSchema = z.strictObject({
  /** The person's message; null where the task's own prompt is answered. */
  you: z.string().nullable(),
  /** The versions that answered, in the order of `answers`. */
  by: z.array(z.string()),
  /** Of each policy, in their order: its turns, and the answers of the task's tools between them. Empty where it gave none. */
  answers: z.array(z.array(messageSchema)),
  /** Of each policy: how its last turn ended; null where it gave none. Files of older versions have none. */
  stopReasons: z.array(traceSchema.shape.stopReason.nullable()).optional(),
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

/** A version, and its column: one version may answer in two. */
export interface Speaker {
  name: string;
  side: number;
}

/** The messages that a version reads, after the task's prompt: where it took no part, the first column's. */
export const readBy = (talk: Talk, speaker: Speaker): Message[] =>
  talk.exchanges.flatMap((one) => [...yours(one), ...(one.answers[columnOf(one, speaker) ?? 0] ?? [])]);

/** The same without the turns of others: the subject of a verdict. */
export const saidBy = (talk: Talk, speaker: Speaker): Message[] =>
  talk.exchanges.flatMap((one) => [...yours(one), ...(one.answers[columnOf(one, speaker) ?? -1] ?? [])]);

/** How its last turn ended. */
export function stopReasonOf(talk: Talk, speaker: Speaker): Trace['stopReason'] {
  const all = talk.exchanges.map((one) => one.stopReasons?.[columnOf(one, speaker) ?? -1] ?? null);
  return all.findLast((one) => one !== null) ?? 'stop';
}

/** Whether an answer was cut off, and whose turns it read. */
export function notesOf({ exchanges }: Talk, at: number, side: number): string[] {
  const [before, now] = [exchanges[at - 1], exchanges[at]];
  const name = now?.by[side] ?? '';
  const other = before !== undefined && columnOf(before, { name, side }) === null ? before.by[0] : undefined;
  return [
    ...(other === undefined ? [] : [l10n.t('{0} read what {1} said before.', name, other)]),
    ...(now?.stopReasons?.[side] === 'length' ? [l10n.t('The answer was cut off.')] : []),
  ];
}

type Exchange = Talk['exchanges'][number];

/** Null where the version took no part. */
function columnOf({ by }: Exchange, { name, side }: Speaker): number | null {
  const column = by[side] === name ? side : by.indexOf(name);
  return column === -1 ? null : column;
}

const yours = ({ you }: Exchange): Message[] => (you === null ? [] : [{ role: 'user', content: you }]);

/** A policy’s turns after a message. */
export interface Answer {
  messages: Message[];
  /** Null where it said nothing. */
  stopReason: Trace['stopReason'] | null;
}

/** With one more exchange. */
export const withExchange = (talk: Talk, you: string | null, answers: readonly Answer[]): Talk => ({
  ...talk,
  exchanges: [
    ...talk.exchanges,
    {
      ...{ you, by: talk.policies, answers: answers.map(({ messages }) => messages) },
      stopReasons: answers.map(({ stopReason }) => stopReason),
    },
  ],
});

/**
 * A conversation as it is now, with the exchanges that were made from an earlier state.
 * @throws TalkError `changed` where it is about something else by now
 */
export function continued(before: Talk, after: Talk, now: Talk | null): Talk {
  const said = ({ run, task, exchanges }: Talk): string => JSON.stringify([run, task, exchanges]);
  if (now !== null && said(now) === said(before)) return { ...now, exchanges: after.exchanges };
  const message = l10n.t('The conversation was edited meanwhile, so the result is not kept.');
  throw new TalkError('changed', message, l10n.t('Try again.'));
}

/** With what the judge says of the conversation so far, a verdict a policy; null of one that gave no answer. */
export const withVerdicts = (talk: Talk, verdicts: readonly (Verdict | null)[]): Talk => ({
  ...talk,
  exchanges: talk.exchanges.map((one, i) =>
    i === talk.exchanges.length - 1 && verdicts.some((verdict) => verdict !== null)
      ? { ...one, verdicts: [...verdicts] }
      : one,
  ),
});
