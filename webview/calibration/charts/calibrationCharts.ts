/** Small charts of the calibration of difficulty, and of the data of the environment's updates. */
import { interval } from '../../../src/shared/text/figures/intervals.ts';
import { count, measure, rate } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import type { EpochRow } from '../../../src/shared/report/data.ts';
import { inWords } from './recordedWords.ts';
import { domainsIn, epochOfDomain } from '../../../src/shared/report/oneDomain.ts';
import * as l10n from '@vscode/l10n';
import { domainLook } from '../../report/domainLook.ts';
import { courseReading, keptReading } from '../../report/readings.ts';
import { targetChart } from './targetChart.ts';
import { epochColumn, linesShown, notMeasured, pointsOf, type SmallChart } from './smallCharts.ts';

/** In a function, so that titles are read in the page's language. */
export function calibrationCharts(): SmallChart[] {
  return [meanRate(), targetChart(), bandShare(), reward(), keptFamilies(), leftOut()];
}

const rateOf = (row: EpochRow, domain: string): number | null => epochOfDomain(row, domain).successRate?.p ?? null;

const meanRate = (): SmallChart => ({
  id: 'mean-rate',
  title: l10n.t('Mean success rate'),
  show({ rows }) {
    const measured = rows.flatMap((row) =>
      row.successRate?.p == null
        ? []
        : [
            {
              ...{ ...row.successRate, p: row.successRate.p, epoch: row.epoch, row },
              ...{ base: row.baseSuccessRate?.p ?? null, curriculum: row.curriculum },
            },
          ],
    );
    const domains = domainsIn(rows);
    const last = measured.at(-1);
    if (last === undefined) return notMeasured();
    const base = pointsOf(measured, (row) => row.base);
    return {
      reading: courseReading(rows, [
        { name: l10n.t('generated tasks'), unit: '', value: ({ successRate }) => successRate?.p ?? null, format: rate },
        {
          name: l10n.t('base tasks'),
          unit: '',
          value: ({ baseSuccessRate }) => baseSuccessRate?.p ?? null,
          format: rate,
        },
      ]),
      value: `${rate(last.p)} (${interval(last.low, last.high)})`,
      unit: l10n.t('success rate'),
      format: rate,
      lines: {
        series: [
          {
            label: l10n.t('generated'),
            tone: 'agent',
            mark: 'circle',
            points: measured.map(({ epoch, p, low, high }) => ({ epoch, value: p, low, high })),
          },
          { label: l10n.t('base'), tone: 'muted', mark: 'square', dashed: true, points: base },
          ...domains.map((domain, i) => ({
            ...domainLook(domain, i),
            points: pointsOf(rows, (row) => rateOf(row, domain)),
          })),
        ],
        references: [{ label: `α ${rate(last.curriculum.alpha)}`, value: last.curriculum.alpha }],
      },
      columns: [
        epochColumn(),
        { title: l10n.t('Generated'), format: rate },
        { title: l10n.t('low'), format: rate },
        { title: l10n.t('high'), format: rate },
        { title: l10n.t('Base'), format: rate },
        { title: 'α', format: rate },
        { title: 'k_min', format: rate },
        ...domains.map((domain) => ({ title: domain, format: rate })),
      ],
      rows: measured.map(({ epoch, p, low, high, base: own, curriculum: { alpha, kMin }, row }) => [
        epoch,
        p,
        low,
        high,
        own,
        alpha,
        kMin,
        ...domains.map((domain) => rateOf(row, domain)),
      ]),
    };
  },
});

const bandShare = (): SmallChart => ({
  id: 'in-band',
  title: l10n.t('Families in the band'),
  show: (model) =>
    linesShown(model, [{ label: l10n.t('in band'), tone: 'ink', mark: 'circle', value: ({ inBand }) => inBand }], {
      unit: l10n.t('share of families'),
      format: percent,
    }),
});

