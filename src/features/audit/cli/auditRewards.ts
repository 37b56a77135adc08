/** `genenv audit-rewards RUN`: possible faults of a run's reward, found in the attempts that it judged. */
import { auditRun } from '../node/auditRun.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { ProgressLine } from '../../../cli/live/progressLine.ts';
import { auditLines } from './showAudit.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

/** Hints are no failure: the exit code is 0 with any findings. */
export async function auditRewards({ terminal, store, arguments: given }: Context): Promise<ExitCode> {
  const interrupts = stopAtInterrupt(terminal);
  const progress = new ProgressLine(terminal);
  const run = await store.openReader(given.target);
  try {
    const audit = await auditRun(run, {
      signal: interrupts.signal,
      onProgress: (done, total) => progress.show(`${count(done)} of ${count(total)} attempts`, done === total),
    });
    progress.end();
    if (given.has('json')) writeJson(terminal, { run: run.id, ...audit });
    else writeLines(terminal.out, auditLines(audit, terminal.out.columns));
    return exitCode.done;
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    progress.end();
    terminal.err.write('Stopped.\n');
    return exitCode.paused;
  } finally {
    progress.end();
    interrupts.dispose();
    await run.close();
  }
}
