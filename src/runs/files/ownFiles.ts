/** Files that runs and evaluations consist of: nothing that is written on request takes their place. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { codeOf } from '../../shared/systemError.ts';
import { RunError } from '../store/runError.ts';
import { runPaths } from '../store/runPaths.ts';

interface Kind {
  /** With its article. */
  name: () => string;
  /** Files by which its folder is known. */
  known: readonly string[];
  /** Names in its folder, of files and of folders with all that is in them, in small letters: some file systems ignore case. */
  own: ReadonlySet<string>;
}

/** An evaluation's folder has these. */
export const evaluationFiles: readonly string[] = [
  ...['manifest.json', 'request.json', 'answers.jsonl', 'tokens.jsonl', 'tasks.jsonl', 'data.json', 'end.json'],
];

const { dir, report: _report, ...runFiles } = runPaths('/run');
/** Every path of a run, also one that is added to them; a report can be made again. */
const paths = Object.values(runFiles).flatMap((path) => (typeof path === 'string' ? path : Object.values(path)));
// The first part: the index has a path a file.
const names = paths.map((path) => relative(dir, path).split(sep)[0]?.toLowerCase() ?? '');

const kinds: readonly Kind[] = [
  {
    name: (): string => l10n.t('a run'),
    known: ['run.json'],
    own: new Set([...names, 'endpoints']),
  },
  {
    name: (): string => l10n.t('an evaluation'),
    known: ['manifest.json', 'answers.jsonl'],
    own: new Set(evaluationFiles),
  },
];

/** @throws RunError `own-file` when the file belongs to a run or an evaluation, through links too */
export function refuseOwnFile(file: string): void {
  let path = realPath(file);
  for (let folder = dirname(path); folder !== path; [path, folder] = [folder, dirname(folder)]) {
    const name = basename(path).toLowerCase();
    const kind = kinds.find(({ known, own }) => own.has(name) && known.every((one) => existsSync(join(folder, one))));
    if (kind === undefined) continue;
    const what = l10n.t('it is one of the files that {0} consists of ({1})', kind.name(), folder);
    throw new RunError('own-file', { what, remedy: l10n.t('Give another place.'), path: file });
  }
}

/** Links followed, also of a file that is not there yet. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}
