/** Above the text of an experiment: actions on it; above α, β, λ and k_min: values in the literature. */
import * as vscode from 'vscode';
import type { FieldPath } from '../../../shared/experiment/field.ts';
import { fields } from '../../../shared/experiment/fields.ts';
import { readJson } from '../../../shared/experiment/text/jsonText.ts';
import { at, isObject, presetOf, startOf } from '../../../shared/experiment/resolve.ts';

const told: readonly FieldPath[] = ['curriculum.alpha', 'curriculum.beta', 'curriculum.lambda', 'curriculum.kMin'];

export class ExperimentLenses implements vscode.CodeLensProvider {
  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (title: string, command: string): vscode.CodeLens =>
      new vscode.CodeLens(top, { title, command, arguments: [document.uri] });
    const run = vscode.workspace.isTrusted
      ? [
          lens(`$(play) ${vscode.l10n.t('Start Run')}`, 'genenv.startRun'),
          lens(`$(checklist) ${vscode.l10n.t('Check')}`, 'genenv.checkExperiment'),
        ]
      : [];
    return [
      ...run,
      lens(`$(symbol-parameter) ${vscode.l10n.t('Open as Form')}`, 'genenv.openAsForm'),
      ...valueLenses(document),
    ];
  }
}

function valueLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const reading = readJson(document.getText(), document.uri.fsPath);
  if (!reading.ok || !isObject(reading.json.value)) return [];
  const written = reading.json.value;
  const preset = presetOf(written);
  return told.flatMap((field) => {
    const path = field.split('.');
    if (at(written, path) === undefined) return [];
    const { line } = reading.json.placeOfName(path);
    const { symbol = '', paper, label } = fields[field];
    const parts = [
      `${symbol} · ${vscode.l10n.t(label)}`,
      vscode.l10n.t('preset “{0}”: {1}', preset, JSON.stringify(at(startOf(written), path))),
      ...(paper === null ? [] : [vscode.l10n.t('paper: {0}', vscode.l10n.t(paper))]),
    ];
    const range = new vscode.Range(line - 1, 0, line - 1, 0);
    const command = { title: parts.join(' · '), command: 'genenv.openAsForm', arguments: [document.uri, field] };
    return [new vscode.CodeLens(range, command)];
  });
}
