import type * as vscode from 'vscode';
import type { HostKeys } from '../servers/hostKeys.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Failures } from '../feedback/failures.ts';
import type { RunFolders } from '../runs/runFolders.ts';
import type { RunCatalog, RunService, StartRequest } from '../runs/runs.ts';

/** What commands work with. */
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
  /** The folder of built files. */
  dist: URL;
  /** Checks an experiment before its start; null when a person decided against it. @throws InputError */
  clear: (file: vscode.Uri) => Promise<StartRequest | null>;
}

/** A command's work; what it throws is told to the person after `failed`. */
export interface Command {
  /** "The run was not started": what did not happen when it throws. */
  failed: () => string;
  run: (context: CommandContext, argument: unknown) => Promise<void>;
}

/** By the part of their ids after `genenv.`. */
export type Commands = Readonly<Record<string, Command>>;
