/** Why a line of a task file is no task, in plain words. */
import * as vscode from 'vscode';
import { readJson } from '../../../../shared/experiment/text/jsonText.ts';
import { isTooDeep, parseOrUndefined } from '../../../../shared/json.ts';
import { isForeign, readObject } from '../../node/lineText.ts';
import type { TaskDamage } from '../../contract.ts';

/** Characters of a line that are shown. */
const shownLength = 2000;

/** Null for a line that is a JSON object. @param line 1-based */
export function damageOf(text: string, line: number): TaskDamage | null {
  if (readObject(text) !== null) return null;
  if (isForeign(text)) {
    const message = vscode.l10n.t('It cannot be read: {0}.', vscode.l10n.t('it is not UTF-8'));
    const remedy = vscode.l10n.t('Save it as UTF-8.');
    return { line, faults: [{ message, remedy }], text: text.slice(1, 1 + shownLength) };
  }
  const value = parseOrUndefined(text);
  return {
    line,
    faults: value === undefined ? syntaxFaults(text, line) : [notAnObject(value)],
    text: text.slice(0, shownLength),
  };
}

const notAnObject = (value: unknown): TaskDamage['faults'][number] => ({
  message: vscode.l10n.t('The line holds {0}; a task is a JSON object, from “{1}” to “{2}”.', kindOf(value), '{', '}'),
  remedy: vscode.l10n.t('Correct the line, or remove it.'),
});

function kindOf(value: unknown): string {
  if (value === null) return vscode.l10n.t('null');
  if (Array.isArray(value)) return vscode.l10n.t('a list');
  if (typeof value === 'number') return vscode.l10n.t('a number');
  return typeof value === 'string' ? vscode.l10n.t('a text') : vscode.l10n.t('true or false');
}

function syntaxFaults(text: string, line: number): TaskDamage['faults'] {
  if (isTooDeep(text)) {
    const message = vscode.l10n.t('The line cannot be read: its values are nested too deep.');
    return [{ message, remedy: vscode.l10n.t('Correct the line, or remove it.') }];
  }
  const read = readJson(text, '', line, 'line');
  if (!read.ok) return read.problems.map(({ message, remedy }) => ({ message, remedy }));
  return [
    {
      message: vscode.l10n.t('The line has a comment or a comma too many. A run reads it; this editor would lose it.'),
      remedy: vscode.l10n.t('Remove it to edit the task here.'),
    },
  ];
}
