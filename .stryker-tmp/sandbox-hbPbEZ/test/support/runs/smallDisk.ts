import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  root: string;
  grow(bytes: number): void;
  remove(): void;
}

/** A real filesystem of so many bytes, in memory; or why there can be none here. */
export function mountSmallDisk(bytes: number): SmallDisk | string {
  if (process.platform !== 'linux') return `mounting a small disk is not known on ${process.platform}`;
  const root = mkdtempSync(join(tmpdir(), 'genenv-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'genenv-test', root], { stdio: 'pipe' });
  } catch (error) {
    rmSync(root, { recursive: true });
    return `a small disk cannot be mounted: ${error instanceof Error ? error.message : String(error)}`;
  }
  return {
    root,
    grow(size) {
      execFileSync('mount', ['-o', `remount,size=${size}`, root]);
    },
    remove() {
      execFileSync('umount', [root]);
      rmSync(root, { recursive: true });
    },
  };
}
