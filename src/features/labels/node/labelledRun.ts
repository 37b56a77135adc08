/** The labelled attempts of a run beside the judge's verdicts, and how far both agree. The run is only read. */
import { readLabels } from '../../../runs/records/labelsFile.ts';
import { traceOfAnyone } from '../../../runs/records/traceOfAnyone.ts';
import type { RunError } from '../../../runs/store/runError.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { agreementOf, type Agreement, type LabelledAttempt } from '../core/agreement.ts';

export interface LabelledRun {
  attempts: readonly LabelledAttempt[];
  agreement: Agreement;
  /** Ids of labelled attempts that the run does not hold. */
  gone: readonly string[];
  /** Lines that could not be read. */
  damaged: readonly RunError[];
}

/** @throws RunError */
export async function labelledRun(run: RunReader): Promise<LabelledRun> {
  const { attempts: labelled, damaged } = await readLabels(runPaths(run.dir).attemptLabels);
  const attempts: LabelledAttempt[] = [];
  const gone: string[] = [];
  for (const [trace, people] of labelled) {
    const recorded = await traceOfAnyone(run, trace);
    if (recorded === undefined) gone.push(trace);
    else {
      const { success, error } = recorded.verdict;
      attempts.push({ trace, success: error === undefined ? success : null, people });
    }
  }
  return { attempts, agreement: agreementOf(attempts), gone, damaged };
}
