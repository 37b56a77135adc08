/** Late groups of the last epoch that a branch shares: they count in its first own one, whatever its settings are. */
import { largest } from '../../shared/extremes.ts';
import type { Loop } from '../loop.ts';
import { attemptLate } from '../phases/attempts/attemptOnTime.ts';
import { wholeBatch } from '../phases/rounds.ts';
import { lateBatch } from './lateBatch.ts';
import type { LateGroups } from './lateGroups.ts';

/** Complete ones. @param late their tasks, as the journal has them @param closed none is made any more */
export async function lateOfShared(
  loop: Loop,
  epoch: number,
  late: readonly string[],
  closed: boolean,
): Promise<LateGroups> {
  const round = wholeBatch(await lateBatch(loop, epoch, late));
  return attemptLate(await withGroupOf(loop, epoch), epoch, round, new Set(late), closed);
}

/** Groups are as large as the run made them that began them: the branch may have another `rollouts.group`. */
async function withGroupOf(loop: Loop, epoch: number): Promise<Loop> {
  const traces = (await loop.ports.records.tracesOf(epoch)).filter(({ purpose }) => purpose === 'train');
  if (traces.length === 0) return loop;
  const group = 1 + largest(traces.map(({ id }) => Number(id.slice(id.lastIndexOf('/r') + 2))));
  const { rollouts } = loop.experiment;
  const minGroup = rollouts.minGroup === null ? null : Math.min(rollouts.minGroup, group);
  return { ...loop, experiment: { ...loop.experiment, rollouts: { ...rollouts, group, minGroup } } };
}
