import type { Piece } from '../../rewards/processes/debuggedProgram.ts';
import type * as vscode from 'vscode';

/** Something to stop on. */
interface NamedPiece<Outcome> {
  /** The name for users: a trace's id, a case's name, the beginning of a text. */
  name: string;
  run: Piece<Outcome>;
}

export interface ProgramRequest<Outcome> {
  /** Saved first when it has unsaved changes. */
  file: vscode.Uri;
  /** Done in this order, by one process. */
  pieces: readonly NamedPiece<Outcome>[];
  /** Of functions: the first of them that the file has is where it stops without a breakpoint. */
  entry: readonly string[];
  /** The debug console's line for an outcome. */
  told: (name: string, outcome: Outcome) => string;
  /** Whether it may use the network. */
  network: boolean;
  /** Stops at the function's first line on every call; when absent, only where the files that it loads have no breakpoint. */
  stopOnEntry?: boolean;
  /** A test run that it belongs to, and the like. */
  options?: vscode.DebugSessionOptions;
}
