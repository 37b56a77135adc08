/** A study as a row: what needs attention first, then how many of its runs are over. */
import * as vscode from 'vscode';
import type { RunHead } from '../../../../runs/store/runHead.ts';
import { count } from '../../../../shared/text/figures/numbers.ts';
import { queueIcon, stateIcons } from '../../icons.ts';
import { treeItem } from '../../treeItem.ts';
import { parts } from '../../words.ts';
import { placeWord } from '../queueWords.ts';
import type { QueuedChange } from '../../../runs/queuedStudies.ts';
import type { QueuePlace } from '../../../runs/queuePlace.ts';
import type { StudyNode } from '../node.ts';
import type { StudySight } from './rootRows.ts';

/** The state of a study is the first of these that one of its runs has. */
const order = ['running', 'failed', 'interrupted', 'paused', 'stopped', 'finished'] as const;

export interface StudyInQueue {
  /** Null for a study that neither runs nor waits. */
  place: QueuePlace | null;
  /** Since it was queued; null for nothing. */
  changed: QueuedChange | null;
}

export function studyItem(
  { id, study, filtered }: StudyNode,
  sight: StudySight,
  { place, changed: queued }: StudyInQueue,
): vscode.TreeItem {
  const { states, shown, all } = sight;
  const words = order.flatMap((state) => {
    const runs = states.get(state) ?? 0;
    return runs === 0 ? [] : [stateCount(state, runs)];
  });
  const found = shown < all ? vscode.l10n.t('{0} of {1} runs', count(shown), count(all)) : null;
  const changed = queued === null ? null : vscode.l10n.t('changed since it was queued');
  const state = order.find((one) => states.has(one)) ?? (place?.state === 'running' ? 'running' : 'finished');
  const waits = place?.state === 'waiting' ? place : null;
  const isBare = place !== null && states.size === 0;
  const inQueue =
    waits !== null
      ? parts(vscode.l10n.t('queued'), placeWord(waits))
      : isBare
        ? vscode.l10n.t('no run has begun yet')
        : null;
  const item = treeItem({
    id,
    label: study,
    description: parts(changed, inQueue, found, ...words),
    icon: waits === null || states.size > 0 ? stateIcons[state] : queueIcon(waits),
    spoken: [vscode.l10n.t('Study {0}', study), queued?.text ?? null, inQueue, found, ...words],
    context: contextOf(sight, waits, queued),
    children: shown > 0,
  });
  if (queued !== null) item.tooltip = queued.text;
  // Runs that a filter found are seen at once.
  if (filtered) item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
  return item;
}

/** `study.queued.none.changed`; without `queued` where it does not wait, and `bare` for `study` without any run. */
function contextOf({ all }: StudySight, waits: QueuePlace | null, changed: QueuedChange | null): string {
  const delay = waits?.wait?.kind === 'delay' ? waits.wait.delay : 'none';
  return [
    all === 0 ? 'bare' : 'study',
    ...(waits === null ? [] : ['queued', delay]),
    ...(changed?.waits === true ? ['changed'] : []),
  ].join('.');
}

function stateCount(state: RunHead['state'], runs: number): string {
  const words: Record<RunHead['state'], string> = {
    running: vscode.l10n.t('{0} running', count(runs)),
    failed: vscode.l10n.t('{0} failed', count(runs)),
    interrupted: vscode.l10n.t('{0} interrupted', count(runs)),
    paused: vscode.l10n.t('{0} paused', count(runs)),
    stopped: vscode.l10n.t('{0} stopped', count(runs)),
    finished: vscode.l10n.t('{0} finished', count(runs)),
  };
  return words[state];
}
