/**
 * `genenv rescore RUN --reward FILE`: another reward's verdicts on a run's attempts, and their consequences; with
 * `--apply` they override the recorded ones, and `--take-back` removes them again.
 */
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { rescoreRun, type RescoredRun } from '../node/rescoreRun.ts';
import { meanInterval } from '../core/meanInterval.ts';
import type { Flip } from '../contract/rejudged.ts';
import { applyRescoring, takeBackRescoring } from '../../../runs/rescored/applyRescoring.ts';
import { RescoreDraft } from '../../../runs/rescored/rescoreDraft.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { ProgressLine } from '../../../cli/live/progressLine.ts';
import { flipLines, rescoreLines } from './showRescore.ts';
import { count, plural } from '../../../shared/text/figures/numbers.ts';
import { Styled } from '../../../cli/text/styled.ts';
import { UsageError } from '../../../cli/usageError.ts';

/** More would scroll past the reader. */
const most = 50;

/** Leaves with 1 where the reward itself fails on an attempt. */
export async function rescoreCommand(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given, dist } = context;
  if (given.has('take-back')) return takeBack(context);
  const file = given.text('reward');
  if (file === null) throw new UsageError('"genenv rescore" needs --reward FILE.', 'Name a *.reward.ts, .js or .py.');
  const [first, last] = given.epochs('epochs') ?? [0, Infinity];
  const json = given.has('json');
  const writeLine = (value: unknown): void => terminal.out.write(Styled.json(`${JSON.stringify(value)}\n`));
  const interrupts = stopAtInterrupt(terminal);
  const progress = new ProgressLine(terminal);
  const run = await store.openReader(given.target);
  const draft = given.has('apply') ? await RescoreDraft.create() : null;
  try {
    const shown: Flip[] = [];
    const rescored = await rescoreRun(
      { run, file: resolve(terminal.cwd, file), epochs: { first, last } },
      {
        ...{ dist, signal: interrupts.signal },
        onJudged: async ({ attempt: { id, epoch, task, verdict }, flip }) => {
          await draft?.add({ v: 1, id, epoch, task, verdict: verdict.after });
          if (flip === null) return;
          if (json) writeLine({ type: 'flip', ...flip });
          else if (shown.length < most) shown.push(flip);
        },
        onProgress: (done, total) => progress.show(`${count(done)} of ${count(total)} attempts`, done === total),
      },
    );
    progress.end();
    const { flips, fates } = rescored.summary;
    if (json) writeLine(summaryOf(run.id, rescored));
    else {
      writeLines(terminal.out, [...rescoreLines(rescored), ...flipLines(shown, flips, terminal.out.columns)]);
    }
    if (draft !== null) {
      const author = userInfo().username;
      const made = { draft, reward: rescored.reward, flips, errors: fates.after.error, author, clock: terminal };
      const applied = await applyRescoring(store, run.id, made);
      if (json) writeLine(applied);
      else
        terminal.out.write(
          `Applied as rescoring ${applied.rescoring}, beside the recorded verdicts of ${plural(applied.attempts, 'attempt')}. ` +
            `Take it back with: ${context.call('rescore', run.id, '--take-back')}\n`,
        );
    }
    return fates.after.error === 0 ? exitCode.done : exitCode.failed;
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    progress.end();
    terminal.err.write('Stopped. The run is as it was.\n');
    return exitCode.paused;
  } finally {
    progress.end();
    interrupts.dispose();
    await draft?.dispose();
    await run.close();
  }
}

async function takeBack({ terminal, store, arguments: given }: Context): Promise<ExitCode> {
  if (given.text('reward') !== null || given.has('apply')) {
    throw new UsageError('--take-back stands alone.', 'It takes back what was applied last.');
  }
  const taken = await takeBackRescoring(store, given.target, { author: userInfo().username, clock: terminal });
  const { rescoring, attempts } = taken;
  if (given.has('json')) writeJson(terminal, { type: 'rescoring.withdrawn', rescoring });
  else terminal.out.write(`Took back rescoring ${rescoring} of ${plural(attempts, 'attempt')}.\n`);
  return exitCode.done;
}

/** Families’ own R_env are many: of each epoch programs get the means. */
function summaryOf(run: string, { summary: { epochs, ...rescored }, leftOut }: RescoredRun) {
  const means = epochs.map((epoch) => {
    const { before, after } = epoch.environmentReward;
    return { ...epoch, environmentReward: { before: meanInterval(before), after: meanInterval(after) } };
  });
  return { type: 'summary', run, ...rescored, epochs: means, leftOut };
}
