/** A person's program under the debugger: given pieces of work ask it one after another, and breakpoints stop on them. */
import * as vscode from 'vscode';
import { sessionName } from './debugSession.ts';
import type { DebugSessions } from './debugSessions.ts';
import type { ProgramRequest } from './programRequest.ts';

/**
 * @returns the outcomes in order, once the session has ended; after a restart, the last ones. @throws SteerError
 * `untrusted`, DebugpyMissing, InputError when the file does not load
 */
export async function debugProgram<Outcome>(
  sessions: DebugSessions,
  request: ProgramRequest<Outcome>,
  token?: vscode.CancellationToken,
): Promise<readonly Outcome[]> {
  const session = await sessions.open(request);
  const folder = vscode.workspace.getWorkspaceFolder(request.file);
  const configuration = session.configuration(sessionName(request));
  const cancelled = token?.onCancellationRequested(() => sessions.stop(session));
  try {
    if (!(await vscode.debug.startDebugging(folder, configuration, request.options))) session.ended();
    return await session.finished;
  } finally {
    cancelled?.dispose();
  }
}
