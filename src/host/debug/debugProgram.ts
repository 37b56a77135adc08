/** A person's program under the debugger: given pieces of work ask it one after another, and breakpoints stop on them. */
import * as vscode from 'vscode';
import type { Piece } from '../../rewards/processes/debuggedProgram.ts';
import { sessionName } from './debugSession.ts';
import type { DebugSessions } from './debugSessions.ts';

/** Something to stop on. */
interface NamedPiece<Outcome> {
  /** What people call it: a trace's id, a case's name, the beginning of a text. */
  name: string;
  run: Piece<Outcome>;
}

export interface ProgramRequest<Outcome> {
  /** What is not saved in it yet is saved first. */
  file: vscode.Uri;
  /** Done in this order, by one process. */
  pieces: readonly NamedPiece<Outcome>[];
  /** Of functions: the first of them that the file has is where it stops without a breakpoint. */
  entry: readonly string[];
  /** What the debug console says of an outcome. */
  told: (name: string, outcome: Outcome) => string;
  /** Whether it may use the network. */
  network: boolean;
  /** Stops at the function's first line on every call; when absent, only where the files that it loads have no breakpoint. */
  stopOnEntry?: boolean;
  /** A test run that it belongs to, and the like. */
  options?: vscode.DebugSessionOptions;
}

/**
 * @returns once the session has ended: the outcomes of what was done until then, in their order; after a restart, the last
 * ones. @throws SteerError `untrusted`, DebugpyMissing, InputError when the file does not load
 */
export async function debugProgram<Outcome>(
  sessions: DebugSessions,
  request: ProgramRequest<Outcome>,
  token?: vscode.CancellationToken,
): Promise<readonly Outcome[]> {
  const session = await sessions.open(request);
  const folder = vscode.workspace.getWorkspaceFolder(request.file);
  const configuration = await session.configuration(sessionName(request));
  const cancelled = token?.onCancellationRequested(() => sessions.stop(session));
  try {
    if (!(await vscode.debug.startDebugging(folder, configuration, request.options))) session.ended();
    return await session.finished;
  } finally {
    cancelled?.dispose();
  }
}
