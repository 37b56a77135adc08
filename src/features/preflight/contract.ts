/** The preflight checklist, and the messages between its page and the host. */
import * as z from 'zod';
import { event } from '../../shared/rpc/contract.ts';

/** The checks before a run, in this order. */
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
  work: 'Tokens, time and cost',
  disk: 'Disk space',
};

const findingSchema = z.strictObject({
  severity: z.enum(['error', 'warning']),
  /** The fault, as a full sentence; and the remedy, '' when the message contains it. */
  message: z.string(),
  remedy: z.string(),
  /** `curriculum.alpha`; '' where no field of the experiment is concerned. */
  field: z.string(),
  /** The file to fix: as the experiment was named, or an absolute path of a file that it names. */
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
/** A policy's whole prompt. */
export type ShownPrompt = z.infer<typeof promptSchema>;

const checkSchema = z.strictObject({
  id: z.enum(checkIds),
  /** `skipped`: it could not be made, because of an earlier one. */
  state: z.enum(['waiting', 'running', 'passed', 'warned', 'failed', 'skipped']),
  /** The finding, in a sentence; '' while it waits. */
  message: z.string(),
  findings: z.array(findingSchema),
  /** One real prompt of each policy. */
  prompts: z.array(promptSchema).optional(),
});
/** One line of the checklist. */
export type Check = z.infer<typeof checkSchema>;

const preflightSchema = z.strictObject({
  /** The page's saved state: the experiment file's URI. */
  uri: z.string(),
  file: z.string(),
  /**
   * `ready`: nothing failed, a start is offered; `blocked`: something failed; `stale`: the window was reloaded, nothing
   * is known; `starting`; `stopped`: the checks were cancelled.
   */
  status: z.enum(['checking', 'ready', 'blocked', 'stale', 'stopped', 'starting']),
  checks: z.array(checkSchema),
});
/** The page's content. */
export type PreflightView = z.infer<typeof preflightSchema>;

/** The page's saved state for a reload. */
export const keptSchema = z.strictObject({ uri: z.string() });

/** Host to page: everything, each time anything changed. */
export const show = event('show', preflightSchema);
/** Page to host. */
export const start = event('start', z.strictObject({}));
export const again = event('again', z.strictObject({}));
export const cancel = event('cancel', z.strictObject({}));
/** Opens the place of a finding. */
export const open = event('open', findingSchema.pick({ file: true, line: true, column: true }));
