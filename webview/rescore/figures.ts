/** The run's numbers under both rewards, as a table. */
import * as l10n from '@vscode/l10n';
import type { RescoreResult } from '../../src/features/rescore/contract/page.ts';
import { interval } from '../../src/shared/text/figures/intervals.ts';
import { count, measure, rate } from '../../src/shared/text/figures/numbers.ts';
import type { TableSource } from '../lib/lists/table.ts';

interface Sides<T> {
  before: T;
  after: T;
}

/** Without rows while there is no result. */
export function figuresOf(result: RescoreResult | null): TableSource {
  const rows = result === null ? [] : rowsOf(result);
  return {
    columns: [{ title: '', wide: true }, { title: l10n.t('Recorded') }, { title: l10n.t('Rescored') }],
    count: rows.length,
    row: (index) => rows[index] ?? [],
  };
}

function rowsOf(result: RescoreResult): string[][] {
  const row = <T>(name: string, { before, after }: Sides<T>, say: (value: NonNullable<T>) => string): string[] => [
    ...[name, said(before, say), said(after, say)],
  ];
  const { fates, families } = result;
  const fate = (name: 'solved' | 'failed' | 'error'): Sides<number> => ({
    before: fates.before[name],
    after: fates.after[name],
  });
  return [
    row(l10n.t('solved'), fate('solved'), count),
    row(l10n.t('not solved'), fate('failed'), count),
    row(l10n.t('not judged'), fate('error'), count),
    row(l10n.t('p̂ of families'), result.successRate, measuredRate),
    row(l10n.t('p̂ of tasks mixed in'), result.baseSuccessRate, measuredRate),
    row(l10n.t('p̂ of validation'), result.validation, measuredRate),
    row(l10n.t('mean R_env'), result.environmentReward, measuredMean),
    row(l10n.t('in the band, of {0} families', count(families)), result.inBand, count),
    row(l10n.t('families kept'), result.familiesKept, count),
    row(l10n.t('effective sample size'), result.effectiveSampleSize, measure),
    row(l10n.t('groups that teach'), result.advantages.groups, count),
  ];
}

const said = <T>(value: T, say: (value: NonNullable<T>) => string): string =>
  value === null || value === undefined ? '–' : say(value);

const measuredRate = ({ p, low, high }: RescoreResult['successRate']['before']): string =>
  p === null ? '–' : `${rate(p)} [${interval(low, high)}]`;

const measuredMean = ({ mean, low, high }: RescoreResult['environmentReward']['before']): string =>
  mean === null ? '–' : `${rate(mean)} [${interval(low, high)}]`;
