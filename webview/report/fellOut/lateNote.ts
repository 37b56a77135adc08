/** Groups that count one epoch after their own, in words, for the page and the report. */
import * as l10n from '@vscode/l10n';
import type { EpochRow } from '../../../src/shared/report/data.ts';
import { sum } from '../../../src/shared/sum.ts';
import { count } from '../../../src/shared/text/figures/numbers.ts';

/** Undefined where none was late. */
export function lateNote(rows: readonly Pick<EpochRow, 'late'>[]): string | undefined {
  const late = sum(rows.map((row) => row.late ?? 0));
  if (late === 0) return undefined;
  return l10n.t('Late groups, each counted one epoch after its own (rollouts.late): {0}.', count(late));
}
