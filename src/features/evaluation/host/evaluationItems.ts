/** Rows of evaluations in the view Data. */
import * as vscode from 'vscode';
import type { EvaluationHead } from '../node/evaluations.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { icons } from '../../../host/trees/icons.ts';
import { treeItem } from '../../../host/trees/treeItem.ts';
import { evaluationWords } from './words.ts';

export function evaluationsItem(evaluations: number): vscode.TreeItem {
  const label = vscode.l10n.t('Evaluations');
  return treeItem({
    ...{ id: 'evaluations', label, description: count(evaluations), icon: new vscode.ThemeIcon('graph') },
    ...{ spoken: [label, count(evaluations)], context: 'evaluations', children: true },
  });
}

/** One that is not whole can be carried on. */
export function evaluationItem(head: EvaluationHead, running: boolean): vscode.TreeItem {
  const { label, description, detail } = evaluationWords(head, null);
  const whole = head.answered >= head.asked;
  const item = treeItem({
    ...{ id: head.folder, label, description },
    icon: running ? icons.working : whole ? new vscode.ThemeIcon('pass') : icons.unfinished,
    spoken: [vscode.l10n.t('Evaluation {0}', label), description],
    context: running ? 'evaluation.running' : whole ? 'evaluation.whole' : 'evaluation.partial',
    command: { command: 'genenv.openEvaluation', title: vscode.l10n.t('Open Evaluation'), arguments: [{ head }] },
  });
  item.tooltip = detail;
  return item;
}
