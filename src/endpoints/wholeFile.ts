/** Files that are whole or absent, also after a power cut. */
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../shared/systemError.ts';

/**
 * Written beside its final name, forced to disk, then renamed. Those who may read and write a file stay the same.
 * @param temporary its name until then
 */
export async function writeWhole(
  path: string,
  content: Uint8Array | string,
  temporary = `${path}.partial`,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const mode = await modeOf(path);
  try {
    // Private until it has its mode; one that a killed process left may have another.
    if (mode !== null) await rm(temporary, { force: true });
    const file = await open(temporary, 'w', mode === null ? undefined : 0o600);
    try {
      // Disks without modes give every file the same one, and refuse to change it.
      if (mode !== null && ((await file.stat()).mode & 0o777) !== mode) await file.chmod(mode);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Null where there is no file yet. */
async function modeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return null;
  }
}
