/** The files that program attempts need from a domain's folder: checked before a run is made, and kept in it. */
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
    throw new ProgramFault('The domain has “program” and “step”.', 'Keep one: a program leads its whole attempt.');
  }
  const reply = await host.call('program', rewardTask(task));
  if ('fault' in reply) {
    const { at } = reply.fault;
    throw new ProgramFault(`“program” failed on task ${task.id}: ${faultSentence(reply.fault)}.`, 'Correct it.', at);
  }
  const read = readProgram(reply.value);
  if ('fault' in read) throw new ProgramFault(`“program” of task ${task.id}: ${read.fault}.`, 'Correct it.');
  const { value: spec } = read;
  const folder = dirname(main);
  const [program = ''] = spec.command;
  if (besideDomain(folder, program) !== null) {
    const remedy = `Name what runs it first: command: ["sh", "${program}"], or python3, or node.`;
    throw new ProgramFault(`“program” starts ${program} itself, which a run keeps as text.`, remedy);
  }
  if (!isThere(program)) {
    const remedy = 'Install it, or correct “command”.';
    throw new ProgramFault(`“program” starts “${program}”, which this machine has not.`, remedy);
  }
  return neededPaths(folder, spec).flatMap((path) => filesUnder(path));
}

/** A path, or a name on the PATH. */
function isThere(program: string): boolean {
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
    if (kind === undefined) throw new ProgramFault(`“files” names ${path}, which is not there.`, 'Correct the path.');
    if (kind.isDirectory()) {
      for (const name of readdirSync(at).sort()) if (!passedOver.has(name)) walk(join(at, name));
    } else if (kind.isFile()) {
      found.push(at);
      if (found.length > mostFiles) {
        throw new ProgramFault(
          `“files” names ${path}, which holds more than ${mostFiles} files.`,
          'Name what the program reads, and install the rest on this machine.',
        );
      }
      refuseData(at, kind.size);
    }
  };
  walk(path);
  return found;
}

function refuseData(path: string, bytes: number): void {
  const remedy = 'A run keeps the text of a program; leave data where it is and name it by a whole path.';
  if (bytes > mostBytes) throw new ProgramFault(`${basename(path)} has ${bytes} bytes.`, remedy);
  const read = readFileSync(path);
  if (!Buffer.from(read.toString('utf8')).equals(read)) throw new ProgramFault(`${basename(path)} is no text.`, remedy);
}
