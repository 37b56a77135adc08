/** Messages between the task editor (a task file, or the tasks of a run) and the host. */
import * as z from 'zod';
import { taskDraftSchema } from '../../shared/records/task.ts';
import { event, request } from '../../shared/rpc/contract.ts';

const count = z.int().nonnegative();
const rate = z.strictObject({ successes: count, attempts: count });

/** A data pool of a run, when the editor shows one: only its tasks are there, each with its weight. */
const poolSchema = z.strictObject({
  name: z.enum(['agent', 'environment']),
  epoch: count,
  /** (Σw)²/Σw² over the environment pool's weights; null for the agent pool, whose traces weigh the same. */
  effectiveSampleSize: z.number().nullable(),
  /** The origin of its rows and the omissions, for users. */
  provenance: z.string(),
});

/** The editor's subject. */
const sourceSchema = z.strictObject({
  /** `file`: a task file of the workspace, all of whose fields may change. `run`: records with edits as overlays. */
  kind: z.enum(['file', 'run']),
  name: z.string(),
  /** The run's folder; null for a file. */
  run: z.string().nullable(),
  pool: poolSchema.nullable(),
  /** Tasks in all, before any filter. */
  tasks: count,
  /** Lines of a file that are no task; known shortly after opening. */
  damaged: count,
  trusted: z.boolean(),
  /** The run has a writer: edits wait until its next epoch. */
  live: z.boolean(),
  /** Whether tasks can be attempted from here, and why not. */
  attempts: z.strictObject({ group: count, why: z.string().nullable() }),
});
export type TasksSource = z.infer<typeof sourceSchema>;

/** The orders of tasks. */
export const taskOrders = [
  'written',
  'id',
  'epoch',
  'successRate',
  'reward',
  'weight',
  'length',
  'status',
  'flags',
] as const;

const querySchema = z.strictObject({
  /** As typed: `epoch:3 status:excluded p<0.2 flag:gold tag:odd "refund"`. */
  text: z.string(),
  order: z.enum(taskOrders),
  descending: z.boolean(),
});
export type TasksQuery = z.infer<typeof querySchema>;

/** Health flags; each is explained in a task's detail. */
export const flagNames = [
  'unverifiable',
  'gold-disagrees',
  'not-deterministic',
  'coin-flip',
  'duplicate',
  'held-out',
  'truncated',
  'dead',
] as const;
const flagSchema = z.enum(flagNames);
export type FlagName = z.infer<typeof flagSchema>;

/** The page's ids of tasks without an id begin with it; a digest of their line follows. */
export const lineMark = '@';

const taskRowSchema = z.strictObject({
  /** Place in the source, from 0: how the host finds it. */
  at: count,
  /** Its name between page and host, whatever else is written into the file. */
  id: z.string(),
  /** Its name for people: its own id, or the number of its line where it has none. */
  name: z.string(),
  family: z.string(),
  epoch: count,
  origin: z.enum(['base', 'generated', 'offline', 'validation']),
  status: z.enum(['accepted', 'rejected', 'excluded', 'damaged']),
  /** Over all training attempts at it. */
  rate,
  /** R_env of the epoch it was scored in last; null when it was not. */
  environmentReward: z.number().nullable(),
  /** In a pool: self-normalised weight (environment), or how many valid traces it gives (agent). Else null. */
  weight: z.number().nullable(),
  /** Characters of its prompt. */
  length: count,
  flags: z.array(flagSchema),
  tags: z.array(z.string()),
  edited: z.boolean(),
  /** First words of the question. */
  title: z.string(),
});
export type TaskRow = z.infer<typeof taskRowSchema>;

/** A remark on one field of a task: of the schema, of the domain's verification, of duplicates and held-out sets. */
const remarkSchema = z.strictObject({
  field: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  remedy: z.string(),
});
export type TaskRemark = z.infer<typeof remarkSchema>;

