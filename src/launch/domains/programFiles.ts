/** The files that program attempts need from a domain's folder: checked before a run is made, and kept in it. */
import * as l10n from '@vscode/l10n';
import { accessSync, constants, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import type { DomainHost } from '../../domains/domainHost.ts';
import { besideDomain, neededPaths } from '../../domains/programs/commandWords.ts';
import { faultSentence } from '../../rewards/processes/answer.ts';
import { readProgram } from '../../shared/domains/program.ts';
import type { Task } from '../../shared/records/task.ts';
import { rewardTask } from '../../shared/rewards/given.ts';

/** Limits of kept files of one folder, and of bytes of one file: it is no place for data. */
const [mostFiles, mostBytes] = [500, 4 * 2 ** 20];
/** Made by others, again and again. */
const passedOver = new Set(['node_modules', '.git', '__pycache__', '.venv', 'venv']);

/** The fault of a program, as a sentence, and the remedy. */
export class ProgramFault extends Error {
  override readonly name = 'ProgramFault';
  readonly remedy: string;
  /** Where the file says it. */
  readonly at: { file: string; line: number; column: number } | null;

  constructor(message: string, remedy: string, at: ProgramFault['at'] = null) {
    super(message);
    this.remedy = remedy;
    this.at = at;
  }
}

/** Paths that the program of a task needs beside the domain file. @throws ProgramFault */
export async function programFiles(host: DomainHost, main: string, task: Task): Promise<string[]> {
  if (host.has('step')) {
    throw new ProgramFault(
      l10n.t('The domain has “program” and “step”.'),
      l10n.t('Keep one: a program leads its whole attempt.'),
    );
  }
  const reply = await host.call('program', rewardTask(task));
  if ('fault' in reply) {
    const { at } = reply.fault;
    throw new ProgramFault(
      l10n.t('“program” failed on task {0}: {1}.', task.id, faultSentence(reply.fault)),
      l10n.t('Correct it.'),
      at,
    );
  }
  const read = readProgram(reply.value);
  if ('fault' in read)
    throw new ProgramFault(l10n.t('“program” of task {0}: {1}.', task.id, read.fault), l10n.t('Correct it.'));
  const { value: spec } = read;
  const folder = dirname(main);
  const [program = ''] = spec.command;
  if (besideDomain(folder, program) !== null) {
    const remedy = l10n.t('Name what runs it first: command: ["sh", "{0}"], or python3, or node.', program);
    throw new ProgramFault(l10n.t('“program” starts {0} itself, which a run keeps as text.', program), remedy);
  }
  if (!canStart(program)) {
    const remedy = l10n.t('Install it, or correct “command”.');
    throw new ProgramFault(l10n.t('“program” starts “{0}”, which this machine has not.', program), remedy);
  }
  return neededPaths(folder, spec).flatMap((path) => filesUnder(path));
}

/** A path, or a name on the PATH. */
function canStart(program: string): boolean {
  if (/[\\/]/.test(program)) return existsSync(program);
  const ends = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat', '.com'] : [''];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => ends.some((end) => canRun(join(folder, program + end))));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not ours to run: another folder may have it.
    return false;
  }
}

/** @throws ProgramFault for missing files, too much data, or binary files */
function filesUnder(path: string): string[] {
  const found: string[] = [];
  const walk = (at: string): void => {
    const kind = statSync(at, { throwIfNoEntry: false });
    if (kind === undefined)
      throw new ProgramFault(l10n.t('“files” names {0}, which is not there.', path), l10n.t('Correct the path.'));
    if (kind.isDirectory()) {
      for (const name of readdirSync(at).sort()) if (!passedOver.has(name)) walk(join(at, name));
    } else if (kind.isFile()) {
      found.push(at);
      if (found.length > mostFiles) {
        throw new ProgramFault(
          l10n.t('“files” names {0}, which holds more than {1} files.', path, mostFiles),
          l10n.t('Name what the program reads, and install the rest on this machine.'),
        );
      }
      refuseData(at, kind.size);
    }
  };
  walk(path);
  return found;
}

function refuseData(path: string, bytes: number): void {
  const remedy = l10n.t('A run keeps the text of a program; leave data where it is and name it by a whole path.');
  if (bytes > mostBytes) throw new ProgramFault(l10n.t('{0} has {1} bytes.', basename(path), bytes), remedy);
  const read = readFileSync(path);
  if (!Buffer.from(read.toString('utf8')).equals(read))
    throw new ProgramFault(l10n.t('{0} is no text.', basename(path)), remedy);
}
