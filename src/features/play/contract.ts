/** Messages between the host and the page on which a person attempts a task. */
import * as z from 'zod';
import { event, request } from '../../shared/rpc/contract.ts';
import { verdictWords } from '../../shared/records/verdict.ts';

const saidSchema = z.strictObject({
  /** `system`, `user`, `tool f3`, or the person's own name. */
  speaker: z.string(),
  text: z.string(),
  /** The person's own turn. */
  own: z.boolean(),
});

const fieldSchema = z.strictObject({
  name: z.string(),
  help: z.string(),
  required: z.boolean(),
  /** `json`: what no simpler input can hold, as JSON. */
  kind: z.enum(['text', 'number', 'choice', 'json']),
  choices: z.array(z.string()),
});
/** A field of a tool's form. */
export type Field = z.infer<typeof fieldSchema>;

const toolSchema = z.strictObject({ name: z.string(), description: z.string(), fields: z.array(fieldSchema) });
export type ShownTool = z.infer<typeof toolSchema>;

const playViewSchema = z.strictObject({
  /** Folder of the run, and its name. */
  run: z.string(),
  runName: z.string(),
  task: z.string(),
  /** Of the attempt. */
  play: z.string(),
  /** `asking`: the person writes; `working`: the tools or the judge do; `failed`: `note` says why. */
  state: z.enum(['working', 'asking', 'ended', 'failed']),
  said: z.array(saidSchema),
  tools: z.array(toolSchema),
  /** Number of the turn to write, from 1. */
  turn: z.int().positive(),
  draft: z.string(),
  /** Of an attempt that has ended. */
  verdict: z
    .strictObject({
      word: z.enum(verdictWords),
      reward: z.number(),
      valid: z.boolean(),
      gold: z.string().nullable(),
    })
    .nullable(),
  note: z.string().nullable(),
});
export type PlayView = z.infer<typeof playViewSchema>;

/** The page's saved state; the host restores it after a reload. */
export const keptPlaySchema = z.looseObject({ run: z.string(), task: z.string(), play: z.string() });

/** Host to page: everything, whenever something changed. */
export const shown = event('shown', playViewSchema);
/** Page to host: the turn as it is; the tools answer it. */
export const send = request('send', z.strictObject({ text: z.string() }), z.null());
/** Page to host: what is being written. */
export const draft = event('draft', z.strictObject({ text: z.string() }));
/** Page to host: a tool's fields as the call that the agent would write. */
export const call = request(
  'call',
  z.strictObject({ tool: z.string(), fields: z.record(z.string(), z.string()), draft: z.string() }),
  z.strictObject({ text: z.string() }),
);
/** Page to host: what to do with an attempt. */
export const act = request(
  'act',
  z.strictObject({ what: z.enum(['open', 'compare', 'task', 'again', 'pool']) }),
  z.null(),
);
