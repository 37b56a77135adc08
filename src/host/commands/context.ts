import type * as vscode from 'vscode';
import type { HostKeys } from '../servers/hostKeys.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Failures } from '../feedback/failures.ts';
import type { RunFolders } from '../runs/runFolders.ts';
import type { RunCatalog, RunService, StartRequest } from '../runs/runs.ts';

/** The dependencies of commands. */
export interface CommandContext {
  catalog: RunCatalog;
  service: RunService;
  folders: RunFolders;
  failures: Failures;
  log: vscode.LogOutputChannel;
  clock: Clock;
  keys: HostKeys;
  extensionUri: vscode.Uri;
  extensionId: string;
  /** The workspace's own state, which outlives the window. */
  memory: vscode.Memento;
  /** The folder of built files. */
  dist: URL;
  /** Checks an experiment before its start; null when a person decided against it. @throws InputError */
  clear: (file: vscode.Uri, throughWarnings?: boolean) => Promise<StartRequest | null>;
}

/** A command's work; an error is shown after the text of `failed`. */
export interface Command {
  /** "The run was not started": the effect that is missing after an error. */
  failed: () => string;
  run: (context: CommandContext, argument: unknown) => Promise<void>;
}

/** By the part of their ids after `genenv.`. */
export type Commands = Readonly<Record<string, Command>>;
