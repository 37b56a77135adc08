/**
 * A run's name and notes: `label.json`, replaced as a whole, separate from everything that is trained or measured. Any
 * process may change it at any time, without the run's lease: it has a small one of its own, for the time of a change.
 */
import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Clock } from '../../engine/ports.ts';
import { codeOf } from '../../shared/systemError.ts';
import { readError, writeError } from '../files/fileErrors.ts';
import { nodeFiles, type FileOperations } from '../files/fileOperations.ts';
import { parseJson, validate } from '../files/parseLine.ts';
import { heldInTurn } from '../lease/heldInTurn.ts';
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

/** Changes of one process follow each other by the folder; those of others by its lease. */
const waiting = new Map<string, Promise<unknown>>();

/** @throws RunError `format` and `version` for a file that is not ours, `in-use`, `disk-full`, `unwritable`; then nothing was changed */
export async function changeLabel(
  dir: string,
  change: Partial<RunLabel>,
  { clock, files = nodeFiles }: { clock: Clock; files?: FileOperations },
): Promise<RunLabel> {
  const { label: path, labelLease } = runPaths(dir);
  const refused = (): RunError => inUse(path, labelLease);
  const turn = (waiting.get(dir) ?? Promise.resolve()).then(() =>
    heldInTurn(labelLease, { clock, refused }, async () =>
      writeLabel(dir, { ...(await readStrictly(path)), ...change }, files),
    ),
  );
  const quiet = turn.catch(() => undefined);
  waiting.set(dir, quiet);
  try {
    return await turn;
  } finally {
    if (waiting.get(dir) === quiet) waiting.delete(dir);
  }
}

/** The whole label of a run that no other process knows yet. @throws RunError `format`, `disk-full`, `unwritable` */
export async function writeLabel(dir: string, label: RunLabel, files: FileOperations): Promise<RunLabel> {
  const path = runPaths(dir).label;
  const valid = labelOf({ v: labelVersion, ...label }, path);
  try {
    await files.replace(path, `${JSON.stringify({ v: labelVersion, ...valid }, null, 2)}\n`);
  } catch (error) {
    throw writeError(error, path);
  }
  return valid;
}

function inUse(path: string, lease: string): RunError {
  return new RunError('in-use', {
    path,
    what: l10n.t('another process is changing the name, tags or note of this run'),
    remedy: l10n.t('Try again; if no other process works here, remove {0}.', lease),
  });
}
