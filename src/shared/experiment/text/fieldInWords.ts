/** A field's meaning in the editor's language. Reports and programs read `describeField`, which is English. */
import * as l10n from '@vscode/l10n';
import { fieldAt } from '../fields.ts';

/** `α. Die Erfolgsrate … Paper: 0.5.`; '' where the path names no field. */
export function fieldInWords(path: string): string {
  const field = fieldAt(path);
  if (field === undefined) return '';
  const { symbol, meaning, unit, paper } = field;
  const parts = [
    ...(symbol === undefined ? [] : [`${symbol}.`]),
    l10n.t(meaning),
    ...(unit === undefined ? [] : [l10n.t('Unit: {0}.', l10n.t(unit))]),
    // Bare values are the same in every language.
    ...(paper === null ? [] : [l10n.t('Paper: {0}.', paper.includes(' ') ? l10n.t(paper) : paper)]),
  ];
  return parts.join(' ');
}
