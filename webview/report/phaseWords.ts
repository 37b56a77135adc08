/** The words of the phase portrait, for the page and the report. */
import * as l10n from '@vscode/l10n';
import { growthOf } from '../../src/shared/report/growth.ts';
import { studentQuantile } from '../../src/engine/math/paired/student.ts';
import { measure, rate } from '../../src/shared/text/figures/numbers.ts';
import { signed } from '../../src/shared/text/figures/shares.ts';
import type { PhaseMeasure, PhasePoint } from '../charts/phase/phaseCourse.ts';

/** `steps`, or the substitute for difficulty in a domain without a number of it. */
export const measureName = ({ key }: PhaseMeasure): string => (key === '' ? l10n.t('tokens of a task') : key);

/** Where the run went, and whether tasks grew at the same success. */
export function phaseReading(points: readonly PhasePoint[], of: PhaseMeasure): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return l10n.t('No epoch has been measured yet.');
  const name = measureName(of);
  if (first === last)
    return l10n.t('Epoch {0}: {1} {2}, p̂ {3}.', first.epoch, name, measure(first.difficulty), rate(first.p));
  const went = l10n.t(
    'From epoch {0} to epoch {1}, {2} went from {3} to {4}, and p̂ from {5} to {6}.',
    ...[
      first.epoch,
      last.epoch,
      name,
      measure(first.difficulty),
      measure(last.difficulty),
      rate(first.p),
      rate(last.p),
    ],
  );
  const growth = growthOf(points.map(({ difficulty, ...point }) => ({ ...point, value: difficulty })));
  if (growth === null) return went;
  const span = last.epoch - first.epoch;
  const half = studentQuantile(0.975, growth.freedom) * growth.error;
  const over = (slope: number): string => signed(slope * span, Math.abs(slope * span) >= 10 ? 0 : 2);
  const [at, low, high] = [over(growth.slope), over(growth.slope - half), over(growth.slope + half)];
  const word = low.startsWith('+')
    ? l10n.t('tasks grew')
    : high.startsWith('−')
      ? l10n.t('tasks shrank')
      : l10n.t('no clear change');
  return `${went} ${l10n.t('At equal success, {0}: {1} {2} over the run ({3} to {4}).', word, at, name, low, high)}`;
}

/** The content of the drawing, and the policies at its ends. */
export function phaseNote(points: readonly PhasePoint[], window: number): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  const path =
    window === 1
      ? l10n.t('The path joins the epochs')
      : l10n.t('Dots are epochs, the path their mean over {0}', window);
  const by = ({ epoch, versions: { agent, environment } }: PhasePoint): string =>
    l10n.t('epoch {0} by {1} and {2}', epoch, environment, agent);
  const marks = l10n.t('{0}; □ is the first, ● the last; the band is shaded.', path);
  const made =
    last === first
      ? l10n.t('Tasks made in {0}.', by(first))
      : l10n.t('Tasks made in {0}, in {1}.', by(first), by(last));
  return `${marks} ${made}`;
}
