/** The folders that the server may read: the one that it was started for and the one of its runs, links followed. */
import { readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { codeOf } from '../../../shared/systemError.ts';
import { AgentError } from '../core/agentError.ts';

const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !/^\.\.[\\/]/.test(way));
};

/** Folders of a run whose files are opened by their names. */
const opened = ['index', 'inputs', 'rescored'];

export class Reach {
  readonly #folders: readonly string[];

  private constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** A folder of runs that is not there yet is where it will be. */
  static async of(...folders: readonly string[]): Promise<Reach> {
    return new Reach(await Promise.all(folders.map(placeOf)));
  }

  /** @throws AgentError `outside` where the path, or a link on it, leads out; a file that is not there yet is inside or out by its folder */
  async check(path: string, subject = 'That path'): Promise<void> {
    if (await this.holds(path)) return;
    throw new AgentError(
      'outside',
      `${subject} leads out of the folder that this server was started for, by “..”, as an absolute path or by a link.`,
      'Only files below that folder are read.',
    );
  }

  async holds(path: string): Promise<boolean> {
    const place = await placeOf(resolve(path));
    return this.#folders.some((folder) => isWithin(folder, place));
  }

  /** A run’s folder and every file that reading it may open. @throws AgentError `outside` */
  async checkRun(dir: string): Promise<void> {
    await this.check(dir);
    await this.#checkLinks(dir, false);
    for (const folder of opened) await this.#checkLinks(join(dir, folder), true);
  }

  async #checkLinks(folder: string, deep: boolean): Promise<void> {
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) await this.check(path);
      else if (deep && entry.isDirectory()) await this.#checkLinks(path, true);
    }
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/** Where a path leads, its links followed; of one that is not there, where its nearest folder leads. */
async function placeOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') || parent === path) throw error;
    return join(await placeOf(parent), relative(parent, path));
  }
}
