/**
 * The Python package of the domain `reasoning`: in its own virtual environment, one a version, for all of a user's
 * workspaces, so that a run continues with the version that it began with.
 */
import * as l10n from '@vscode/l10n';
import { execFile, type ExecFileException } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { InputError } from '../inputs/inputError.ts';
import { pythonInUse } from './pythonInUse.ts';
import { defined } from '../../shared/defined.ts';
import { RemediedError } from '../../shared/reasonedError.ts';

/** The pinned version: a later one may write other puzzles for the same parameters. */
export const reasoningGym = { name: 'reasoning_gym', version: '0.1.25' } as const;

const markSchema = z.strictObject({ v: z.literal(1), name: z.string(), version: z.string() });

const folderOf = (version: string): string =>
  join(homedir(), '.cache', 'genenv', 'python', `${reasoningGym.name}-${version}`);

const interpreterIn = (folder: string): string =>
  process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');

/** Written last, so that an installation that was broken off counts for nothing. */
const markIn = (folder: string): string => join(folder, 'genenv.json');

/** Whether the package was installed. */
export async function hasReasoning(version: string = reasoningGym.version): Promise<boolean> {
  try {
    const mark = markSchema.parse(JSON.parse(await readFile(markIn(folderOf(version)), 'utf8')));
    return mark.version === version;
  } catch {
    return false;
  }
}

/**
 * The interpreter with the package: ours, or the configured one where this version is installed.
 * @throws InputError with the way to install it
 */
export async function reasoningPython(version: string = reasoningGym.version): Promise<string> {
  if (await hasReasoning(version)) return interpreterIn(folderOf(version));
  const python = pythonInUse();
  const asked = `import importlib.metadata as m; print(m.version("${reasoningGym.name}"))`;
  const found = await ran(python, ['-c', asked]);
  if (found.ok && found.output.trim() === version) return python;
  const message = l10n.t(
    'The domain reasoning needs the Python package {0} {1}, which is not installed.',
    reasoningGym.name,
    version,
  );
  const own = version === reasoningGym.version;
  const remedy = own
    ? l10n.t('Run “GenEnv: Install Reasoning Gym”, or genenv install-reasoning. It takes about 350 MB.')
    : l10n.t('The run began with it: genenv install-reasoning --version {0}.', version);
  throw new InputError([{ file: '', line: 1, column: 1, field: 'domain.name', message, remedy, severity: 'error' }]);
}

/** Why the package could not be installed, and the remedy. */
export class InstallError extends RemediedError<'python' | 'install'> {
  override readonly name = 'InstallError';
}

/**
 * Makes the virtual environment and installs the package into it from the index that pip is set up for.
 * @returns the folder. @throws InstallError
 */
export async function installReasoning(
  version: string = reasoningGym.version,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  const python = pythonInUse();
  const folder = folderOf(version);
  const old = await ran(python, ['-c', 'import sys; print(sys.version_info >= (3, 10))'], signal);
  if (!old.ok || old.output.trim() !== 'True') {
    const message = old.ok
      ? l10n.t('{0} is older than Python 3.10.', python)
      : l10n.t('{0} cannot be run: {1}.', python, old.output);
    const remedy = l10n.t(
      'Name a newer one in the setting genenv.python, or in the environment variable GENENV_PYTHON.',
    );
    throw new InstallError('python', message, remedy);
  }
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const steps = [
    [python, ['-m', 'venv', folder]],
    [
      interpreterIn(folder),
      ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', `${reasoningGym.name}==${version}`],
    ],
  ] as const;
  for (const [program, given] of steps) {
    const done = await ran(program, [...given], signal);
    if (done.ok) continue;
    await rm(folder, { recursive: true, force: true });
    const last = done.output.trim().split('\n').at(-1) ?? '';
    const remedy = l10n.t(
      'Look whether the package index can be reached and there is room on the disk, then install again.',
    );
    throw new InstallError(
      'install',
      l10n.t('{0} {1} was not installed: {2}', reasoningGym.name, version, last),
      remedy,
    );
  }
  const mark = { v: 1, name: reasoningGym.name, version };
  await writeFile(markIn(folder), `${JSON.stringify(mark)}\n`);
  return folder;
}

const longest = 15 * 60_000;

function ran(program: string, given: string[], signal?: AbortSignal): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const options = { timeout: longest, maxBuffer: 2 ** 26, ...defined({ signal }) };
    execFile(program, given, options, (error: ExecFileException | null, stdout, stderr) => {
      resolve({ ok: error === null, output: error === null ? stdout : stderr.trim() || error.message });
    });
  });
}
