/**
 * Messages between the adapter editor and the host. The host owns the document; the page shows it and requests edits.
 */
import * as z from 'zod';
import { event, request } from '../../shared/rpc/contract.ts';

/** One value's new value; without `to` it is left out of the file. */
const editSchema = z.strictObject({
  path: z.array(z.union([z.string(), z.int().nonnegative()])).min(1),
  to: z.unknown().optional(),
});
const editsSchema = z.array(editSchema);
export type AdapterEdit = z.infer<typeof editSchema>;

const placeSchema = z.strictObject({ line: z.int(), column: z.int() });
const problemSchema = placeSchema.extend({
  field: z.string(),
  message: z.string(),
  remedy: z.string(),
  severity: z.enum(['error', 'warning']),
});
export type AdapterProblem = z.infer<typeof problemSchema>;

/** The file's current text, unsaved changes included. */
const documentSchema = z.strictObject({
  file: z.string(),
  /** Its parsed content; null while it cannot be read. */
  written: z.record(z.string(), z.unknown()).nullable(),
  problems: z.array(problemSchema),
  /** Whether it can be changed: those that come with the extension are copied first. */
  editable: z.boolean(),
});
export type AdapterDocument = z.infer<typeof documentSchema>;

const locatedSchema = z.strictObject({
  name: z.string(),
  files: z.int(),
  /** Patterns that no file matches. */
  missing: z.array(z.string()),
});
const splitSchema = locatedSchema.extend({
  /** Null while they are being counted. */
  records: z.int().nullable(),
  /** The authors' number of records. */
  expected: z.int().nullable(),
});

/** A summary of the data. */
const dataSchema = z.strictObject({
  /** Absolute; null while none is chosen. */
  folder: z.string().nullable(),
  /** Why nothing of it can be read; '' when it can. */
  trouble: z.string(),
  splits: z.array(splitSchema),
  joins: z.array(locatedSchema),
});
export type AdapterDataView = z.infer<typeof dataSchema>;

const recordAt = z.strictObject({ split: z.string(), index: z.int().nonnegative() });

/** One record beside its task. */
const recordSchema = z.strictObject({
  /** Its file below the data's folder. */
  path: z.string(),
  line: z.int(),
  /** As it stands, laid out; cut where it is very long. */
  raw: z.string(),
  /** The task as its file would have it; null when the record does not fit. */
  task: z.string().nullable(),
  prompt: z.array(z.strictObject({ role: z.string(), content: z.string() })),
  gold: z.string().nullable(),
  /** The gold in the form of an answer; null where unknown. */
  goldAnswer: z.string().nullable(),
  misfits: z.array(z.strictObject({ field: z.string(), message: z.string() })),
});
export type RecordView = z.infer<typeof recordSchema>;

/** The judgement of an answer. */
const judgementSchema = z.strictObject({
  /** The parsed answer; null when none was found. */
  parsed: z.string().nullable(),
  success: z.boolean(),
  reward: z.number(),
  /** Further figures of the rule. */
  parts: z.record(z.string(), z.number()),
  /** Why; '' when there is nothing to say. */
  note: z.string(),
  /** The task itself cannot be judged. */
  error: z.string().nullable(),
});
export type Judged = z.infer<typeof judgementSchema>;

/** Host to page. */
export const documentChanged = event('document', documentSchema);
export const dataChanged = event('data', dataSchema);
/** Requests the typed text that is not yet sent: the document is about to be saved. */
export const takePending = request('pending', z.null(), editsSchema);

/** Page to host. */
export const edit = request('edit', editsSchema, z.null());
export const openText = request('text', placeSchema.nullable(), z.null());
/** Lets a person choose the data's folder; null when they did not. The name is relative to the adapter. */
export const browse = request('browse', z.null(), z.string().nullable());
/** Null when the split has no such record. */
export const showRecord = request('record', recordAt, recordSchema.nullable());
export const tryAnswer = request('try', recordAt.extend({ answer: z.string() }), judgementSchema);
/** Opens the record's file at its line. */
export const openRecord = request('open', recordAt, z.null());
export const check = request('check', z.null(), z.null());
/** A policy on the benchmark. */
export const evaluate = request('evaluate', z.null(), z.null());
export const useAsSeeds = request('seeds', z.null(), z.null());
export const copyToWorkspace = request('copy', z.null(), z.null());
