/** Which files of an adapter's data are there. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { AdapterData } from '../../shared/adapters/data.ts';
import { fixedFolder, isDeep, matchesPatterns } from '../../shared/adapters/patterns.ts';
import { codeOf } from '../../shared/systemError.ts';
import { DataError } from './dataError.ts';
import { refuseClimbing, refuseLeading } from './within.ts';
import { messageOf } from '../../shared/messageOf.ts';

/** Files of one split, or of one join. */
export interface Located {
  name: string;
  /** Below the folder, with slashes, sorted. */
  files: string[];
  /** Patterns that no file matches, where one should. */
  missing: string[];
}

export interface LocatedData {
  /** Absolute. */
  folder: string;
  /** Whether the user allowed files outside of it. */
  outside: boolean;
  splits: Located[];
  /** The joined files, and those of the scorer. */
  joins: Located[];
}

/** The data's folder as an adapter file means it; null while none is chosen. */
export const dataFolder = (adapterFile: string, { folder }: AdapterData): string | null =>
  folder === '' ? null : resolve(dirname(adapterFile), folder);

/**
 * @param outside whether the user allows files outside the folder
 * @throws DataError `no-folder` when the folder is missing, `outside`
 */
export async function locate(folder: string, data: AdapterData, outside = false): Promise<LocatedData> {
  const top = await entriesOf(folder);
  if (top === null) throw new DataError('no-folder', l10n.t('There is no folder {0}.', folder), data.obtain);
  const splits: Located[] = [];
  for (const [name, { files, scorer = [] }] of Object.entries(data.splits)) {
    const found = await located(folder, name, files, outside);
    const needed = await located(folder, name, scorer, outside);
    splits.push({ ...found, missing: [...found.missing, ...needed.missing] });
  }
  const joins: Located[] = [];
  for (const [name, one] of Object.entries(data.join ?? {})) {
    if (one.kind === 'beside') continue;
    const found = await located(folder, name, one.files, outside);
    joins.push(one.kind === 'key' && one.optional === true ? { ...found, missing: [] } : found);
  }
  if (data.scorer !== undefined) joins.push(await located(folder, 'scorer', data.scorer, outside));
  return { folder, outside, splits, joins };
}

async function located(folder: string, name: string, patterns: readonly string[], outside: boolean): Promise<Located> {
  const found = new Set<string>();
  const missing: string[] = [];
  const without = patterns.filter((pattern) => pattern.startsWith('!'));
  for (const pattern of patterns) {
    if (pattern.startsWith('!')) continue;
    let any = false;
    if (!outside) refuseClimbing(pattern);
    if (!outside) await refuseLeading(folder, join(folder, fixedFolder(pattern)));
    for await (const { path, linked } of walk(folder, fixedFolder(pattern), isDeep(pattern))) {
      if (!matchesPatterns(path, [pattern, ...without])) continue;
      if (!outside && linked) await refuseLeading(folder, join(folder, path));
      any = true;
      found.add(path);
    }
    if (!any) missing.push(pattern);
  }
  return { name, files: [...found].sort(), missing };
}

/** Files below a folder; links are not followed. */
async function* walk(root: string, below: string, deep: boolean): AsyncGenerator<{ path: string; linked: boolean }> {
  for (const entry of (await entriesOf(join(root, below))) ?? []) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (deep) yield* walk(root, path, deep);
    } else yield { path, linked: entry.isSymbolicLink() };
  }
}

/** Null for a missing folder or another kind of file. */
async function entriesOf(folder: string): Promise<Dirent[] | null> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
    const why = messageOf(error);
    throw new DataError(
      'unreadable',
      l10n.t('The folder {0} cannot be read: {1}.', folder, why),
      l10n.t('Correct its permissions.'),
    );
  }
}
