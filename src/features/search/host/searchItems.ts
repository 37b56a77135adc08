/** Hits as rows of a tree. */
import * as vscode from 'vscode';
import type { SearchHit } from '../contract/searchHit.ts';
import { count, rate } from '../../../shared/text/figures/numbers.ts';
import { icons } from '../../../host/trees/icons.ts';
import { treeItem } from '../../../host/trees/treeItem.ts';
import { parts } from '../../../host/trees/words.ts';
import type { FoundEpoch, FoundHit, FoundMatch, FoundRun, FoundTask, SearchNode } from './searchNodes.ts';
import { foundWords, verdictWord } from './searchWords.ts';

/** Longer results stay collapsed: the editor requests the children of every expanded row. */
const openedBelow = 200;

export function itemOf(node: SearchNode, foundInAll: number): vscode.TreeItem {
  const open = foundInAll <= openedBelow;
  switch (node.kind) {
    case 'run':
      return runItem(node);
    case 'epoch':
      return epochItem(node);
    case 'task':
      return taskItem(node, open);
    case 'hit':
      return hitItem(node, open);
    case 'match':
      return matchItem(node);
  }
}

const opened = (item: vscode.TreeItem): vscode.TreeItem => {
  item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
  return item;
};

function runItem({ id, searched }: FoundRun): vscode.TreeItem {
  const words = foundWords(searched);
  return opened(
    treeItem({
      ...{ id, label: searched.runName, description: words, icon: new vscode.ThemeIcon('search') },
      ...{ spoken: [searched.runName, words], context: 'foundRun', children: true },
    }),
  );
}

function epochItem({ id, epoch, found }: FoundEpoch): vscode.TreeItem {
  const label = vscode.l10n.t('Epoch {0}', epoch);
  return opened(
    treeItem({
      ...{ id, label, description: count(found), icon: new vscode.ThemeIcon('layers') },
      ...{ spoken: [label, vscode.l10n.t('{0} found', count(found))], context: 'epoch', children: true },
    }),
  );
}

function taskItem(node: FoundTask, open: boolean): vscode.TreeItem {
  const { id, task, family, found } = node;
  const inFamily = family === task ? null : family;
  const item = treeItem({
    ...{ id, label: task, description: parts(inFamily, count(found)), icon: icons.task, context: 'task' },
    spoken: [vscode.l10n.t('Task {0}', task), inFamily, vscode.l10n.t('{0} found', count(found))],
    children: true,
    command: { command: 'genenv.openTask', title: vscode.l10n.t('Open Task'), arguments: [node] },
  });
  return open ? opened(item) : item;
}

function hitItem(node: FoundHit, open: boolean): vscode.TreeItem {
  const { id, hit, matches } = node;
  const [first] = matches;
  const label = hit.kind === 'trace' ? (hit.trace.split('/').at(-1) ?? hit.trace) : vscode.l10n.t('prompt');
  const more = hit.more === 0 ? null : vscode.l10n.t('and {0} more', count(hit.more));
  const judged = hit.kind === 'trace' ? `${verdictWord(hit.verdict)} ${rate(hit.reward)}` : null;
  const item = treeItem({
    ...{
      id,
      label,
      icon: iconOf(hit),
      context: hit.kind === 'trace' ? 'trace' : 'foundPrompt',
      children: matches.length > 0,
    },
    description: parts(
      judged,
      hit.kind === 'trace' ? hit.version : null,
      more,
      open ? null : (first?.match.snippet.text ?? null),
    ),
    spoken: [hit.kind === 'trace' ? vscode.l10n.t('Attempt {0}', label) : label, judged, more],
    command: openCommand(node),
  });
  return open && matches.length > 0 ? opened(item) : item;
}

function matchItem(node: FoundMatch): vscode.TreeItem {
  const { id, match, hit } = node;
  const { text, start, end } = match.snippet;
  const turn = hit.kind === 'trace' ? vscode.l10n.t('turn {0}', count(match.turn + 1)) : null;
  const where = parts(turn, match.of === 'reasoning' ? vscode.l10n.t('reasoning') : null);
  const item = treeItem({
    ...{ id, label: text, description: where, icon: new vscode.ThemeIcon('blank'), context: 'match' },
    ...{ spoken: [text, where], command: openCommand(node) },
  });
  item.label = { label: text, highlights: [[start, end]] };
  item.tooltip = text;
  return item;
}

function iconOf(hit: SearchHit): vscode.ThemeIcon {
  if (hit.kind === 'task') return new vscode.ThemeIcon('comment');
  return { solved: icons.solved, failed: icons.unsolved, error: icons.unjudged }[hit.verdict];
}

const openCommand = (node: FoundHit | FoundMatch): vscode.Command => ({
  command: 'genenv.openFound',
  title: vscode.l10n.t('Open'),
  arguments: [node],
});
