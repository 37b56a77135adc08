/** A study as it was put into the queue, and the files that have changed since. */
import { basename, dirname, resolve } from 'node:path';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { inputDigest } from '../../study/node/inputDigest.ts';
import { readStudy } from '../../study/core/readStudy.ts';
import type { Work } from '../contract.ts';

export interface ChangedSince {
  /** Study file and base: they run as they were. */
  copied: string[];
  /** Files that they name: the study does not run with others. */
  named: string[];
}

/** By their names. None of an entry of an older version, which is read when its turn comes. @throws system errors */
export async function changedSince(
  { study, copies }: Pick<Work, 'study' | 'copies'>,
  digest = inputDigest,
): Promise<ChangedSince> {
  const changed: ChangedSince = { copied: [], named: [] };
  if (study === null || copies === null) return changed;
  if ((await present(study)) !== copies.study) changed.copied.push(basename(study));
  const reading = readStudy(copies.study, study);
  if ('problems' in reading) return changed;
  const base = resolve(dirname(study), reading.study.base);
  if ((await present(base)) !== copies.base) changed.copied.push(basename(base));
  for (const [key, queued] of Object.entries(copies.inputs)) {
    const name = key.slice(key.indexOf(' ') + 1);
    if ((await digest(resolve(dirname(base), name))) !== queued) changed.named.push(name);
  }
  return { ...changed, named: [...new Set(changed.named)] };
}

/** Null where the file is gone, or is no text any more. */
async function present(path: string): Promise<string | null> {
  try {
    return await strictText(path);
  } catch (error) {
    if (error instanceof InputError || codeOf(error) !== '') return null;
    throw error;
  }
}
