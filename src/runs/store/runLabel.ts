/**
 * A run's name and notes: `label.json`, replaced as a whole, separate from everything that is trained or measured. Any
 * process may write it at any time, without the lease.
 */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { codeOf } from '../../shared/systemError.ts';
import { readError, writeError } from '../files/fileErrors.ts';
import { nodeFiles, type FileOperations } from '../files/fileOperations.ts';
import { parseJson, validate } from '../files/parseLine.ts';
import { RunError } from './runError.ts';
import { runPaths } from './runPaths.ts';

const labelVersion = 1;

const line = z.string().refine((text) => !/[\n\r]/.test(text), 'one line');

const studyMarkSchema = z.strictObject({ name: z.string(), arm: z.string(), seed: z.int().nonnegative() });
/** Which member of which study it is. */
export type StudyMark = z.infer<typeof studyMarkSchema>;

const labelSchema = z.strictObject({
  v: z.literal(labelVersion),
  /** In place of the experiment's name. */
  name: line.min(1).max(200).nullable().default(null),
  tags: z.array(line.min(1).max(60)).max(50).default([]),
  pinned: z.boolean().default(false),
  note: z.string().max(20_000).default(''),
  /** Hidden in lists unless requested. */
  archived: z.boolean().default(false),
  study: studyMarkSchema.nullable().default(null),
});
export type RunLabel = Omit<z.infer<typeof labelSchema>, 'v'>;

/** The fields that users change. */
export type LabelChange = Partial<Omit<RunLabel, 'study'>>;

export const noLabel: RunLabel = { name: null, tags: [], pinned: false, note: '', archived: false, study: null };

/** @throws RunError `format`, `version`, `unreadable` */
async function readStrictly(path: string): Promise<RunLabel> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return noLabel;
    throw readError(error, path);
  }
  return labelOf(parseJson(text, { path }), path);
}

/** @throws RunError `format`, `version` */
function labelOf(value: unknown, path: string): RunLabel {
  const { name, tags, pinned, note, archived, study } = validate(value, labelSchema, labelVersion, { path });
  return { name, tags, pinned, note, archived, study };
}

/** A damaged label hides no run: it is ignored here, and reported where a user edits it. */
export async function readLabel(dir: string): Promise<RunLabel> {
  try {
    return await readStrictly(runPaths(dir).label);
  } catch (error) {
    if (RunError.is(error)) return noLabel;
    throw error;
  }
}

/** By the folder: changes of one process follow each other. */
const waiting = new Map<string, Promise<unknown>>();

/** @throws RunError `format` and `version` for a file that is not ours, `disk-full`, `unwritable`; then nothing was changed */
export async function changeLabel(
  dir: string,
  change: Partial<RunLabel>,
  files: FileOperations = nodeFiles,
): Promise<RunLabel> {
  const turn = (waiting.get(dir) ?? Promise.resolve()).then(() => changeNow(dir, change, files));
  const quiet = turn.catch(() => undefined);
  waiting.set(dir, quiet);
  try {
    return await turn;
  } finally {
    if (waiting.get(dir) === quiet) waiting.delete(dir);
  }
}

async function changeNow(dir: string, change: Partial<RunLabel>, files: FileOperations): Promise<RunLabel> {
  const path = runPaths(dir).label;
  const before = await readStrictly(path);
  const label = labelOf({ v: labelVersion, ...before, ...change }, path);
  try {
    await files.replace(path, `${JSON.stringify({ v: labelVersion, ...label }, null, 2)}\n`);
  } catch (error) {
    throw writeError(error, path);
  }
  return label;
}
