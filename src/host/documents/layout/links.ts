/** Links of a document: to its task, its attempts, its family and run in the tree. */
import * as vscode from 'vscode';
import type { RunTarget } from '../../trees/target.ts';
import type { Meaning } from './meaning.ts';
import type { LaidOut } from './page.ts';
import { placeOf, taskUri, textUri, traceUri } from './place.ts';

export function linksOf({ marks }: LaidOut, uri: vscode.Uri): vscode.DocumentLink[] {
  return marks.flatMap(({ line, start, end, means }) => {
    const found = leadsTo(means, uri);
    if (found === null) return [];
    const link = new vscode.DocumentLink(new vscode.Range(line, start, line, end), found.target);
    link.tooltip = found.tooltip;
    return [link];
  });
}

function leadsTo(means: Meaning, uri: vscode.Uri): { target: vscode.Uri; tooltip: string } | null {
  const { run } = placeOf(uri);
  switch (means.kind) {
    case 'task':
      return { target: taskUri(run, means.task, means.epoch), tooltip: vscode.l10n.t('Open the task') };
    case 'trace':
    case 'again':
      return { target: traceUri(run, means.trace), tooltip: vscode.l10n.t('Open the attempt') };
    case 'family':
      return {
        target: inTree({ run, epoch: means.epoch, family: means.family }),
        tooltip: vscode.l10n.t('Show the family in Runs'),
      };
    case 'run':
      return { target: inTree({ run }), tooltip: vscode.l10n.t('Show in Runs') };
    case 'elided':
      return { target: textUri(uri, means.place), tooltip: vscode.l10n.t('Open by itself') };
    default:
      return null;
  }
}

const inTree = (target: RunTarget): vscode.Uri =>
  vscode.Uri.parse(`command:genenv.showInRuns?${encodeURIComponent(JSON.stringify([target]))}`);
