/** An evaluation's folder: what it is, and every answer as it came. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readError, writeError } from '../../runs/fileErrors.ts';
import { parseJson, validate } from '../../runs/parseLine.ts';
import type { RunError } from '../../runs/runError.ts';
import { appendSharedLine, readSharedLines } from '../../runs/sharedLines.ts';
import {
  evaluationManifestSchema,
  evaluationVersion,
  type EvaluationManifest,
  type EvaluationSettings,
} from '../../shared/records/evaluation.ts';
import { traceSchema, type Trace } from '../../shared/records/trace.ts';
import { codeOf } from '../../shared/systemError.ts';
import { EvaluationError } from './evaluationError.ts';

export interface StoredEvaluation {
  manifest: EvaluationManifest;
  answers: readonly Trace[];
  /** Lines that could not be read. */
  damaged: readonly RunError[];
}

/** @throws EvaluationError `not-found`; RunError */
export async function readEvaluation(folder: string): Promise<StoredEvaluation> {
  const manifest = await readManifest(folder);
  if (manifest === null) {
    const remedy = 'Give a folder that genenv evaluate wrote.';
    throw new EvaluationError('not-found', `There is no evaluation in ${folder}.`, remedy);
  }
  const { events, damaged } = await readSharedLines(join(folder, 'answers.jsonl'), traceSchema, 1);
  return { manifest, answers: events, damaged };
}

/** Begins one, or finds what it has already. @throws EvaluationError `other`; RunError */
export async function beginEvaluation(
  folder: string,
  settings: EvaluationSettings,
  begun: number,
): Promise<StoredEvaluation> {
  const there = await readManifest(folder);
  if (there === null) {
    const manifest: EvaluationManifest = { v: evaluationVersion, begun, settings };
    const path = join(folder, 'manifest.json');
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx' });
    } catch (error) {
      throw writeError(error, path);
    }
    return { manifest, answers: [], damaged: [] };
  }
  const differs = differences(there.settings, settings);
  if (differs.length === 0) return readEvaluation(folder);
  throw new EvaluationError(
    'other',
    `${folder} holds an evaluation with other settings (${differs.join(', ')}).`,
    'Give another --out, or the settings that it was begun with.',
  );
}

/** On the device when it resolves: nobody pays for an answer twice. @throws RunError `disk-full`, `unwritable` */
export const appendAnswer = (folder: string, answer: Trace): Promise<void> =>
  appendSharedLine(join(folder, 'answers.jsonl'), answer);

/** Null where there is none. @throws RunError `format`, `unreadable` */
export async function readManifest(folder: string): Promise<EvaluationManifest | null> {
  const path = join(folder, 'manifest.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw readError(error, path);
  }
  return validate(parseJson(text, { path }), evaluationManifestSchema, evaluationVersion, { path });
}

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
