import type * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import type { RecordFiles } from '../../../host/documents/recordFiles.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import type { Keys } from '../../../launch/access/keys.ts';

export interface ReattemptNeeds {
  open: OpenRuns;
  /** Documents of tasks: they show re-attempts. */
  tasks: RecordFiles;
  /** Documents of traces: they show forks. */
  traces: RecordFiles;
  failures: Failures;
  log: vscode.LogOutputChannel;
  clock: Clock;
  dist: URL;
  keys: Keys;
}
