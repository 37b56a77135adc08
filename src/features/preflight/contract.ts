/** The preflight checklist, and what its page and the host say to each other. */
import * as z from 'zod';
import { event } from '../../shared/rpc/contract.ts';

/** What is checked before a run, in this order. */
export const checkIds = ['experiment', 'inputs', 'weights', 'endpoints', 'reward', 'trial', 'work', 'disk'] as const;
export type CheckId = (typeof checkIds)[number];

/** How a check is called. */
export const checkTitles: Record<CheckId, string> = {
  experiment: 'Experiment',
  inputs: 'Task files',
  weights: 'Weights',
  endpoints: 'Endpoints',
  reward: 'Reward',
  trial: 'One task end to end',
  work: 'Tokens and rollouts',
  disk: 'Disk space',
};

const findingSchema = z.strictObject({
  severity: z.enum(['error', 'warning']),
  /** What is wrong, a full sentence; and what to do, '' when the message says it. */
  message: z.string(),
  remedy: z.string(),
  /** `curriculum.alpha`; '' where no field of the experiment is concerned. */
  field: z.string(),
  /** Where it can be mended: as the experiment was named, or an absolute path of a file that it names. */
  file: z.string(),
  line: z.int().positive(),
  column: z.int().positive(),
});
/** Something that a check found wrong. */
export type Finding = z.infer<typeof findingSchema>;

const promptSchema = z.strictObject({
  reader: z.enum(['environment', 'agent']),
  /** All messages, each under its role. */
  text: z.string(),
});
/** What a policy will read, whole. */
export type ShownPrompt = z.infer<typeof promptSchema>;

const checkSchema = z.strictObject({
  id: z.enum(checkIds),
  /** `skipped`: it could not be made, because of an earlier one. */
  state: z.enum(['waiting', 'running', 'passed', 'warned', 'failed', 'skipped']),
  /** What was found, in a sentence; '' while it waits. */
  message: z.string(),
  findings: z.array(findingSchema),
  /** One real prompt of each policy. */
  prompts: z.array(promptSchema).optional(),
});
/** One line of the checklist. */
export type Check = z.infer<typeof checkSchema>;

const preflightSchema = z.strictObject({
  /** What the page keeps, so that it can be restored: the experiment file's URI. */
  uri: z.string(),
  file: z.string(),
  /**
   * `ready`: nothing failed, a start is offered; `blocked`: something failed; `stale`: the window was reloaded, nothing
   * is known; `starting`; `stopped`: the checks were cancelled.
   */
  status: z.enum(['checking', 'ready', 'blocked', 'stale', 'stopped', 'starting']),
  checks: z.array(checkSchema),
});
/** What the page shows. */
export type PreflightView = z.infer<typeof preflightSchema>;

/** What the page keeps over a reload. */
export const keptSchema = z.strictObject({ uri: z.string() });

/** Host to page: everything, each time anything changed. */
export const show = event('show', preflightSchema);
/** Page to host. */
export const start = event('start', z.strictObject({}));
export const again = event('again', z.strictObject({}));
export const cancel = event('cancel', z.strictObject({}));
/** Opens the place of a finding. */
export const open = event('open', findingSchema.pick({ file: true, line: true, column: true }));
