import type { LastTraces } from '../../../../host/debug/lastTraces.ts';
import { pickTrace, type PickNeeds } from '../../../../host/debug/pickTrace.ts';
import { shownTrace, traceInFront, type TraceTarget } from '../../../../host/files/traceInFront.ts';
import * as vscode from 'vscode';

/**
 * The trace to begin on without a question: the one that is shown, else the one that the file was last debugged on; else
 * as `traceInFront`. Undefined when none was picked.
 */
export async function traceAgain(
  needs: PickNeeds & { last: LastTraces },
  reward: vscode.Uri,
): Promise<TraceTarget | undefined> {
  const shown = shownTrace();
  if (shown !== undefined) return shown;
  await needs.catalog.ready;
  const last = needs.last.of(reward);
  if (last !== undefined && needs.catalog.runs.some(({ dir }) => dir === last.run)) return last;
  const title = vscode.l10n.t('Debug on which trace?');
  return traceInFront(null, title, () => pickTrace(needs, title));
}
