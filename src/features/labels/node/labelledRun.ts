/** The labelled attempts of a run beside the judge's verdicts, and how far both agree. The run is only read. */
import { StateFold } from '../../../engine/state.ts';
import { readLabels } from '../../../runs/records/labelsFile.ts';
import { traceOfAnyone } from '../../../runs/records/traceOfAnyone.ts';
import type { RunError } from '../../../runs/store/runError.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Verdict } from '../../../shared/records/trace.ts';
import { agreementOf, type Agreement, type LabelledAttempt } from '../core/agreement.ts';

export interface LabelledRun {
  attempts: readonly LabelledAttempt[];
  /** By the recorded verdicts. */
  agreement: Agreement;
  /** By the newest ones, where a rescoring that was applied judged a labelled attempt again; else null. */
  rescored: Agreement | null;
  /** Ids of labelled attempts that the run does not hold. */
  gone: readonly string[];
  /** Lines that could not be read. */
  damaged: readonly RunError[];
}

/** @throws RunError */
export async function labelledRun(run: RunReader): Promise<LabelledRun> {
  const { attempts: labelled, damaged } = await readLabels(runPaths(run.dir).attemptLabels);
  const attempts: LabelledAttempt[] = [];
  const newest: LabelledAttempt[] = [];
  let isRescored = false;
  const fold = new StateFold();
  if (labelled.size > 0) for await (const event of run.events()) fold.add(event);
  const gone: string[] = [];
  for (const [trace, people] of labelled) {
    const recorded = await traceOfAnyone(run, trace);
    if (recorded === undefined) gone.push(trace);
    else {
      const again = await run.rescored.of(fold.state.rescorings, recorded);
      isRescored ||= again !== null;
      attempts.push({ trace, success: judged(recorded.verdict), people });
      newest.push({ trace, success: judged((again ?? recorded).verdict), people });
    }
  }
  const rescored = isRescored ? agreementOf(newest) : null;
  return { attempts, agreement: agreementOf(attempts), rescored, gone, damaged };
}

const judged = ({ success, error }: Verdict): boolean | null => (error === undefined ? success : null);
