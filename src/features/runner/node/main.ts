/**
 * The runner that an editor starts, and the processes of its runs: `node runner.cjs ROOT DIST VERSION`. Keys come on its
 * standard input, a line of JSON; then the input is closed.
 */
import { appendFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Clock, Log } from '../../../engine/ports.ts';
import { environmentKeys } from '../../../launch/access/keys.ts';
import { writeError } from '../../../runs/files/fileErrors.ts';
import { RunError } from '../../../runs/store/runError.ts';
import { RunStore } from '../../../runs/store/runStore.ts';
import { withMarksShown } from '../../../shared/text/hiddenMarks.ts';
import { limitsOf } from '../core/limits.ts';
import { runVariable } from './childRun.ts';
import { GrantedKeys } from './grants.ts';
import { runnerPaths } from './runnerFiles.ts';
import { messageOf } from '../../../shared/messageOf.ts';

const [program = '', root = '', dist = '', version = ''] = process.argv.slice(1);
const clock: Clock = { now: () => Date.now() };
const say = (text: string): void => {
  const path = runnerPaths(root).log;
  try {
    appendFileSync(path, `${new Date().toISOString()} ${withMarksShown(text)}\n`);
  } catch (error) {
    // A full disk takes no line of the log, and is no end of the queue.
    if (!RunError.is(writeError(error, path), 'disk-full')) throw error;
  }
};
const log: Log = { info: () => undefined, warn: say };
const keys = new GrantedKeys(environmentKeys(process.env));
const store = new RunStore(root, { clock, log, version });
const place = pathToFileURL(`${dist}/`);

async function main(): Promise<void> {
  const run = process.env[runVariable];
  if (run !== undefined && process.send !== undefined) {
    const { executeChild } = await import('./child.ts');
    await executeChild({ store, run, dist: place, clock, log, keys });
    return;
  }
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => controller.abort());
  const { executeQueue } = await import('./runner.ts');
  const { readGrants } = await import('./runnerPipe.ts');
  process.stdin.setEncoding('utf8');
  let given = '';
  for await (const piece of process.stdin) given += String(piece);
  keys.give(readGrants(given) ?? []);
  const why = await executeQueue({
    ...{ store, clock, log, keys, untilEmpty: true, signal: controller.signal },
    limits: limitsOf(new Map(), availableParallelism(), null),
    command: [process.execPath, program, root, dist, version],
    onReady: () => say(`The runner works, process ${process.pid}.`),
    onEvent: (event) => {
      const { type } = event;
      const about = 'run' in event && event.run !== null ? ` ${event.run}` : '';
      const reason = 'why' in event && event.why !== '' ? `: ${event.why}` : '';
      say(`${type}${about}${reason}`);
    },
  });
  say(why === 'empty' ? 'Nothing more starts by itself: the runner ends.' : 'The runner was stopped.');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    say(messageOf(error));
    process.exit(1);
  },
);
