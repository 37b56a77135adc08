import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for a bench, removed after it. */
export async function withFolder<T>(bench: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-bench-'));
  try {
    return await bench(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
