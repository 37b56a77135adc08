/** Families, tasks and traces as rows. */
import * as vscode from 'vscode';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { count, rate } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';
import { icons } from '../icons.ts';
import { treeItem } from '../treeItem.ts';
import { parts, spokenRate } from '../words.ts';
import type { FamilyNode, MixedNode, MoreNode, NoteNode, RejectedNode, TaskNode, TraceNode } from './node.ts';
import { pageSize } from './nodes.ts';

export function familyItem({ id, score }: FamilyNode): vscode.TreeItem {
  const kept = score.kept > 0;
  const leftOut = score.cutOff === undefined ? vscode.l10n.t('left out') : vscode.l10n.t('left out, cut off');
  const weight = kept ? vscode.l10n.t('weight {0}', percent(score.weight)) : leftOut;
  return treeItem({
    id,
    label: score.id,
    description: parts(measured(score.successRate), weight, score.plan),
    icon: kept ? icons.kept : icons.leftOut,
    spoken: [
      vscode.l10n.t('Family {0}', score.id),
      spokenRate(score.successRate),
      kept ? vscode.l10n.t('kept') : null,
      weight,
      score.plan,
    ],
    context: 'family',
    children: score.tasks.length > 0,
  });
}

const noteWords = (notes: number): string | null =>
  notes === 0 ? null : notes === 1 ? vscode.l10n.t('1 note') : vscode.l10n.t('{0} notes', count(notes));

/** A user's marks on a task. */
export interface TaskMarks {
  /** How many notes were written on its attempts. */
  notes: number;
  /** Why it was taken out of the pools by hand; null while it is in. */
  excluded: string | null;
}

const excludedWords = ({ excluded }: TaskMarks): string | null =>
  excluded === null ? null : vscode.l10n.t('excluded: {0}', excluded);

const taskContext = ({ excluded }: TaskMarks): string => (excluded === null ? 'task' : 'task.excluded');

export function taskItem(node: TaskNode, marks: TaskMarks): vscode.TreeItem {
  const { id, family, task, score } = node;
  const solved = vscode.l10n.t('{0}/{1} solved', count(score.successes), count(score.attempts));
  return treeItem({
    id,
    // Its parent row shows the family.
    label: task.startsWith(`${family}.`) ? task.slice(family.length + 1) : task,
    description: parts(
      score.attempts === 0 ? vscode.l10n.t('not measured') : solved,
      excludedWords(marks),
      noteWords(marks.notes),
    ),
    icon: icons.task,
    spoken: [
      vscode.l10n.t('Task {0}', task),
      score.attempts === 0 ? vscode.l10n.t('not measured') : solved,
      excludedWords(marks),
      noteWords(marks.notes),
    ],
    context: taskContext(marks),
    children: true,
    command: { command: 'genenv.openTask', title: vscode.l10n.t('Open Task'), arguments: [node] },
  });
}

/** A base task, or one of an earlier epoch, that was mixed into the batch. */
export function mixedItem(node: MixedNode, marks: TaskMarks): vscode.TreeItem {
  const { id, task, score } = node;
  const solved = vscode.l10n.t('{0}/{1} solved', count(score.successes), count(score.attempts));
  return treeItem({
    id,
    label: task,
    description: parts(solved, excludedWords(marks), noteWords(marks.notes)),
    icon: icons.task,
    spoken: [vscode.l10n.t('Task {0}', task), solved, excludedWords(marks), noteWords(marks.notes)],
    context: taskContext(marks),
    children: true,
    command: { command: 'genenv.openTask', title: vscode.l10n.t('Open Task'), arguments: [node] },
  });
}

export function rejectedItem(node: RejectedNode): vscode.TreeItem {
  const { cause = '', note = '' } = node.record;
  return treeItem({
    id: node.id,
    label: node.task,
    description: parts(cause, note),
    icon: icons.refused,
    spoken: [vscode.l10n.t('Rejected text {0}', node.task), cause, note],
    context: 'rejected',
    command: { command: 'genenv.openTask', title: vscode.l10n.t('Open Task'), arguments: [node] },
  });
}

/** @param notes how many were written on it */
export function traceItem(node: TraceNode, notes: number): vscode.TreeItem {
  const { id, trace, record } = node;
  const { verdict, tokens, stopReason } = record;
  const judged =
    verdict.error !== undefined
      ? vscode.l10n.t('checker failed')
      : verdict.success
        ? vscode.l10n.t('solved')
        : vscode.l10n.t('not solved');
  const reward = vscode.l10n.t('reward {0}', rate(verdict.reward));
  const length =
    tokens === null ? null : tokens === 1 ? vscode.l10n.t('1 token') : vscode.l10n.t('{0} tokens', count(tokens));
  const cut =
    stopReason === 'stop'
      ? null
      : stopReason === 'length'
        ? vscode.l10n.t('cut at the limit')
        : vscode.l10n.t('out of turns');
  const valid = verdict.valid ? null : vscode.l10n.t('not valid');
  return treeItem({
    id,
    label: trace.split('/').at(-1) ?? trace,
    description: parts(judged, reward, length, cut, valid, noteWords(notes)),
    icon: verdict.error !== undefined ? icons.unjudged : verdict.success ? icons.solved : icons.unsolved,
    spoken: [vscode.l10n.t('Trace {0}', trace), judged, reward, length, cut, valid, noteWords(notes)],
    context: 'trace',
    command: { command: 'genenv.openTrace', title: vscode.l10n.t('Open Trace'), arguments: [node] },
  });
}

export function moreItem(node: MoreNode): vscode.TreeItem {
  const next = Math.min(pageSize, node.left);
  const label = vscode.l10n.t('Show {0} more…', count(next));
  return treeItem({
    id: node.id,
    label,
    description: vscode.l10n.t('{0} not shown', count(node.left)),
    icon: icons.more,
    spoken: [label, vscode.l10n.t('{0} not shown', count(node.left))],
    context: 'more',
    command: { command: 'genenv.showMore', title: label, arguments: [node] },
  });
}

export function noteItem({ id, note, error }: NoteNode): vscode.TreeItem {
  const words: Record<NoteNode['note'], string> = {
    'no epochs': vscode.l10n.t('No epoch has begun yet'),
    'nothing matches': vscode.l10n.t('Nothing matches the filter'),
    'no families': vscode.l10n.t('No families'),
    'no attempts': vscode.l10n.t('No attempts recorded yet'),
    unreadable: vscode.l10n.t('Cannot be read'),
  };
  const label = words[note];
  return treeItem({
    id,
    label,
    description: error?.message ?? '',
    icon: error === null ? icons.note : icons.problem,
    spoken: [label, error?.message ?? null],
    context: 'note',
  });
}
