/** Names and needs that evaluations' commands and pages share. */
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import type { AdapterFiles } from '../../../host/files/adapterFiles.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import type { Keys } from '../../../launch/access/keys.ts';

export const evaluationView = 'genenv.evaluation';

export interface EvaluationsDeps {
  catalog: Pick<RunCatalog, 'runs' | 'ready'>;
  open: OpenRuns;
  files: Pick<AdapterFiles, 'list'>;
  failures: Failures;
  log: vscode.LogOutputChannel;
  clock: Clock;
  dist: URL;
  keys: Keys;
}

export const notEvaluated = (): string => vscode.l10n.t('The evaluation failed');
export const notCompared = (): string => vscode.l10n.t('The evaluations were not compared');
