/** The words of the phase portrait, for the page and the report. */
import { growthOf } from '../../src/shared/report/growth.ts';
import { studentQuantile } from '../../src/engine/math/paired/student.ts';
import { measure, rate, signed } from '../charts/format.ts';
import type { PhaseMeasure, PhasePoint } from '../charts/phase/phaseCourse.ts';

/** `steps`, or the substitute for difficulty in a domain without a number of it. */
export const measureName = ({ key }: PhaseMeasure): string => (key === '' ? 'tokens of a task' : key);

/** Where the run went, and whether tasks grew at the same success. */
export function phaseReading(points: readonly PhasePoint[], of: PhaseMeasure): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return 'No epoch has been measured yet.';
  const name = measureName(of);
  if (first === last) return `Epoch ${first.epoch}: ${name} ${measure(first.difficulty)}, p̂ ${rate(first.p)}.`;
  const went =
    `From epoch ${first.epoch} to ${last.epoch} ${name} went from ${measure(first.difficulty)} to ` +
    `${measure(last.difficulty)} and p̂ from ${rate(first.p)} to ${rate(last.p)}.`;
  const growth = growthOf(points.map(({ difficulty, ...point }) => ({ ...point, value: difficulty })));
  if (growth === null) return went;
  const span = last.epoch - first.epoch;
  const half = studentQuantile(0.975, growth.freedom) * growth.error;
  const [at, low, high] = [growth.slope, growth.slope - half, growth.slope + half].map((slope) =>
    signed(slope * span, Math.abs(slope * span) >= 10 ? 0 : 2),
  );
  const word =
    low?.startsWith('+') === true ? 'grew' : high?.startsWith('−') === true ? 'shrank' : 'did not clearly change';
  return `${went} At the same success tasks ${word}: ${at} ${name} over the run (${low} to ${high}).`;
}

/** The content of the drawing, and the policies at its ends. */
export function phaseNote(points: readonly PhasePoint[], window: number): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  const path = window === 1 ? 'The path joins the epochs' : `Dots are epochs, the path their mean over ${window}`;
  const by = ({ epoch, versions: { agent, environment } }: PhasePoint): string =>
    `epoch ${epoch} by ${environment} and ${agent}`;
  return `${path}; □ is the first, ● the last; the band is shaded. Made in ${by(first)}${last === first ? '' : `, in ${by(last)}`}.`;
}
