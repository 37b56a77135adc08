/** Needs of a page on which a person plays a task, and its kind. */
import * as vscode from 'vscode';
import type { CommandContext } from '../../../host/commands/context.ts';
import type { RecordFiles } from '../../../host/documents/recordFiles.ts';
import type { Keys } from '../../../launch/access/keys.ts';

export const viewType = 'genenv.play';

export interface PlayNeeds extends Pick<CommandContext, 'catalog' | 'clock' | 'folders' | 'failures'> {
  /** Documents of tasks and traces: they show attempts of people. */
  tasks: RecordFiles;
  traces: RecordFiles;
  log: vscode.LogOutputChannel;
  dist: URL;
  keys: Keys;
}

export const notPlayed = (): string => vscode.l10n.t('The task was not played');
