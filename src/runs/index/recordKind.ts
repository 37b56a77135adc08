import * as z from 'zod';
import { isCounted } from '../../engine/phases/attempts/traceTokens.ts';
import { completionRecordSchema, type CompletionRecord } from '../../shared/records/completionRecord.ts';
import { rejectionSchema, taskSchema, type Task } from '../../shared/records/task.ts';
import { traceSchema, type Trace } from '../../shared/records/trace.ts';
import { hashOf, type RecordRow } from './recordRow.ts';

/** A row's facts of a record, without its place in the file. */
type RowFacts = Omit<RecordRow, 'offset' | 'length' | 'crc'>;

/** One kind of large record: its file, its full form, and the little of it that the index needs. */
export interface RecordKind<T extends { id: string; epoch: number }> {
  readonly name: 'tasks' | 'traces' | 'verdicts' | 'completions';
  /** In the index header, so that one kind's index is never read as the other's. */
  readonly code: number;
  readonly schema: z.ZodType<T>;
  facts(record: T): RowFacts;
  /** Reads only the fields that the index needs, for rebuilding it over gigabytes. */
  readonly outline: z.ZodType<RowFacts>;
}

export const recordVersion = 1;

/** Bits of a trace's `flags`. */
export const traceFlags = {
  success: 1,
  valid: 2,
  /** The checker failed: neither success nor failure, left out of p̂. */
  unjudged: 4,
  /** Two bits: 0 train, 1 validation, 2 rank, 3 benchmark. */
  purposeShift: 3,
  /** Two bits: 0 stop, 1 length, 2 turns. */
  stopShift: 5,
} as const;

/** Bits of a task's `flags`. */
export const taskFlags = {
  accepted: 1,
  /** Two bits: 0 base, 1 generated, 2 offline, 3 validation. */
  originShift: 1,
  /** Four bits: 0 none, else 1 + place in `rejectionSchema`. */
  causeShift: 3,
} as const;

const purposes = ['train', 'validation', 'rank', 'benchmark'] as const;
const stopReasons = ['stop', 'length', 'turns'] as const;
const origins = ['base', 'generated', 'offline', 'validation'] as const;
const causes = rejectionSchema.options;

const spansSchema = z.array(z.tuple([z.number(), z.number()]));
const countedSchema = z.looseObject({ answer: z.number() }).optional();
type Spans = readonly (readonly [number, number])[];

function covered(spans: Spans): number {
  let tokens = 0;
  for (const [start, end] of spans) tokens += end - start;
  return tokens;
}

const taskOutline = z.looseObject({
  v: z.literal(recordVersion),
  id: z.string(),
  family: z.string(),
  epoch: z.int().nonnegative(),
  seed: z.string().nullable(),
  origin: z.enum(origins),
  status: z.enum(['accepted', 'rejected']),
  cause: rejectionSchema.optional(),
  generation: z.looseObject({ spans: spansSchema, counted: countedSchema }).optional(),
});

function taskFacts(task: z.infer<typeof taskOutline>): RowFacts {
  const cause = task.cause === undefined ? 0 : 1 + causes.indexOf(task.cause);
  return {
    epoch: task.epoch,
    id: hashOf(task.id),
    family: hashOf(task.family),
    task: hashOf(task.seed ?? ''),
    value: 0,
    tokens: task.generation === undefined ? 0 : covered(task.generation.spans) + (task.generation.counted?.answer ?? 0),
    flags:
      (task.status === 'accepted' ? taskFlags.accepted : 0) |
      (origins.indexOf(task.origin) << taskFlags.originShift) |
      (cause << taskFlags.causeShift),
  };
}

export const taskKind: RecordKind<Task> = {
  name: 'tasks',
  code: 1,
  schema: taskSchema,
  facts: taskFacts,
  outline: taskOutline.transform(taskFacts),
};

const completionOutline = z.looseObject({
  v: z.literal(recordVersion),
  id: z.string(),
  family: z.string(),
  epoch: z.int().nonnegative(),
});

/** Found by their epoch alone. */
const completionFacts = ({ epoch, id, family }: z.infer<typeof completionOutline>): RowFacts => ({
  ...{ epoch, id: hashOf(id), family: hashOf(family), task: hashOf('') },
  ...{ value: 0, tokens: 0, flags: 0 },
});

export const completionKind: RecordKind<CompletionRecord> = {
  name: 'completions',
  code: 4,
  schema: completionRecordSchema,
  facts: completionFacts,
  outline: completionOutline.transform(completionFacts),
};

const traceOutline = z.looseObject({
  v: z.literal(recordVersion),
  id: z.string(),
  purpose: z.enum(purposes),
  task: z.string(),
  family: z.string(),
  epoch: z.int().nonnegative(),
  messages: z.array(z.object({ role: z.string() })),
  sequences: z.array(z.looseObject({ spans: spansSchema })),
  counted: countedSchema,
  stopReason: z.enum(stopReasons),
  verdict: z.looseObject({
    valid: z.boolean(),
    success: z.boolean(),
    reward: z.number(),
    error: z.string().optional(),
  }),
});

function traceFacts(trace: z.infer<typeof traceOutline>): RowFacts {
  let tokens = trace.counted?.answer ?? 0;
  for (const { spans } of trace.sequences) tokens += covered(spans);
  return {
    epoch: trace.epoch,
    id: hashOf(trace.id),
    family: hashOf(trace.family),
    task: hashOf(trace.task),
    value: trace.verdict.reward,
    tokens: isCounted(trace) ? tokens : null,
    flags:
      (trace.verdict.success ? traceFlags.success : 0) |
      (trace.verdict.valid ? traceFlags.valid : 0) |
      (trace.verdict.error === undefined ? 0 : traceFlags.unjudged) |
      (purposes.indexOf(trace.purpose) << traceFlags.purposeShift) |
      (stopReasons.indexOf(trace.stopReason) << traceFlags.stopShift),
  };
}

export const traceKind: RecordKind<Trace> = {
  name: 'traces',
  code: 2,
  schema: traceSchema,
  facts: traceFacts,
  outline: traceOutline.transform(traceFacts),
};
