import * as vscode from 'vscode';
import type { Trace } from '../../../shared/records/trace.ts';
import { rewardCall, type RewardCall } from '../../../shared/rewards/given.ts';
import { attemptedTask, traceOf } from '../../../host/documents/reading.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import type { TraceTarget } from '../../../host/files/traceInFront.ts';

/** A recorded attempt as a reward function gets it. */
export interface RecordedAttempt {
  run: OpenRun;
  trace: Trace;
  call: RewardCall;
}

/** @throws RunError, InputError; Error when the trace or its task is not recorded */
export async function recordedAttempt(open: OpenRuns, target: TraceTarget): Promise<RecordedAttempt> {
  const run = await open.open(target.run);
  const trace = await traceOf(run, target.trace);
  const task = await attemptedTask(run, trace);
  if (task === null) {
    throw new Error(vscode.l10n.t('The task of this trace is not recorded in its run, so nothing can judge it.'));
  }
  return { run, trace, call: rewardCall(task, trace) };
}
