import type { Progress } from '../engine/ports.ts';

/** Phases that run side by side; any other phase stands alone. */
const isUpdate = ({ phase }: Progress): boolean => phase.startsWith('update ');

/** The phases in progress after a report of one of them. */
export function phasesWith<P extends Progress>(phases: readonly P[], told: P): P[] {
  const beside = phases.filter(({ phase }) => phase !== told.phase);
  const others = isUpdate(told) ? beside.filter(isUpdate) : [];
  return [...others, told].toSorted((a, b) => a.phase.localeCompare(b.phase));
}
