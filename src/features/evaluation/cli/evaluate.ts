/** `genenv evaluate ADAPTER`: a policy on a benchmark. */
import { scoreTable } from '../../../benchmarks/evaluate/scoreTable.ts';
import { paperFigures, protocolOf } from '../../../benchmarks/evaluate/paperFigures.ts';
import { isFault } from '../../../benchmarks/evaluate/unofficial.ts';
import type { Progress } from '../../../engine/ports.ts';
import { evaluate } from '../node/evaluate.ts';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { readAsk } from './readAsk.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { ProgressLine } from '../../../cli/live/progressLine.ts';
import { evaluationLines } from './showEvaluation.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

/**
 * Leaves with 2 where the data is broken, with 1 where something was not answered or could not be judged: the same
 * command asks for it again.
 */
export async function evaluateCommand(context: Context): Promise<ExitCode> {
  const { terminal, arguments: given, dist } = context;
  const { ks, ...ask } = await readAsk(context);
  const interrupts = stopAtInterrupt(terminal);
  const progress = new ProgressLine(terminal);
  try {
    const evaluation = await evaluate(ask, {
      ...{ dist, clock: terminal, keys: await cliKeys(context), signal: interrupts.signal },
      log: { info: () => undefined, warn: (message) => terminal.err.write(`${message}\n`) },
      onProgress: (now) => progress.show(progressText(now), now.done >= now.total),
      onBegun: (folder, kept) => {
        const before = kept === 0 ? '' : `, ${count(kept)} answers there already`;
        terminal.err.write(`${folder}${before}\n`);
      },
    });
    progress.end();
    const { settings, unofficial } = evaluation;
    const scores = scoreTable(evaluation.outcomes, settings.rule, ks, unofficial);
    if (given.has('json')) {
      const { outcomes, ...rest } = evaluation;
      writeJson(terminal, { ...rest, scores, paperReported: paperFigures(protocolOf(settings)), tasks: outcomes });
    } else {
      writeLines(terminal.out, evaluationLines(evaluation, scores, terminal.out.columns));
    }
    if (unofficial.some(isFault)) return exitCode.badInput;
    return evaluation.unanswered === undefined && scores.errors === 0 ? exitCode.done : exitCode.failed;
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    progress.end();
    terminal.err.write('Stopped. Answers are kept: the same command carries on.\n');
    return exitCode.paused;
  } finally {
    progress.end();
    interrupts.dispose();
    if (ask.policy.kind === 'run') await ask.policy.run.close();
  }
}

function progressText({ done, total, tokens, successes = 0 }: Progress): string {
  return `${count(done)} of ${count(total)} attempts, ${count(successes)} right, ${count(tokens)} tokens`;
}
