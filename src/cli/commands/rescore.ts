/** `genenv rescore RUN --reward FILE`: what another reward says of a run's attempts, and what would follow from it. */
import { resolve } from 'node:path';
import { rescoreRun, type RescoredRun } from '../../launch/rescoreRun.ts';
import { meanInterval } from '../../rewards/rescore/meanInterval.ts';
import type { Flip } from '../../rewards/rescore/rejudged.ts';
import type { Context } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { watchInterrupts } from '../interrupts.ts';
import { ProgressLine } from '../live/progressLine.ts';
import { flipLines, rescoreLines } from '../show/rescore.ts';
import { count } from '../text/numbers.ts';
import { UsageError } from '../usageError.ts';

/** More would scroll past whoever reads it. */
const most = 50;

/** Leaves with 1 where the reward itself fails on an attempt. */
export async function rescoreCommand({ terminal, store, arguments: given, dist }: Context): Promise<ExitCode> {
  const file = given.text('reward');
  if (file === null) throw new UsageError('"genenv rescore" needs --reward FILE.', 'Name a *.reward.ts, .js or .py.');
  const epochs = epochsOf(given.text('epochs'));
  const json = given.has('json');
  const writeLine = (value: unknown): void => terminal.out.write(`${JSON.stringify(value)}\n`);
  const ending = new AbortController();
  const interrupts = watchInterrupts(
    () => terminal.now(),
    () => ending.abort(new Error('Interrupted.')),
    () => process.exit(exitCode.paused),
  );
  const progress = new ProgressLine(terminal);
  const run = await store.openReader(given.target);
  try {
    const shown: Flip[] = [];
    const rescored = await rescoreRun(
      { run, file: resolve(terminal.cwd, file), epochs },
      {
        ...{ dist, signal: ending.signal },
        onFlip: (flip) => {
          if (json) writeLine({ type: 'flip', ...flip });
          else if (shown.length < most) shown.push(flip);
        },
        onProgress: (done, total) => progress.show(`${count(done)} of ${count(total)} attempts`, done === total),
      },
    );
    progress.end();
    if (json) writeLine(summaryOf(run.id, rescored));
    else {
      for (const line of [...rescoreLines(rescored), ...flipLines(shown, rescored.flips, terminal.out.columns)])
        terminal.out.write(`${line}\n`);
    }
    return rescored.fates.after.error === 0 ? exitCode.done : exitCode.failed;
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    progress.end();
    terminal.err.write('Stopped. The run is as it was.\n');
    return exitCode.paused;
  } finally {
    progress.end();
    interrupts.dispose();
    await run.close();
  }
}

/** Families’ own R_env are many: of each epoch programs get the means. */
function summaryOf(run: string, { epochs, ...rescored }: RescoredRun) {
  const means = epochs.map((epoch) => {
    const { before, after } = epoch.environmentReward;
    return { ...epoch, environmentReward: { before: meanInterval(before), after: meanInterval(after) } };
  });
  return { type: 'summary', run, ...rescored, epochs: means };
}

/** `3-7`, or `3` alone; everything where it was not given. @throws UsageError */
function epochsOf(text: string | null): { first: number; last: number } {
  if (text === null) return { first: 0, last: Infinity };
  const [, from = '', to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  if (from === '' || Number(to) < Number(from)) {
    throw new UsageError(`--epochs wants two epochs, as 3-7, not "${text}".`, 'The first one is the smaller.');
  }
  return { first: Number(from), last: Number(to) };
}
