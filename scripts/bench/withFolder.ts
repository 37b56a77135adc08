import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './figure.ts';

/** A folder for a bench, removed after it. */
export async function withFolder(bench: (folder: string) => Promise<Figure[]>): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-bench-'));
  try {
    return await bench(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
