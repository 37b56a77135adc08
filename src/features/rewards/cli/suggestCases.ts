/** `genenv suggest-cases REWARD --run RUN`: which of a run's attempts the reward should be held to. */
import { resolve } from 'node:path';
import { suggestCases, type SuggestedCase, type SuggestedCases } from '../node/suggestCases.ts';
import type { SuggestionReason } from '../core/suggestions.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { ProgressLine } from '../../../cli/live/progressLine.ts';
import { count, plural, rate } from '../../../shared/text/figures/numbers.ts';
import type { Printable } from '../../../cli/text/styled.ts';
import { table } from '../../../cli/text/table.ts';
import { UsageError } from '../../../cli/usageError.ts';

/** Where --most is not given. */
const some = 10;

export async function suggestCasesCommand(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given, dist } = context;
  const target = given.text('run');
  if (target === null) {
    throw new UsageError('"genenv suggest-cases" needs --run RUN.', 'Name a run, as “genenv list” shows it.');
  }
  const against = given.text('against');
  const interrupts = stopAtInterrupt(terminal);
  const progress = new ProgressLine(terminal);
  const run = await store.openReader(target);
  try {
    const suggested = await suggestCases(
      {
        run,
        file: resolve(terminal.cwd, given.target),
        against: against === null ? null : resolve(terminal.cwd, against),
        most: given.count('most') ?? some,
      },
      {
        ...{ dist, signal: interrupts.signal },
        onProgress: (done, total) => progress.show(`${count(done)} of ${count(total)} attempts`, done === total),
      },
    );
    progress.end();
    if (given.has('json')) writeJson(terminal, { run: run.id, ...suggested });
    else writeLines(terminal.out, linesOf(suggested, against, terminal.out.columns));
    return exitCode.done;
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    progress.end();
    terminal.err.write('Stopped. Nothing was written.\n');
    return exitCode.paused;
  } finally {
    progress.end();
    interrupts.dispose();
    await run.close();
  }
}

/** @param against the file compared with; null for the recorded verdicts */
function linesOf(
  { attempts, threshold, leftOut, cases }: SuggestedCases,
  against: string | null,
  width: number,
): Printable[] {
  const rows = table<SuggestedCase>(
    [
      { title: 'trace', cell: ({ id }) => id },
      { title: 'task', cell: ({ task }) => task },
      { title: 'why', cell: ({ reason }) => wordsOf(reason), shrinks: true },
    ],
    cases,
    width,
  );
  const cut = threshold === null ? 'no threshold' : `successes from a reward of about ${rate(threshold)} on`;
  return [
    ...(cases.length === 0 ? [] : [...rows, '']),
    `${plural(attempts, 'attempt')} compared with ${against ?? 'what is recorded'}, ${cut}: ${plural(cases.length, 'case')} suggested.`,
    ...(leftOut === 0 ? [] : [`${plural(leftOut, 'attempt')} left out: their tasks are not recorded.`]),
  ];
}

function wordsOf(reason: SuggestionReason): string {
  if (reason.kind === 'disagreement') {
    const { fate, reward } = reason;
    return `${fate.before} ${rate(reward.before)} → ${fate.after} ${rate(reward.after)}`;
  }
  const word = reason.success ? 'solved' : 'failed';
  return `${word} ${rate(reason.reward)}, near the threshold ${rate(reason.threshold)}`;
}