/** One station of where a task comes from and where it went, oldest first. */
const stationSchema = z.strictObject({
  kind: z.enum(['seed', 'asked', 'written', 'edited', 'attempted', 'weighted', 'excluded']),
  title: z.string(),
  text: z.string(),
  /** The target of opening it: a task, a trace or an epoch in the tree; null for none. */
  opens: z
    .strictObject({ task: z.string().optional(), trace: z.string().optional(), epoch: count.optional() })
    .nullable(),
});

/** A line that is no JSON object, to be fixed as text. */
const damageSchema = z.strictObject({
  /** 1-based. */
  line: count,
  faults: z.array(z.strictObject({ message: z.string(), remedy: z.string() })),
  /** How the line begins. */
  text: z.string(),
});
export type TaskDamage = z.infer<typeof damageSchema>;

const taskDetailSchema = z.strictObject({
  row: taskRowSchema,
  /** Null for a task. Of a damaged line nothing else counts. */
  damage: damageSchema.nullable(),
  /** As people left it. */
  draft: taskDraftSchema.pick({ prompt: true, tools: true, evaluation: true, gold: true }),
  /** As it was recorded; null where nothing was edited. */
  recorded: taskDraftSchema.pick({ prompt: true, tools: true, evaluation: true, gold: true }).nullable(),
  complexity: z.record(z.string(), z.number()),
  plan: z.string(),
  remarks: z.array(remarkSchema),
  flags: z.array(z.strictObject({ flag: flagSchema, why: z.string() })),
  lineage: z.array(stationSchema),
  attempts: z.array(
    z.strictObject({
      trace: z.string(),
      epoch: count,
      verdict: z.enum(['solved', 'failed', 'error']),
      reward: z.number(),
      tokens: count.nullable(),
      answer: z.string(),
    }),
  ),
});
export type TaskDetail = z.infer<typeof taskDetailSchema>;

/**
 * The fields that can be edited. As text: `prompt` a JSON array of messages, `tools` a JSON array ('' for none),
 * `evaluation` a JSON object, `gold` itself ('' for none).
 */
const fieldSchema = z.enum(['prompt', 'tools', 'evaluation', 'gold']);
export type TaskField = z.infer<typeof fieldSchema>;

/** Everything that matches, as the page shows it. */
const matchingSchema = z.strictObject({
  /** The filter's text. */
  all: z.string(),
  count,
});
export type TasksMatching = z.infer<typeof matchingSchema>;

const bulkSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('exclude'), reason: z.string() }),
  z.strictObject({ action: z.literal('restore') }),
  z.strictObject({ action: z.literal('tag'), add: z.array(z.string()), remove: z.array(z.string()) }),
  /** As a variation of itself, into the seed-task file that a person chooses. */
  z.strictObject({ action: z.literal('duplicate') }),
  z.strictObject({ action: z.literal('toSeeds') }),
]);
export type TasksBulk = z.infer<typeof bulkSchema>;

/** Attempts at the edited task, beside those at the original. */
const reattemptSchema = z.strictObject({
  task: z.string(),
  version: z.string(),
  before: rate,
  after: rate,
  done: count,
  total: count,
  state: z.enum(['running', 'finished', 'stopped', 'failed']),
  message: z.string().nullable(),
  answers: z.array(z.strictObject({ success: z.boolean(), reward: z.number(), answer: z.string() })),
});
export type TasksReattempt = z.infer<typeof reattemptSchema>;

/** A task that was changed here and on the disk. */
const conflictSchema = z.strictObject({
  key: z.string(),
  id: z.string(),
  /** The disk has it no more; its only field is `task`. */
  gone: z.boolean(),
  fields: z.array(
    z.strictObject({
      name: z.enum(['prompt', 'tools', 'evaluation', 'gold', 'plan', 'excluded', 'tags', 'task']),
      /** As texts; '' for none. */
      mine: z.string(),
      theirs: z.string(),
      choice: z.enum(['mine', 'theirs']).nullable(),
    }),
  ),
});
export type TaskConflict = z.infer<typeof conflictSchema>;

