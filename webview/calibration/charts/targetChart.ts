/** α over epochs where it moves, and what its controller went by. */
import { measure, rate } from '../../../src/shared/text/figures/numbers.ts';
import type { EpochRow } from '../../../src/shared/report/data.ts';
import * as l10n from '@vscode/l10n';
import { epochColumn, pointsOf, type SmallChart } from './smallCharts.ts';

type Control = NonNullable<EpochRow['control']>;

export const targetChart = (): SmallChart => ({
  id: 'target',
  title: l10n.t('Target α'),
  absent: ({ rows }) => new Set(rows.map(({ curriculum }) => curriculum.alpha)).size < 2,
  show({ rows }) {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return { missing: l10n.t('No epoch has begun yet.') };
    const controlled = rows.some(({ control }) => control !== undefined);
    const decided = rows.findLast(({ control }) => control !== undefined && control.why !== 'window');
    const control = decided?.control;
    const { alpha } = last.curriculum;
    return {
      reading: l10n.t(
        'α went from {0} in epoch {1} to {2} in epoch {3}.',
        ...[rate(first.curriculum.alpha), first.epoch, rate(alpha), last.epoch],
      ),
      value: rate(alpha),
      ...(decided !== undefined &&
        control !== undefined && { note: l10n.t('Epoch {0}: {1}', decided.epoch, decisionText(control)) }),
      unit: l10n.t('success rate'),
      format: rate,
      lines: {
        series: [
          { label: 'α', tone: 'ink', mark: 'diamond', points: pointsOf(rows, ({ curriculum }) => curriculum.alpha) },
          {
            ...{ label: l10n.t('p̂ of generated tasks'), tone: 'agent', mark: 'circle', dashed: true },
            points: pointsOf(rows, ({ successRate }) => successRate?.p),
          },
        ],
      },
      columns: [
        epochColumn(),
        { title: 'α', format: rate },
        ...(controlled
          ? [
              { title: l10n.t('Chosen because') },
              { title: l10n.t('Measured'), format: measure },
              { title: l10n.t('Standard error'), format: measure },
            ]
          : []),
      ],
      rows: rows.map(({ epoch, curriculum, control: own }) => [
        epoch,
        curriculum.alpha,
        ...(controlled
          ? [own === undefined ? '' : whyText(own), own?.seen?.value ?? null, own?.seen?.error ?? null]
          : []),
      ]),
    };
  },
});

/** `validation points per 1,000 rollouts 1.2 ± 0.4 in epochs 1–5: it fell, so that α turns`. */
function decisionText(control: Control): string {
  const { seen } = control;
  if (seen === null) return whyText(control);
  const { from, to, value, error } = seen;
  return l10n.t(
    '{0} {1} ± {2} in epochs {3}–{4}: {5}',
    ...[measureText(control), measure(value), measure(error), from, to, whyText(control)],
  );
}

function measureText({ measure: of }: Control): string {
  if (of === 'gain') return l10n.t('validation points per 1,000 rollouts');
  return of === 'learnability' ? l10n.t('p(1 − p) of tasks') : 'p̂';
}

function whyText({ why }: Control): string {
  switch (why) {
    case 'start':
      return l10n.t('it starts here');
    case 'window':
      return l10n.t('it is being measured');
    case 'first':
      return l10n.t('nothing to compare with yet, so that α takes a first step');
    case 'better':
      return l10n.t('it rose, so that α goes on');
    case 'worse':
      return l10n.t('it fell, so that α turns');
    case 'chance':
      return l10n.t('the difference may be chance, so that α goes back to its start or tries the other side');
    case 'unmeasured':
      return l10n.t('it was not measured, so that α stays');
    case 'above':
      return l10n.t('it is above the target, so that α goes down');
    case 'below':
      return l10n.t('it is below the target, so that α goes up');
    case 'held':
      return l10n.t('it may be at the target, so that α stays');
  }
}
