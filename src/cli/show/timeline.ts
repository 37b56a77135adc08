/** `show RUN --timeline`: who waited for whom, a line a phase, each epoch on its own clock. */
import { timelineShares, type TimelineEpoch, type TimelineStretch } from '../../shared/report/timelineCourse.ts';
import type { TimelinePhase } from '../../shared/report/timeline.ts';
import { duration } from '../../shared/text/figures/durations.ts';
import { percentToTenth } from '../../shared/text/figures/shares.ts';
import { style } from '../text/style.ts';
import { styled, type Printable } from '../text/styled.ts';

/** Phases in the order of their lines. */
const names: Record<TimelinePhase, string> = {
  generate: 'write tasks',
  attempt: 'attempt tasks',
  score: 'score',
  agent: 'update agent',
  'agent-publish': '  publish it',
  environment: 'update environment',
  'environment-publish': '  publish it',
  measure: 'measure the agent',
};
const phases = [
  'generate',
  'attempt',
  'score',
  'agent',
  'agent-publish',
  'environment',
  'environment-publish',
] as const;
const order: readonly TimelinePhase[] = [...phases, 'measure'];

const labelWidth = 20;
const mostCells = 60;

/** @param epochs finished ones, in order */
export function timelineLines(epochs: readonly TimelineEpoch[], { width }: { width: number }): Printable[] {
  const shares = timelineShares(epochs);
  if (shares === null) return ['No epoch with times has finished yet.'];
  const cells = Math.max(10, Math.min(mostCells, width - labelWidth - 12));
  const { both, sampling, updating, neither } = shares;
  return [
    `Updates waited for sampling ${percentToTenth(sampling)} of the time, sampling waited for updates ${percentToTenth(updating)}; both were at work ${percentToTenth(both)}, neither ${percentToTenth(neither)}.`,
    ...epochs.flatMap((epoch) => ['', ...epochLines(epoch, cells)]),
    '',
    '█ for this epoch, ░ for a later one; a cell counts where a phase was at work for half of it.',
  ];
}

function epochLines({ epoch, length, stretches, paused }: TimelineEpoch, cells: number): Printable[] {
  const pause = paused > 0 ? `, ${duration(paused / 1000)} of pauses left out` : '';
  return [
    styled`${style.bold(`epoch ${epoch}`)}  ${duration(length / 1000)}${pause}`,
    ...order.flatMap((phase) => {
      const own = stretches.filter((one) => one.phase === phase);
      if (own.length === 0) return [];
      const time = own.reduce((sum, { from, to }) => sum + to - from, 0);
      return [
        styled`${names[phase].padEnd(labelWidth)}${style.accent(bar(epoch, own, length, cells))}  ${duration(time / 1000)}`,
      ];
    }),
  ];
}

function bar(epoch: number, stretches: readonly TimelineStretch[], length: number, cells: number): string {
  const all: string[] = Array.from({ length: cells }, (_, i) => {
    const [from, to] = [(i * length) / cells, ((i + 1) * length) / cells];
    const covered = (some: readonly TimelineStretch[]): number =>
      some.reduce((sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)), 0);
    const own = covered(stretches.filter(({ of }) => of === epoch));
    if (2 * own >= to - from) return '█';
    return 2 * covered(stretches) >= to - from ? '░' : '·';
  });
  // A phase that is shorter than half a cell shows where it was.
  const [first] = stretches;
  if (first !== undefined && !all.some((cell) => cell !== '·')) {
    all[Math.min(cells - 1, Math.floor((first.from / Math.max(1, length)) * cells))] = '▏';
  }
  return all.join('');
}
