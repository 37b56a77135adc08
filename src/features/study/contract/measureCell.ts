import * as l10n from '@vscode/l10n';
import { ends } from '../../../shared/text/figures/intervals.ts';
import type { StudyResults } from './page.ts';
import { saidValue } from './saidValue.ts';

/** An arm's mean of a measure, with its interval and the number of runs that never reached the score; – without one. */
export function measureCell({ arms, measures, never }: StudyResults, arm: number, measure: number): string {
  const head = measures[measure];
  const { mean = null, low = null, high = null } = arms[arm]?.cells[measure] ?? {};
  if (head === undefined || mean === null) return '–';
  const missed = never[measure]?.[arm] ?? 0;
  return [
    saidValue(mean, head),
    ...(low === null || high === null ? [] : [ends(saidValue(low, head), saidValue(high, head))]),
    ...(missed === 0 ? [] : [l10n.t('({0} never)', missed)]),
  ].join(' ');
}
