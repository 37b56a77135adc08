/** α over epochs where it moves, and the newest choice of its controller. */
import { largest, smallest } from '../../shared/extremes.ts';
import type { Control } from '../../shared/journal/control.ts';
import type { EpochRow } from '../../shared/report/data.ts';
import { sparkline } from '../draw/sparkline.ts';
import { style } from '../text/style.ts';
import { styled, type Printable } from '../text/styled.ts';
import { inColumn, rate } from '../../shared/text/figures/numbers.ts';

export interface Target {
  epoch: number;
  alpha: number;
  control?: Control;
}

/** α by which the epoch was scored, or will be. */
export const targetOf = ({ epoch, curriculum: { alpha }, control }: EpochRow): Target => ({
  ...{ epoch, alpha },
  ...(control !== undefined && { control }),
});

/** None where α is the same in every epoch. */
export function targetLines(targets: readonly Target[], cells: number): Printable[] {
  const alphas = targets.map(({ alpha }) => alpha);
  const last = targets.at(-1);
  const decided = targets.findLast(({ control }) => control !== undefined && control.why !== 'window');
  if (last === undefined || (decided === undefined && new Set(alphas).size < 2)) return [];
  const ends = { low: smallest(alphas), high: largest(alphas) };
  const course = style.accent(sparkline(alphas, cells, { low: 0, high: 1 }));
  const lines: Printable[] = [
    styled`α          ${course}  ${rate(ends.low)} to ${rate(ends.high)}, now ${rate(last.alpha)}`,
  ];
  if (decided?.control !== undefined) lines.push(`           epoch ${decided.epoch}: ${decisionText(decided.control)}`);
  return lines;
}

function decisionText({ measure, seen, why }: Control): string {
  if (seen === null) return whys[why];
  const { from, to, value, error } = seen;
  const epochs = from === to ? `epoch ${from}` : `epochs ${from}–${to}`;
  return `${measures[measure]} ${inColumn(value)} ± ${inColumn(error)} in ${epochs}: ${whys[why]}`;
}

const measures: Readonly<Record<Control['measure'], string>> = {
  gain: 'validation points per 1,000 rollouts',
  learnability: 'p(1 − p) of tasks',
  success: 'p̂',
};

const whys: Readonly<Record<Control['why'], string>> = {
  start: 'it starts here',
  window: 'it is being measured',
  first: 'nothing to compare with yet, so that α takes a first step',
  better: 'it rose, so that α goes on',
  worse: 'it fell, so that α turns',
  chance: 'the difference may be chance, so that α goes back to its start or tries the other side',
  unmeasured: 'it was not measured, so that α stays',
  above: 'it is above the target, so that α goes down',
  below: 'it is below the target, so that α goes up',
  held: 'it may be at the target, so that α stays',
};
