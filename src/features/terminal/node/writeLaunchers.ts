import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchersFor } from '../core/launchers.ts';

/** Writes the files that a terminal finds as `genenv`, for its owner to run. @throws a system error */
export async function writeLaunchers(folder: string, platform: NodeJS.Platform): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of launchersFor(platform)) {
    const path = join(folder, name);
    await writeFile(path, text);
    // Where the file was there before, the mode of a write would not count.
    await chmod(path, 0o755);
  }
}
