/** Files that jobs read and write, by their paths as the cluster sees them. */
import { access, appendFile, mkdir, open, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import { codeOf } from '../../../shared/systemError.ts';
import { EndpointError } from '../../endpointError.ts';

export interface JobFiles {
  /** Whole or absent: a job that reads it meanwhile sees none. Folders are made. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** At the end of a file, which is made if need be. */
  append(path: string, content: string | Uint8Array): Promise<void>;
  /** From a byte on; null when there is no such file. */
  read(path: string, from?: number): Promise<Buffer | null>;
  /** Names in a folder, sorted; none when there is no such folder. */
  list(folder: string): Promise<string[]>;
}

/** A folder of the cluster that this machine sees too: a mounted share, or the same disk. */
export class MountedFiles implements JobFiles {
  readonly #workdir: string;
  readonly #mount: string;

  /** @param mount `workdir` as this machine sees it */
  constructor(workdir: string, mount: string) {
    this.#workdir = workdir;
    this.#mount = mount;
  }

  write(path: string, content: string | Uint8Array): Promise<void> {
    return this.#put(path, async (here) => {
      const partial = `${here}.partial`;
      await writeFile(partial, content, { flush: true });
      await rename(partial, here);
    });
  }

  append(path: string, content: string | Uint8Array): Promise<void> {
    return this.#put(path, (here) => appendFile(here, content));
  }

  async #put(path: string, work: (here: string) => Promise<void>): Promise<void> {
    const written = await this.#at(path, async (here) => {
      // A share that is not mounted must not become a folder of this machine.
      await access(this.#mount);
      await mkdir(dirname(here), { recursive: true });
      await work(here);
      return true;
    });
    if (written === null) throw this.#unusable('ENOENT', this.#mount);
  }

  read(path: string, from = 0): Promise<Buffer | null> {
    return this.#at(path, async (here) => {
      const file = await open(here);
      try {
        const pieces: Buffer[] = [];
        for await (const piece of file.createReadStream({ start: from, autoClose: false })) {
          if (Buffer.isBuffer(piece)) pieces.push(piece);
        }
        return Buffer.concat(pieces);
      } finally {
        await file.close();
      }
    });
  }

  async list(folder: string): Promise<string[]> {
    return ((await this.#at(folder, (here) => readdir(here))) ?? []).sort();
  }

  /** Null for what is not there. */
  async #at<T>(path: string, work: (here: string) => Promise<T>): Promise<T | null> {
    const here = this.#here(path);
    try {
      return await work(here);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      if (codeOf(error) === '') throw error;
      throw this.#unusable(codeOf(error), here, error);
    }
  }

  #unusable(code: string, here: string, cause?: unknown): EndpointError {
    return new EndpointError('unreachable', l10n.t('{0} at {1}', code, here), {
      ...{ endpoint: this.#workdir, request: l10n.t('the folder of its jobs'), attempts: 1, cause },
      remedy: l10n.t('Check that the folder is mounted here, may be written and has room.'),
    });
  }

  #here(path: string): string {
    const inside = posix.relative(this.#workdir, path);
    if (inside.startsWith('..')) throw new RangeError(l10n.t('{0} does not lie in {1}.', path, this.#workdir));
    return join(this.#mount, ...inside.split('/'));
  }
}
