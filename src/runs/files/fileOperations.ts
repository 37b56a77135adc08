import { mkdir, open, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../shared/systemError.ts';
import { unfinishedName } from './unfinished.ts';

/** A file that is written at positions we choose, so that a partial write can be cut back. */
export interface WritableFile {
  /** Bytes in the file now. */
  size(): Promise<number>;
  /** May write fewer bytes than given, as write(2) may; gives how many. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Data is on the device when it resolves (fdatasync). */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Everything the run folder does to a disk that can fail for want of space or rights: the seam for fault injection. */
export interface FileOperations {
  /** Opens for reading and writing, creating an empty file when there is none. */
  openForWriting(path: string): Promise<WritableFile>;
  /** Creates with these contents; fails with EEXIST when there is a file already. */
  createExclusive(path: string, contents: string): Promise<void>;
  /** Replaces a whole file in one step, durably, its mode kept: a crash leaves the old or the new contents. */
  replace(path: string, contents: string | Iterable<Uint8Array>): Promise<void>;
  makeFolder(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the entries of a folder durable, where the system can. */
  syncFolder(path: string): Promise<void>;
}

class NodeFile implements WritableFile {
  readonly #handle: FileHandle;
  constructor(handle: FileHandle) {
    this.#handle = handle;
  }
  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }
  async write(bytes: Uint8Array, position: number): Promise<number> {
    return (await this.#handle.write(bytes, 0, bytes.byteLength, position)).bytesWritten;
  }
  async truncate(length: number): Promise<void> {
    await this.#handle.truncate(length);
  }
  async sync(): Promise<void> {
    await this.#handle.datasync();
  }
  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function openOrCreate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return open(path, 'wx+');
  }
}

/** Who may read and write a file; null where there is none yet. */
async function modeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return null;
  }
}

/** Leaves nothing behind when it fails. @param mode who may read and write it; as usual here where null */
async function writeAndSync(
  path: string,
  flags: string,
  contents: string | Iterable<Uint8Array>,
  mode: number | null = null,
): Promise<void> {
  // Private until it has its mode.
  const handle = await open(path, flags, mode === null ? undefined : 0o600);
  try {
    // Disks without modes give every file the same one, and refuse to change it.
    if (mode !== null && ((await handle.stat()).mode & 0o777) !== mode) await handle.chmod(mode);
    await handle.writeFile(contents);
    await handle.datasync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await handle.close();
  }
}

/** The real disk. */
export const nodeFiles: FileOperations = {
  async openForWriting(path) {
    return new NodeFile(await openOrCreate(path));
  },
  async createExclusive(path, contents) {
    await writeAndSync(path, 'wx', contents);
  },
  async replace(path, contents) {
    const next = unfinishedName(path);
    await writeAndSync(next, 'wx', contents, await modeOf(path));
    try {
      await rename(next, path);
    } catch (error) {
      // It is gone already where its folder was moved.
      await rm(next, { force: true });
      throw error;
    }
    await nodeFiles.syncFolder(dirname(path));
  },
  async makeFolder(path) {
    await mkdir(path, { recursive: true });
  },
  rename,
  remove: unlink,
  async syncFolder(path) {
    // Windows cannot open a folder; there a rename is durable enough without it.
    if (process.platform === 'win32') return;
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};
