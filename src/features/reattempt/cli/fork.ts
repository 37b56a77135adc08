/** `genenv fork RUN --trace ID --turn K`: attempts that begin with the first turns of a recorded one. */
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { pooled } from '../../../engine/math/successRate.ts';
import { ratesOf, type Reattempt } from '../../../shared/records/reattempt.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { defined } from '../../../shared/defined.ts';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { signed } from '../../../shared/text/figures/shares.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';
import { decidingStep, forkSteps, turnsToFork, type VersionSteps } from '../core/decidingTurn.ts';
import { forkSource } from '../node/forkSource.ts';
import { reattempt } from '../node/reattempt.ts';

export async function forkCommand(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given, dist } = context;
  const id = given.text('trace');
  if (id === null) throw new UsageError('"genenv fork" needs --trace ID.', 'Ids stand in “genenv search”.');
  const attempts = given.count('n');
  if (attempts === 0) throw new UsageError('--n 0 attempts nothing.', 'Give 1 or more.');
  const version = given.text('by') ?? undefined;
  const interrupts = stopAtInterrupt(terminal);
  const run = await store.openReader(given.target);
  try {
    const { trace, task } = await forkSource(run, id);
    const turns = turnsOf(given.all('turn'), trace);
    const text = await editOf(given.text('edit'), turns, terminal.cwd);
    const keys = await cliKeys(context);
    const forks: Reattempt[] = [];
    for (const turn of turns) {
      const made = await reattempt(
        {
          ...{ agent: { run }, task, edited: null, author: userInfo().username, fork: { trace, turn, text } },
          attempts: attempts ?? run.manifest.experiment.rollouts.group,
          ...defined({ version }),
        },
        {
          ...{ dist, clock: terminal, keys, signal: interrupts.signal },
          log: { info: () => undefined, warn: (message) => terminal.err.write(`${message}\n`) },
        },
      );
      forks.push(made);
      if (!given.has('json')) writeLines(terminal.out, linesOf(made, trace, forks.length === 1));
      if (made.state !== 'finished') break;
    }
    const steps = forkSteps(forks, trace);
    const flat = steps.flatMap(({ version: by, steps: own }) => own.map((one) => ({ version: by, ...one })));
    if (given.has('json')) {
      writeJson(terminal, { forks: forks.map((one) => ({ ...one, rates: ratesOf(one) })), steps: flat });
    } else if (turns.length > 1) writeLines(terminal.out, steps.map(decision));
    const state = forks.at(-1)?.state;
    return state === 'finished' ? exitCode.done : state === 'stopped' ? exitCode.paused : exitCode.failed;
  } finally {
    interrupts.dispose();
    await run.close();
  }
}

/** Numbers of messages from 0, ascending. @throws UsageError */
function turnsOf(given: readonly string[], trace: Trace): number[] {
  if (given.length === 0) throw new UsageError('"genenv fork" needs --turn K.', 'Give a turn from 1, or “all”.');
  const turns = given.flatMap((text) => {
    if (text === 'all') return turnsToFork(trace);
    if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`--turn wants a number from 1 or “all”, not "${text}".`, '');
    return [Number(text) - 1];
  });
  if (turns.length === 0) throw new UsageError(`The agent has no turn in ${trace.id}.`, '');
  return [...new Set(turns)].sort((a, b) => a - b);
}

/** @throws UsageError */
async function editOf(file: string | null, turns: readonly number[], cwd: string): Promise<string | null> {
  if (file === null) return null;
  if (turns.length > 1) throw new UsageError('--edit changes one turn.', 'Give --turn once.');
  const text = await strictText(resolve(cwd, file), file).catch((error: unknown) => {
    if (codeOf(error) === '') throw error;
    throw new UsageError(`--edit ${file} cannot be read.`, 'Give a file with the text of the turn.');
  });
  return text.replace(/\r?\n$/, '');
}

function linesOf(fork: Reattempt, { task, version }: Trace, first: boolean): string[] {
  const { before, after } = ratesOf(fork);
  const head = [
    `${fork.fork?.trace ?? ''} by ${version}, at ${task}`,
    `  as recorded: ${measured(pooled([before]))}, ${before.successes} of ${before.attempts}`,
  ];
  const where = `turn ${(fork.fork?.turn ?? 0) + 1}${fork.fork?.text == null ? '' : ', edited'}`;
  return [
    ...(first ? head : []),
    `  from ${where}, by ${fork.version}: ${measured(pooled([after]))}, ${after.successes} of ${after.attempts}`,
    ...(fork.message === null ? [] : [fork.message]),
  ];
}

function decision({ version, steps }: VersionSteps): string {
  const decided = decidingStep(steps);
  if (decided === null) {
    return `No turn decided clearly for ${version}: no change of p̂ excludes 0 in ${plural(steps.length, 'step')}. More attempts (--n) narrow it.`;
  }
  const { turn, change } = decided;
  return `Turn ${turn + 1} decided for ${version}: p̂ changes by ${signed(change.d, 2)} [${signed(change.low, 2)}, ${signed(change.high, 2)}] with it kept.`;
}
