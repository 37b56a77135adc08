/** Messages between the host and the page of a conversation with checkpoints. */
import * as z from 'zod';
import { event, request } from '../../shared/rpc/contract.ts';
import { verdictWords } from '../../shared/records/verdict.ts';

const turnSchema = z.strictObject({
  /** A version, `tool f3`, or the person. */
  speaker: z.string(),
  text: z.string(),
  /** Written by the person. */
  own: z.boolean(),
});

const shownVerdictSchema = z.strictObject({
  word: z.enum(verdictWords),
  reward: z.number(),
  note: z.string().nullable(),
  /** Of the reward, by name. */
  parts: z.array(z.tuple([z.string(), z.number()])),
});
export type ShownVerdict = z.infer<typeof shownVerdictSchema>;

const settingsSchema = z.strictObject({
  policies: z.array(z.string()).min(1).max(2),
  temperature: z.number().min(0).max(5),
  maxTokens: z.int().positive(),
  seed: z.int().nonnegative(),
});
export type TalkSettings = z.infer<typeof settingsSchema>;

const talkViewSchema = z.strictObject({
  /** Null where the file holds no conversation; `trouble` says why. */
  settings: settingsSchema.nullable(),
  runName: z.string(),
  task: z.string().nullable(),
  /** Versions of the run that can answer. */
  versions: z.array(z.string()),
  prompt: z.array(turnSchema),
  exchanges: z.array(
    z.strictObject({
      you: turnSchema.nullable(),
      /** A column a policy. */
      answers: z.array(
        z.strictObject({
          by: z.string(),
          turns: z.array(turnSchema),
          /** Of the answer: cut off, read another version’s turns. */
          notes: z.array(z.string()),
          verdict: shownVerdictSchema.nullable(),
        }),
      ),
    }),
  ),
  /** `prompt`: the task's own prompt is to be answered first. */
  state: z.enum(['ready', 'prompt', 'answering', 'judging', 'blocked']),
  /** For people; '' for none. */
  trouble: z.string(),
});
export type TalkView = z.infer<typeof talkViewSchema>;

/** Host to page: everything, whenever something changed. */
export const shown = event('shown', talkViewSchema);
/** Page to host: a message that all answer; null has the task's prompt answered. */
export const say = request('say', z.strictObject({ text: z.string().nullable() }), z.null());
/** Page to host: the task's own judge looks at the conversation as it stands. */
export const judge = request('judge', z.null(), z.null());
/** Page to host: no more answers now. */
export const stop = event('stop', z.strictObject({}));
/** Page to host: for the next answers. */
export const settings = request('settings', settingsSchema, z.null());
