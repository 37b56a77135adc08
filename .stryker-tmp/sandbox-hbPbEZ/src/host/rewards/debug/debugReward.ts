/** A person's reward under the debugger: given attempts are judged one after another, and breakpoints stop on them. */
import * as vscode from 'vscode';
import type { RewardCall } from '../../../shared/rewards/given.ts';
import type { RewardOutcome } from '../../../shared/rewards/outcome.ts';
import type { RewardSessions } from './rewardSessions.ts';
import { sessionName } from './debugSession.ts';

/** An attempt to stop on. */
export interface DebugCall {
  /** What people call it: a trace's id, a case's name. */
  name: string;
  call: RewardCall;
}

export interface DebugRequest {
  /** What is not saved in it yet is saved first. */
  reward: vscode.Uri;
  /** Judged in this order, by one process. */
  calls: readonly DebugCall[];
  /** Whether it may use the network. */
  network: boolean;
  /** Stops at the function's first line on every call; when absent, only where the files that it loads have no breakpoint. */
  stopOnEntry?: boolean;
  /** A test run that it belongs to, and the like. */
  options?: vscode.DebugSessionOptions;
}

/**
 * @returns once the session has ended: the outcomes of the calls that were judged until then, in their order; after a
 * restart, the last ones. @throws SteerError `untrusted`, DebugpyMissing, InputError when the file does not load
 */
export async function debugReward(
  sessions: RewardSessions,
  request: DebugRequest,
  token?: vscode.CancellationToken,
): Promise<readonly RewardOutcome[]> {
  const session = await sessions.open(request);
  const folder = vscode.workspace.getWorkspaceFolder(request.reward);
  const configuration = await session.configuration(sessionName(request));
  const cancelled = token?.onCancellationRequested(() => sessions.stop(session));
  try {
    if (!(await vscode.debug.startDebugging(folder, configuration, request.options))) session.ended();
    return await session.finished;
  } finally {
    cancelled?.dispose();
  }
}
