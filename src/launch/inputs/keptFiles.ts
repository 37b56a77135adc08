/**
 * A user's own program in a run (its reward, its domain): copied into `inputs/` with everything that it imports by a
 * relative path, so that the run explains itself and resumes with the same code.
 */
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { fileSha256, sha256 } from '../../runs/files/sha256.ts';
import type { DomainPart } from '../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { InputError } from './inputError.ts';
import { messageOf } from '../../shared/messageOf.ts';
import { utf8Text } from '../../shared/text/utf8.ts';

export type Program = 'reward' | 'domain' | 'curriculum';

/** The folder of a run's input copies, within the run's folder; with several domains each has its own subfolder. */
export const inputsFolder = 'inputs';
export const domainFolder = (experiment: Pick<Experiment, 'domains'>, { name }: Pick<DomainPart, 'name'>): string =>
  experiment.domains === undefined ? inputsFolder : `${inputsFolder}/domains/${name}`;

/** A path within a folder, never out of it. */
const insidePath = z
  .string()
  .refine((path) => path !== '' && !isAbsolute(path) && !path.split(/[\\/]/).includes('..') && !path.includes('\0'), {
    error: (): string => l10n.t('It lies outside the run’s folder.'),
  });

/** `inputs/reward.json`, `inputs/curriculum.json`, `inputs/domain.json`, `inputs/domains/NAME/domain.json`. */
const keptSchema = z.strictObject({
  v: z.literal(1),
  /** The file itself, within `inputs/reward` or `inputs/domain`. */
  file: insidePath,
  /** SHA-256 of it and of everything that it imports, by path within that folder. */
  files: z.record(insidePath, z.string()),
  /** Versions of the Python packages that it needs, by name. */
  packages: z.record(z.string(), z.string()).optional(),
});
export type KeptFiles = z.infer<typeof keptSchema>;

/** A program that loads, and the texts of its files by their path within its folder. */
export interface LoadedFiles {
  kept: KeptFiles;
  texts: ReadonlyMap<string, string>;
}

/**
 * A file and everything of a person's own that it loaded, by path from the folder that holds them all. The file keeps
 * the name by which it was asked for, which says its kind.
 */
export async function programTexts(
  program: string,
  loaded: readonly string[],
): Promise<{ file: string; texts: Map<string, string> }> {
  const main = await loadedAs(program);
  const named = join(dirname(main), basename(program));
  const files = await Promise.all(loaded.map((file) => loadedAs(file, program)));
  const root = files.map((file) => dirname(file)).reduce(common, dirname(main));
  const texts = new Map<string, string>();
  for (const file of files) texts.set(within(root, file === main ? named : file), textOf(file, await readFile(file)));
  return { file: within(root, named), texts };
}

/**
 * A path as the program's own process has it: Node loads a file from where symbolic links lead, Python from where it was
 * asked for. @throws where there is no such file
 */
export const loadedAs = async (file: string, program = file): Promise<string> =>
  /\.[jt]s$/.test(program) ? realpath(file) : resolve(file);

/** The same with the run's copies. */
export async function loadedFiles(main: string, loaded: readonly string[]): Promise<LoadedFiles> {
  const { file, texts } = await programTexts(main, loaded);
  const files = Object.fromEntries([...texts].map(([path, text]) => [path, sha256(text)]));
  return { kept: { v: 1, file, files }, texts };
}

/** Puts the copies into a new run's folder. */
export async function keepFiles(
  dir: string,
  program: Program,
  loaded: LoadedFiles | null,
  folder = inputsFolder,
): Promise<void> {
  if (loaded === null) return;
  for (const [path, text] of loaded.texts) {
    const file = join(dir, folder, program, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await writeFile(join(dir, folder, `${program}.json`), `${JSON.stringify(loaded.kept, null, 2)}\n`);
}

/** Puts the copies in the place of those that a run's folder has. */
export async function replaceKept(dir: string, program: Program, loaded: LoadedFiles | null): Promise<void> {
  for (const name of [program, `${program}.json`])
    await rm(join(dir, inputsFolder, name), { recursive: true, force: true });
  await keepFiles(dir, program, loaded);
}

/** A run's copy of a program, verified unchanged. @throws InputError */
export async function readKeptFiles(dir: string, program: Program, folder = inputsFolder): Promise<KeptFiles> {
  const path = join(dir, folder, `${program}.json`);
  try {
    const kept = keptSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    for (const [name, digest] of Object.entries(kept.files)) {
      const file = join(dir, folder, program, name);
      if ((await fileSha256(file)) !== digest)
        throw problem(
          file,
          program,
          l10n.t('The run’s copy of its {0} was changed.', program),
          l10n.t('Restore it, or start a new run.'),
        );
    }
    return kept;
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    const why = messageOf(cause);
    const message = l10n.t('The run’s copy of its {0} cannot be read: {1}.', program, why);
    throw problem(path, program, message, l10n.t('Restore it from a copy of the run.'));
  }
}

/** Path of a run's copy of a program within the run's folder. @throws InputError */
export const programCopy = async (dir: string, program: Program, folder = inputsFolder): Promise<string> =>
  `${folder}/${program}/${(await readKeptFiles(dir, program, folder)).file}`;

/** The folder that holds both. */
function common(one: string, other: string): string {
  let folder = one;
  while (other !== folder && !other.startsWith(folder.endsWith(sep) ? folder : folder + sep)) folder = dirname(folder);
  return folder;
}

const within = (root: string, file: string): string => (relative(root, file) || basename(file)).replaceAll('\\', '/');

/** The bytes of a file as text that has the same bytes. @throws InputError for any other encoding */
const textOf = (file: string, bytes: Uint8Array): string =>
  utf8Text(bytes, () => {
    const message = l10n.t('{0} is not in UTF-8, in which a run keeps its programs.', basename(file));
    return problem(file, '', message, l10n.t('Save it as UTF-8, also if it names another encoding.'));
  });

const problem = (file: string, field: string, message: string, remedy: string): InputError =>
  new InputError([{ file, line: 1, column: 1, field, message, remedy, severity: 'error' }]);
