/** Groups that fell out of epochs with spare ones, as lines, for the page and the report. */
import * as l10n from '@vscode/l10n';
import type { EpochRow, FellOut } from '../../../src/shared/report/data.ts';
import type { LineSeries } from '../../charts/lineChart.ts';

interface FellOutLine extends Pick<LineSeries, 'label' | 'tone' | 'mark' | 'dashed'> {
  value: (row: EpochRow) => number | null;
}

/** Null before an epoch's attempts: it has nothing that could have fallen out. */
const shareOf = ({ rollouts, fellOut }: EpochRow, of: (fellOut: FellOut) => number): number | null =>
  fellOut === undefined ? (rollouts === 0 ? null : 0) : of(fellOut);

const groups = (row: EpochRow): number | null => shareOf(row, (out) => out.groups / Math.max(1, out.of));
const tokens = (row: EpochRow): number | null =>
  shareOf(row, (out) => out.tokens / Math.max(1, row.tokens.attempt ?? 0));

/** Shares of an epoch's groups, and of the tokens of its attempts. */
export const fellOutLines = (): FellOutLine[] => [
  { label: l10n.t('groups'), tone: 'ink', mark: 'circle', value: groups },
  { label: l10n.t('tokens'), tone: 'muted', mark: 'square', dashed: true, value: tokens },
];
