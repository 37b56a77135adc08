/** The evaluations in a folder, described by the little that is read of each. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readError } from '../../../runs/files/fileErrors.ts';
import { RunError } from '../../../runs/store/runError.ts';
import type { EvaluationManifest } from '../../../shared/records/evaluation.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { readManifest } from './evaluationFolder.ts';

export interface EvaluationHead {
  /** Absolute. */
  folder: string;
  manifest: EvaluationManifest;
  /** Attempts that are kept, of tasks × attempts. */
  answered: number;
  asked: number;
}

/** The newest first, without folders that are none or cannot be read. @throws RunError `unreadable` */
export async function listEvaluations(root: string): Promise<EvaluationHead[]> {
  const heads = await Promise.all((await foldersIn(root)).map((name) => headOrNull(join(root, name))));
  return heads.filter((head) => head !== null).toSorted((a, b) => b.manifest.begun - a.manifest.begun);
}

async function headOrNull(folder: string): Promise<EvaluationHead | null> {
  try {
    return await evaluationHead(folder);
  } catch (error) {
    // Of another version, or torn: opening it reports that.
    if (RunError.is(error)) return null;
    throw error;
  }
}

/** Null for a folder that holds none. @throws RunError `unreadable` */
async function evaluationHead(folder: string): Promise<EvaluationHead | null> {
  const manifest = await readManifest(folder);
  if (manifest === null) return null;
  const { tasks, attempts } = manifest.settings;
  return { folder, manifest, answered: await linesOf(join(folder, 'answers.jsonl')), asked: tasks * attempts };
}

async function foldersIn(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw readError(error, root);
  }
}

const newline = 10;

async function linesOf(path: string): Promise<number> {
  let lines = 0;
  try {
    await stat(path);
    for await (const chunk of createReadStream(path)) {
      if (!(chunk instanceof Uint8Array)) continue;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines += 1;
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw readError(error, path);
  }
  return lines;
}
