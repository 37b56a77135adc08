import * as vscode from 'vscode';
import type { PersonLabel } from '../../../shared/records/label.ts';

/** `Pass · wrong-gold (anna), Fail (ben)`. */
export const labelWords = (people: readonly PersonLabel[]): string => people.map(personWords).join(', ');

function personWords({ author, verdict, labels }: PersonLabel): string {
  const said = [...(verdict === null ? [] : [verdictWord(verdict)]), ...labels].join(' · ');
  return vscode.l10n.t('{0} ({1})', said, author);
}

const verdictWord = (verdict: 'pass' | 'fail'): string =>
  verdict === 'pass' ? vscode.l10n.t('Pass') : vscode.l10n.t('Fail');