const conflictsSchema = z.strictObject({
  /** Those shown; all of `count` unless there are very many. */
  shown: z.array(conflictSchema),
  count,
  /** Tasks with an undecided field. */
  undecided: count,
});
export type TaskConflicts = z.infer<typeof conflictsSchema>;

const choiceSchema = z.enum(['mine', 'theirs']);

const nothing = z.null();

/** Host to page. */
export const tasksEvents = {
  /** A new start: the page drops its earlier data. */
  opened: event('opened', sourceSchema),
  /**
   * Rows or their order changed (edits, undo, a growing run): the page requests the visible rows again. `details`: rows
   * whose detail changed.
   */
  changed: event(
    'changed',
    z.strictObject({ tasks: count, damaged: count, matching: count, details: z.array(z.string()) }),
  ),
  /** How far the filter has come on a large source; `done` equals `total` at the end. */
  filtering: event('filtering', z.strictObject({ done: count, total: count })),
  reattempt: event('reattempt', reattemptSchema),
  /** Tasks that were changed here and on the disk; until one decides, nothing is saved. */
  conflicts: event('conflicts', conflictsSchema),
  /** A file that something else wrote was read again: how many edited tasks were kept, and how many stand there as they are here. */
  merged: event('merged', z.strictObject({ kept: count, equal: count, lost: count })),
  /** A save waits for decisions. */
  decideFirst: event('decideFirst', z.null()),
  /** Selects a task and scrolls to it. */
  select: event('select', z.strictObject({ id: z.string() })),
  failed: event('failed', z.strictObject({ message: z.string(), remedy: z.string() })),
};

/** Page to host. */
export const tasksRequests = {
  /** Sets filter and order. A query that cannot be read says where and why, and leaves the old one. */
  query: request(
    'query',
    querySchema,
    z.strictObject({ matching: count, problem: z.strictObject({ at: count, message: z.string() }).nullable() }),
  ),
  /** Rows [from, to) of the matches, in order. */
  rows: request('rows', z.strictObject({ from: count, to: count }), z.array(taskRowSchema)),
  /** A task's position among the matches; null when it does not match. */
  find: request('find', z.strictObject({ id: z.string() }), count.nullable()),
  /** Null where there is no such task: something else wrote the file, and left it out. */
  detail: request('detail', z.strictObject({ id: z.string() }), taskDetailSchema.nullable()),
  /** The remarks if a field had this text; changes nothing. */
  check: request(
    'check',
    z.strictObject({ id: z.string(), field: fieldSchema, text: z.string() }),
    z.array(remarkSchema),
  ),
  /** One undoable edit. A text that cannot be read into its field is refused with its remarks. */
  edit: request(
    'edit',
    z.strictObject({ id: z.string(), field: fieldSchema, text: z.string() }),
    z.array(remarkSchema),
  ),
  /** One undoable edit of many. Refused where something else matches by now. */
  bulk: request(
    'bulk',
    z.strictObject({ ids: z.union([z.array(z.string()), matchingSchema]), what: bulkSchema }),
    z.strictObject({ tasks: count }),
  ),
  /** One undoable decision: of one field, of all of a task, or of everything that is undecided. */
  decide: request(
    'decide',
    z.strictObject({ key: z.string().nullable(), field: z.string().nullable(), choice: choiceSchema }),
    nothing,
  ),
  /** Attempts the edited and the recorded task with the agent's newest version. */
  reattempt: request('reattempt', z.strictObject({ id: z.string(), attempts: z.int().positive() }), nothing),
  stopReattempt: request('stopReattempt', z.strictObject({ id: z.string() }), nothing),
  open: request(
    'open',
    z.strictObject({ task: z.string().optional(), trace: z.string().optional(), epoch: count.optional() }),
    nothing,
  ),
  /** The line of a file in the text editor. */
  openAsText: request('openAsText', z.strictObject({ id: z.string() }), nothing),
  copy: request('copy', z.strictObject({ ids: z.array(z.string()), as: z.enum(['json', 'markdown']) }), nothing),
};