const reward = (): SmallChart => ({
  id: 'reward',
  title: l10n.t('Reward R_env'),
  show: (model) =>
    linesShown(
      model,
      [
        {
          label: l10n.t('reward'),
          tone: 'environment',
          mark: 'square',
          value: ({ environmentReward }) => environmentReward,
        },
      ],
      { unit: l10n.t('mean over families'), format: rate },
    ),
});

const keptFamilies = (): SmallChart => ({
  id: 'kept',
  title: l10n.t('Kept families and effective sample size'),
  show(model) {
    const skipped = model.rows.filter(({ environment }) => environment.skipped !== null);
    const scored = (value: number | null, rate: unknown): number | null => (rate === null ? null : value);
    const shown = linesShown(
      model,
      [
        {
          label: l10n.t('kept'),
          tone: 'environment',
          mark: 'square',
          value: (row) => scored(row.familiesKept, row.successRate),
        },
        {
          label: l10n.t('effective'),
          // Where both leap from epoch to epoch, a dash alone is not seen.
          tone: 'ink',
          mark: 'diamond',
          dashed: true,
          value: ({ effectiveSampleSize }) => effectiveSampleSize,
        },
        {
          label: l10n.t('measured'),
          tone: 'muted',
          mark: 'circle',
          value: (row) => scored(row.families, row.successRate),
        },
      ],
      {
        unit: l10n.t('families'),
        format: measure,
        reading: keptReading(model.rows, model.facts?.trains.environment ?? false),
      },
    );
    if ('missing' in shown || shown.lines === undefined) return shown;
    const crosses = { epochs: skipped.map(({ epoch }) => epoch), label: l10n.t('× update skipped') };
    const last = skipped.at(-1);
    return {
      ...shown,
      lines: { ...shown.lines, crosses },
      ...(last !== undefined && {
        note: l10n.t('× update skipped, last in epoch {0}: {1}', last.epoch, inWords(last.environment.skipped ?? '')),
      }),
    };
  },
});

const leftOut = (): SmallChart => ({
  id: 'left-out',
  title: l10n.t('Why families were left out'),
  show(model) {
    const rows = model.rows.flatMap(({ epoch }) => {
      const counts = model.leftOut(epoch);
      return counts === undefined ? [] : [{ epoch, ...counts }];
    });
    if (rows.length === 0) return notMeasured();
    const kinds = [
      { key: 'kept', label: l10n.t('kept'), fill: 'fill-environment-1' },
      { key: 'tooHard', label: l10n.t('too hard'), fill: 'fill-muted-2' },
      { key: 'tooEasy', label: l10n.t('too easy'), fill: 'fill-muted' },
      { key: 'inBand', label: l10n.t('in the band, not kept'), fill: 'fill-environment-2' },
      { key: 'unmeasured', label: l10n.t('not judged'), fill: 'fill-ink' },
    ] as const;
    const sum = (key: (typeof kinds)[number]['key']): number => rows.reduce((total, row) => total + row[key], 0);
    const used = kinds.filter(({ key }) => sum(key) > 0);
    const all = rows.reduce((total, row) => kinds.reduce((own, { key }) => own + row[key], total), 0);
    return {
      reading: l10n.t(
        'Of {0} families over all epochs {1} were kept, {2} were left out as too hard, {3} as too easy.',
        count(all),
        percent(sum('kept') / Math.max(1, all)),
        percent(sum('tooHard') / Math.max(1, all)),
        percent(sum('tooEasy') / Math.max(1, all)),
      ),
      unit: l10n.t('share of families'),
      format: percent,
      stack: {
        layers: used,
        rows: rows.map((row) => ({ epoch: row.epoch, values: used.map(({ key }) => row[key]) })),
        normalise: true,
        formatPart: count,
      },
      columns: [epochColumn(), ...kinds.map(({ label }) => ({ title: label, format: count }))],
      rows: rows.map((row) => [row.epoch, ...kinds.map(({ key }) => row[key])]),
    };
  },
});
