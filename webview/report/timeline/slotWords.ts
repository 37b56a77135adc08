/** Busy shares of endpoints' slots, for the page and the report. */
import * as l10n from '@vscode/l10n';
import type { EpochRow } from '../../../src/shared/report/data.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import type { LineSeries } from '../../charts/lineChart.ts';
import { courseReading } from '../readings.ts';

interface SlotLine extends Pick<LineSeries, 'label' | 'tone' | 'mark' | 'dashed'> {
  value: (row: EpochRow) => number | null;
}

/** One line an endpoint; none where no epoch has told its slots. */
export function slotLines(rows: readonly EpochRow[]): SlotLine[] {
  const there = new Map<string, SlotLine>();
  for (const { roles } of rows.flatMap(({ slots = [] }) => slots)) {
    const key = roles.join(' ');
    if (there.has(key)) continue;
    const ofEnvironment = key === 'environment';
    there.set(key, {
      label:
        roles.length > 1 ? l10n.t('agent and environment') : ofEnvironment ? l10n.t('environment') : l10n.t('agent'),
      ...(ofEnvironment
        ? { tone: 'environment' as const, mark: 'square' as const, dashed: true }
        : { tone: 'agent' as const, mark: 'circle' as const }),
      value: ({ slots = [] }) => slots.find((own) => own.roles.join(' ') === key)?.busy ?? null,
    });
  }
  return [...there.values()];
}

export const slotReading = (rows: readonly EpochRow[], lines: readonly SlotLine[]): string =>
  courseReading(
    rows,
    lines.map(({ label, value }) => ({ name: label, unit: '', value, format: percent })),
  );

export const slotNote = (): string =>
  l10n.t('Requests of this run’s process in flight, of as many as the endpoint takes at once, over the whole epoch.');
