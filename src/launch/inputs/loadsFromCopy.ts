/** Whether a program of a person's own loads from a run's copy of it, which lacks data files that lie beside it. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { InputError } from './inputError.ts';
import { inputsFolder, keepFiles, type LoadedFiles, type Program } from './keptFiles.ts';

/** Without one of these, a program does not know where it lies, and its copy loads as it does. */
const ownPlace = /\b(?:__file__|__path__|__spec__|__dirname|__filename|import\.meta)\b/;

/**
 * @param main the program @param open starts a copy of it. @throws InputError at the line of the program at which the copy does
 * not load
 */
export async function insistOnCopy(
  loaded: LoadedFiles,
  program: Program,
  main: string,
  open: (copy: string) => Promise<{ dispose: () => void }>,
): Promise<void> {
  const { kept, texts } = loaded;
  if (![...texts.values()].some((text) => ownPlace.test(text))) return;
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'genenv-copy-')));
  try {
    await keepFiles(dir, program, loaded);
    const folder = join(dir, inputsFolder, program) + sep;
    const own = resolve(main, ...kept.file.split('/').map(() => '..')) + sep;
    try {
      (await open(join(folder, kept.file))).dispose();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(
        error.problems.map((problem) => ({
          ...problem,
          file: problem.file.replace(folder, own),
          message: l10n.t(
            'A run’s copy of it does not load, as it has modules alone: {0}',
            problem.message.replaceAll(folder, ''),
          ),
          remedy: l10n.t('Put the data into a module that it imports, or name it by its whole path.'),
        })),
      );
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
