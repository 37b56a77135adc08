/** Starts a detached runner, and waits until it holds the folder. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { Clock } from '../../../engine/ports.ts';
import { liveHolder, type LeaseHolder } from '../../../runs/lease/leaseFile.ts';
import type { Grant } from '../contract.ts';
import { RunnerError } from './runnerError.ts';
import { runnerPaths } from './runnerFiles.ts';

export interface BeginNeeds {
  root: string;
  /** The program and its words. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Its grants, sent over its standard input; null where its keys are in its environment. */
  grants: readonly Grant[] | null;
  clock: Clock;
}

/** Milliseconds. The lease of a runner that cannot be looked up is watched for a while before it is taken. */
const [glance, patience] = [15, 60_000];

/** Bytes of a log beyond which a new runner begins another one. */
const longLog = 1 << 20;

/**
 * The runner that works on the folder: a new one, or the one that does already; null where the new one had nothing to do and has
 * ended. @throws RunnerError `not-started`
 */
export async function beginRunner({
  root,
  command,
  env,
  grants,
  clock,
}: BeginNeeds): Promise<{ holder: LeaseHolder | null; new: boolean }> {
  const paths = runnerPaths(root);
  const there = await liveHolder(paths.lease, clock);
  if (there !== null) return { holder: there, new: false };
  mkdirSync(paths.dir, { recursive: true });
  if ((statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0) > longLog) renameSync(paths.log, `${paths.log}.old`);
  const log = openSync(paths.log, 'a', 0o600);
  const [program = process.execPath, ...words] = command;
  const child = spawn(program, words, {
    detached: true,
    stdio: [grants === null ? 'ignore' : 'pipe', log, log],
    env,
    windowsHide: true,
  });
  closeSync(log);
  const end: { why: string | null; well: boolean } = { why: null, well: false };
  child.once('error', (error) => {
    end.why = error.message;
  });
  child.once('exit', (code) => {
    end.well = code === 0;
    end.why ??= l10n.t('it ended with code {0}', code ?? '');
  });
  // It may have ended before it read them.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(`${JSON.stringify(grants)}\n`);
  child.unref();
  for (const until = clock.now() + patience; clock.now() < until && end.why === null;) {
    const holder = await liveHolder(paths.lease, clock);
    if (holder !== null) return { holder, new: holder.pid === child.pid };
    await sleep(glance);
  }
  if (end.well) return { holder: null, new: true };
  const said = (await readFile(paths.log, 'utf8')).trimEnd().split('\n').slice(-3).join('\n');
  throw new RunnerError(
    'not-started',
    l10n.t(
      'The runner did not start: {0}.',
      end.why ?? l10n.t('it does not hold the folder after {0} s', patience / 1000),
    ),
    l10n.t('{0}Its log is {1}.', said === '' ? '' : l10n.t('It said: {0}\n', said), paths.log),
  );
}
