/** Starts a runner that outlives who starts it, and waits until it holds the folder. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../engine/ports.ts';
import { liveHolder, type LeaseHolder } from '../../../runs/lease/leaseFile.ts';
import { RunnerError } from './runnerError.ts';
import { runnerPaths } from './runnerFiles.ts';

export interface BeginNeeds {
  root: string;
  /** The program and its words. */
  command: readonly string[];
  /** With the keys that it may send; they stand nowhere else. */
  env: NodeJS.ProcessEnv;
  clock: Clock;
}

/** Milliseconds. */
const [glance, patience] = [15, 20_000];

/** The runner that works on the folder: a new one, or the one that does already. @throws RunnerError `not-started` */
export async function beginRunner({
  root,
  command,
  env,
  clock,
}: BeginNeeds): Promise<{ holder: LeaseHolder; new: boolean }> {
  const paths = runnerPaths(root);
  const there = await liveHolder(paths.lease, clock);
  if (there !== null) return { holder: there, new: false };
  mkdirSync(paths.dir, { recursive: true });
  const log = openSync(paths.log, 'a', 0o600);
  const [program = process.execPath, ...words] = command;
  const child = spawn(program, words, { detached: true, stdio: ['ignore', log, log], env, windowsHide: true });
  closeSync(log);
  const end: { why: string | null } = { why: null };
  child.once('error', (error) => {
    end.why = error.message;
  });
  child.once('exit', (code) => {
    end.why ??= `it ended with code ${code ?? ''}`;
  });
  child.unref();
  for (const until = clock.now() + patience; clock.now() < until && end.why === null;) {
    const holder = await liveHolder(paths.lease, clock);
    if (holder !== null) return { holder, new: holder.pid === child.pid };
    await sleep(glance);
  }
  const said = (await readFile(paths.log, 'utf8')).trimEnd().split('\n').slice(-3).join('\n');
  throw new RunnerError(
    'not-started',
    `The runner did not start: ${end.why ?? `it does not hold the folder after ${patience / 1000} s`}.`,
    `${said === '' ? '' : `It said: ${said}\n`}Its log is ${paths.log}.`,
  );
}
