/** The files that an adapter may read: those in its data's folder, and others only with the user's consent. */
import * as l10n from '@vscode/l10n';
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { codeOf } from '../../shared/systemError.ts';
import { DataError } from './dataError.ts';

const remedy = (): string =>
  l10n.t(
    'If it is meant, copy it into the folder, or allow it: --outside on the command line, the setting “genenv.adapters.readOutside” in the editor.',
  );

/** `..`, or a path from the root: no pattern and no name of a file in the folder has these. @throws DataError `outside` */
export function refuseClimbing(pattern: string): void {
  const plain = pattern.startsWith('!') ? pattern.slice(1) : pattern;
  const parts = plain.split(/[/\\{},]/);
  if (!isAbsolute(plain) && !/^[A-Za-z]:/.test(plain) && !parts.includes('..')) return;
  throw new DataError(
    'outside',
    l10n.t('The adapter names {0}, which lies outside of its data’s folder.', pattern),
    remedy(),
  );
}

/** Refuses links that lead out of the folder. A missing target leads nowhere. @throws DataError `outside` */
export async function refuseLeading(folder: string, path: string): Promise<void> {
  const [home, target] = [await resolved(folder), await resolved(path)];
  if (home === null || target === null) return;
  const way = relative(home, target);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return;
  throw new DataError('outside', l10n.t('{0} leads out of the data’s folder, to {1}.', path, target), remedy());
}

async function resolved(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}
