/** An evaluation's folder: its description, and every answer as it arrived. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { Asked } from '../../../benchmarks/evaluate/outcome.ts';
import type { Extent } from '../../../benchmarks/evaluate/unofficial.ts';
import { readError, writeError } from '../../../runs/files/fileErrors.ts';
import { namesIn } from '../../../runs/files/namesIn.ts';
import { evaluationFiles, refuseOwnFile } from '../../../runs/files/ownFiles.ts';
import { parseJson, validate } from '../../../runs/files/parseLine.ts';
import { RunError } from '../../../runs/store/runError.ts';
import { appendSharedLine, readSharedLines } from '../../../runs/files/sharedLines.ts';
import {
  evaluationDataSchema,
  evaluationEndSchema,
  evaluationManifestSchema,
  evaluationVersion,
  type EvaluationData,
  type EvaluationEnd,
  type EvaluationManifest,
  type EvaluationSettings,
} from '../../../shared/records/evaluation.ts';
import { taskSchema, type Task } from '../../../shared/records/task.ts';
import { traceSchema, type Trace } from '../../../shared/records/trace.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { appendTokens } from './answerTokens.ts';
import { EvaluationError } from './evaluationError.ts';

export interface StoredEvaluation {
  manifest: EvaluationManifest;
  answers: readonly Trace[];
  /** The posed tasks, without those whose line cannot be read. */
  tasks: readonly Task[];
  /** How whole the benchmark's data was; null where an older version did not keep it. */
  data: EvaluationData | null;
  /** Null while it has not come to its end. */
  end: EvaluationEnd | null;
  /** Lines that could not be read. */
  damaged: readonly RunError[];
}

/** @throws EvaluationError `not-found`; RunError */
export async function readEvaluation(folder: string): Promise<StoredEvaluation> {
  const manifest = await readManifest(folder);
  if (manifest === null) {
    const remedy = l10n.t('Give a folder that genenv evaluate wrote.');
    throw new EvaluationError('not-found', l10n.t('There is no evaluation in {0}.', folder), remedy);
  }
  const [answers, tasks, data, end] = await Promise.all([
    readSharedLines(join(folder, 'answers.jsonl'), traceSchema, 1),
    readSharedLines(join(folder, 'tasks.jsonl'), taskSchema, 1),
    readKept(join(folder, 'data.json'), evaluationDataSchema),
    readKept(join(folder, 'end.json'), evaluationEndSchema),
  ]);
  return {
    ...{ manifest, answers: answers.events, tasks: tasks.events, data: data.kept, end: end.kept },
    damaged: [...answers.damaged, ...tasks.damaged, ...data.damaged, ...end.damaged],
  };
}

/** How far it has come. */
export function extentOf({ manifest, answers, end }: Pick<StoredEvaluation, 'manifest' | 'answers' | 'end'>): Extent {
  const answered = new Set(answers.map(({ id }) => id)).size;
  const asked = manifest.settings.tasks * manifest.settings.attempts;
  return { answered, asked, finished: answered >= Math.min(asked, end?.answered ?? asked) };
}

/** The evaluation's tasks and settings, for the evaluation of its answers. */
export const askedIn = (stored: StoredEvaluation): Asked => ({
  tasks: stored.tasks,
  attempts: extentOf(stored).finished ? stored.manifest.settings.attempts : null,
});

/** Keeps how whole its data was. @throws RunError `disk-full`, `unwritable` */
export const keepData = (folder: string, data: EvaluationData): Promise<void> =>
  writeOne(join(folder, 'data.json'), data);

/** Records that everything was requested. @throws RunError `disk-full`, `unwritable` */
export const keepEnd = (folder: string, end: Omit<EvaluationEnd, 'v'>): Promise<void> =>
  writeOne(join(folder, 'end.json'), { v: evaluationVersion, ...end });

async function writeOne(path: string, value: EvaluationData | EvaluationEnd): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
  } catch (error) {
    throw writeError(error, path);
  }
}

/** Reads an optional file: a torn one is reported and skipped. @throws RunError `unreadable` */
async function readKept<T>(path: string, schema: z.ZodType<T>): Promise<{ kept: T | null; damaged: RunError[] }> {
  try {
    return { kept: await readOne(path, schema), damaged: [] };
  } catch (error) {
    if (!RunError.is(error) || error.reason === 'unreadable') throw error;
    return { kept: null, damaged: [error] };
  }
}

/** Null where there is none. @throws RunError `format`, `unreadable` */
async function readOne<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await textOrNull(path);
  return text === null ? null : validate(parseJson(text, { path }), schema, evaluationVersion, { path });
}

async function textOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw readError(error, path);
  }
}

/** Begins one, or reads the existing one. @throws EvaluationError `other`; RunError */
export async function beginEvaluation(
  folder: string,
  settings: EvaluationSettings,
  begun: number,
): Promise<StoredEvaluation> {
  const there = await readManifest(folder);
  if (there === null) {
    const manifest: EvaluationManifest = { v: evaluationVersion, begun, settings };
    const path = join(folder, 'manifest.json');
    refuseOwnFile(join(folder, 'tasks.jsonl'));
    await refuseOthers(folder);
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx' });
    } catch (error) {
      throw writeError(error, path);
    }
    return { manifest, answers: [], tasks: [], data: null, end: null, damaged: [] };
  }
  const differs = differences(there.settings, settings);
  if (differs.length === 0) return readEvaluation(folder);
  throw new EvaluationError(
    'other',
    l10n.t('{0} holds an evaluation with other settings ({1}).', folder, differs.join(', ')),
    l10n.t('Give another --out, or the settings that it was begun with.'),
  );
}

/** Files of a person that have the names of its own would be overwritten. @throws EvaluationError `other` */
async function refuseOthers(folder: string): Promise<void> {
  const present = await namesIn(folder);
  // Some file systems ignore case.
  const taken = present.filter((name) => evaluationFiles.includes(name.toLowerCase())).sort();
  if (taken.length === 0) return;
  throw new EvaluationError(
    'other',
    l10n.t(
      '{0} is no folder of an evaluation, and holds files that one would overwrite ({1}).',
      folder,
      taken.join(', '),
    ),
    l10n.t('Give another --out, or move these files away.'),
  );
}

/**
 * On the device when it resolves, so that no answer is paid for twice. Its tokens go first, into a file of their own.
 * @throws RunError `disk-full`, `unwritable`
 */
export async function appendAnswer(folder: string, answer: Trace): Promise<void> {
  await appendTokens(folder, answer);
  const sequences = answer.sequences.map((sequence) => ({ ...sequence, tokens: [], logprobs: [] }));
  await appendSharedLine(join(folder, 'answers.jsonl'), { ...answer, sequences });
}

/** Null where there is none. @throws RunError `format`, `unreadable` */
export const readManifest = (folder: string): Promise<EvaluationManifest | null> =>
  readOne(join(folder, 'manifest.json'), evaluationManifestSchema);

/** Names of the settings that are not the same. */
function differences(there: EvaluationSettings, here: EvaluationSettings): string[] {
  const [before, now] = [
    new Map<string, unknown>(Object.entries(there)),
    new Map<string, unknown>(Object.entries(here)),
  ];
  return [...new Set([...now.keys(), ...before.keys()])].filter(
    (name) => JSON.stringify(before.get(name)) !== JSON.stringify(now.get(name)),
  );
}
