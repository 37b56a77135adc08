/** Whose agent attempts a task of a file: asked where there are runs. */
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import type { ReattemptAgent } from '../../reattempt/node/reattempt.ts';
import { itemOf } from '../../../host/commands/pickRun.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';

export interface AgentNeeds {
  catalog: Pick<RunCatalog, 'runs' | 'ready'>;
  open: OpenRuns;
  clock: Clock;
}

/** @returns undefined when it was given up. @throws RunError */
export async function chooseAgent({ catalog, open, clock }: AgentNeeds): Promise<ReattemptAgent | undefined> {
  await catalog.ready;
  const runs = catalog.runs.filter(({ head }) => head.imported === null);
  if (runs.length === 0) return { shipped: true };
  const now = clock.now();
  const shipped = {
    label: vscode.l10n.t('$(circuit-board) The embedded agent as it is shipped'),
    description: vscode.l10n.t('not trained on your tasks'),
    run: null,
  };
  const picked = await vscode.window.showQuickPick([...runs.map((run) => itemOf(run, now)), shipped], {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Which agent attempts it? A run’s agent is its newest version.'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return undefined;
  return picked.run === null ? { shipped: true } : { borrowed: (await open.open(picked.run.dir)).followed.reader };
}
