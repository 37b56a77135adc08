/** Runs made by the real command line, for what reads them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cli } from './built.ts';

/** Runs an experiment file to its end, into the runs of a workspace folder. */
export async function runInto(folder: string, file: string, ...sets: string[]): Promise<void> {
  const args = ['run', join(folder, file), '--root', join(folder, '.genenv', 'runs')];
  await promisify(execFile)(process.execPath, [cli, ...args, ...sets.flatMap((set) => ['--set', set])], {
    cwd: folder,
  });
}
