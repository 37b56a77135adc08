/** `genenv runner`: executes a queue here, or starts, inspects and stops another runner. */
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { watchInterrupts } from '../../../cli/interrupts.ts';
import { styled, Styled } from '../../../cli/text/styled.ts';
import { warningsTo } from '../../../cli/terminal.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { embedded, originOf } from '../../../shared/experiment/endpoints/origins.ts';
import { describeHolder } from '../../../runs/lease/leaseFile.ts';
import type { QueueEntryEvent } from '../contract.ts';
import { limitsOf } from '../core/limits.ts';
import { lostIn } from '../core/plan.ts';
import { beginRunner } from '../node/beginRunner.ts';
import { executeChild } from '../node/child.ts';
import { runVariable } from '../node/childRun.ts';
import { GrantedKeys } from '../node/grants.ts';
import { executeQueue } from '../node/runner.ts';
import { lookAtRunner, runnerInbox, runnerPaths } from '../node/runnerFiles.ts';
import { author, listQueue } from './queue.ts';

export async function runnerCommand(context: Context): Promise<ExitCode> {
  const { target } = context.arguments;
  switch (target) {
    case 'execute':
      return executeRun(context);
    case '':
      return here(context);
    case 'start':
      return start(context);
    case 'status':
      return status(context);
    case 'stop':
      return stop(context);
    default:
      throw unknown(target);
  }
}

const unknown = (word: string): UsageError =>
  new UsageError(`"genenv runner" does not know "${word}".`, 'Write start, status or stop, or no word to run it here.');

/** This program, with words before which nothing else stands. */
const self = (...words: readonly string[]): string[] => [process.execPath, process.argv[1] ?? '', ...words];

const around = ({ terminal }: Context) => ({
  clock: terminal,
  log: { info: () => undefined, warn: warningsTo(terminal) },
});

async function here(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given } = context;
  const json = given.has('json');
  const limits = readLimits(context);
  const allowed = given.all('allow').flatMap((address) => ['--allow', address]);
  const tell = (event: QueueEntryEvent): void => {
    if (json) terminal.out.write(Styled.json(`${JSON.stringify({ at: terminal.now(), ...event })}\n`));
    else {
      const line = lineOf(event);
      if (line !== null) terminal.out.write(styled`${line}\n`);
    }
  };
  const interrupts = watchInterrupts(
    () => terminal.now(),
    () => (json ? undefined : terminal.err.write('Ending: runs are paused where they are, and wait in the queue.\n')),
    () => process.exit(exitCode.paused),
  );
  let why: 'asked' | 'empty';
  try {
    why = await executeQueue({
      ...around(context),
      ...{ store, limits, keys: new GrantedKeys(await cliKeys(context)), untilEmpty: given.has('until-empty') },
      command: self('runner', 'execute', ...allowed),
      signal: interrupts.signal,
      onReady: () => {
        if (!json) terminal.out.write(styled`Executes the queue of ${store.root}. Ctrl-C ends it.\n`);
      },
      onEvent: tell,
    });
  } finally {
    interrupts.dispose();
  }
  if (why === 'asked') return exitCode.done;
  const { queue, held } = await lookAtRunner(store.root, around(context));
  return !held && lostIn(queue).length > 0 ? exitCode.failed : exitCode.done;
}

function lineOf(event: QueueEntryEvent): string | null {
  switch (event.type) {
    case 'added':
      return `${event.work.run}: queued`;
    case 'started':
      return `${event.run}: started`;
    case 'delayed':
      return `${event.run}: waits: ${event.why}`;
    case 'ended':
      return `${event.run}: ${event.outcome}${event.why === '' ? '' : `: ${event.why}`}`;
    case 'returned':
      return `${event.run}: waits again`;
    case 'held':
      return 'The queue is paused.';
    case 'released':
      return 'The queue goes again.';
    case 'removed':
      return `${event.run}: removed from the queue`;
    case 'refused':
      return `${event.run === null ? '' : `${event.run}: `}${event.why}`;
    default:
      return null;
  }
}

/** @throws UsageError */
function readLimits({ arguments: given }: Context) {
  const limits = given.all('limit').map((text): [string, number] => {
    const [, address = '', digits = ''] = /^(.+)=([1-9]\d{0,3})$/.exec(text) ?? [];
    if (address === embedded) return [address, Number(digits)];
    if (digits !== '' && URL.canParse(address)) return [originOf(address), Number(digits)];
    throw new UsageError(`--limit wants URL=N or embedded=N, not "${text}".`, 'As in --limit http://gpu:8000=2.');
  });
  return limitsOf(new Map(limits), availableParallelism(), given.count('at-once'));
}

/** One run, for the runner that started this process. */
async function executeRun(context: Context): Promise<ExitCode> {
  const { store, dist, terminal } = context;
  const run = terminal.env[runVariable];
  if (process.send === undefined || run === undefined) throw unknown('execute');
  await executeChild({ ...around(context), store, run, dist, keys: new GrantedKeys(await cliKeys(context)) });
  // Nothing else may keep it: the next run waits for its end.
  setTimeout(() => process.exit(exitCode.done), 0);
  return exitCode.done;
}

async function start(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given } = context;
  readLimits(context);
  const passed = ['limit', 'at-once', 'allow'].flatMap((name) =>
    given.all(name).flatMap((value) => [`--${name}`, value]),
  );
  const empty = given.has('until-empty') ? ['--until-empty'] : [];
  const command = self('runner', ...passed, ...empty, '--root', store.root);
  const { holder, new: isNew } = await beginRunner({
    root: store.root,
    command,
    env: process.env,
    grants: null,
    clock: terminal,
  });
  if (given.has('json')) {
    writeJson(terminal, { started: isNew, host: holder?.host ?? null, pid: holder?.pid ?? null });
  } else if (holder === null) terminal.out.write('Nothing waits in the queue: the runner has ended.\n');
  else {
    const what = isNew ? 'The runner works' : 'A runner worked already';
    terminal.out.write(styled`${what}: ${describeHolder(holder)}. Its log: ${runnerPaths(store.root).log}\n`);
  }
  return exitCode.done;
}

async function status(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given, call } = context;
  if (given.has('json')) return listQueue(context);
  const { holder } = await lookAtRunner(store.root, around(context));
  const said = holder === null ? `No runner works on ${store.root}.` : `A runner works: ${describeHolder(holder)}.`;
  terminal.out.write(styled`${said}\n`);
  if (holder === null) terminal.out.write(styled`Start one with: ${call('runner', 'start')}\n`);
  return listQueue(context);
}

/** Milliseconds until a runner that was asked to stop must have. */
const patience = 30_000;

async function stop(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given } = context;
  const { clock, log } = around(context);
  const { holder } = await lookAtRunner(store.root, { clock, log });
  let stopped = holder === null;
  if (holder !== null) {
    await runnerInbox(store.root, { clock, log }).post({ type: 'stop', author: author() });
    for (const until = clock.now() + patience; !stopped && clock.now() < until;) {
      await sleep(50);
      const now = (await lookAtRunner(store.root, { clock, log })).holder;
      stopped = now?.nonce !== holder.nonce;
    }
  }
  if (given.has('json')) writeJson(terminal, { running: holder !== null, stopped });
  else if (holder === null) terminal.out.write(styled`No runner works on ${store.root}.\n`);
  else {
    terminal.out.write(
      stopped
        ? 'Stopped. What ran waits in the queue; finished rollouts are kept.\n'
        : styled`Asked, but it has not ended yet: ${describeHolder(holder)}.\n`,
    );
  }
  return stopped ? exitCode.done : exitCode.failed;
}
