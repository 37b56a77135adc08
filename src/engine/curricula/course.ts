/** α over a run’s epochs, where it has a course (`curriculum.alphaPoints`). */
import type { Curriculum, Experiment } from '../../shared/experiment/schema.ts';

type Course = Pick<Curriculum, 'alpha' | 'alphaPoints' | 'alphaBetween'>;

/** α of an epoch, from 1. Before the first point it starts at `alpha`, from the last one on it stays. */
export function alphaAt({ alpha, alphaPoints, alphaBetween }: Course, epoch: number): number {
  if (alphaPoints === null) return alpha;
  const before = alphaPoints.findLast((point) => point.epoch <= epoch) ?? { epoch: 1, alpha };
  const after = alphaPoints.find((point) => point.epoch > epoch);
  if (alphaBetween === 'steps' || after === undefined) return before.alpha;
  return before.alpha + ((after.alpha - before.alpha) * (epoch - before.epoch)) / (after.epoch - before.epoch);
}

/** The settings as they are in an epoch: with its α. @param chosen by a controller */
export function inEpoch(experiment: Experiment, epoch: number, chosen: { alpha: number } | null = null): Experiment {
  const { curriculum } = experiment;
  if (chosen !== null) return { ...experiment, curriculum: { ...curriculum, alpha: chosen.alpha } };
  if (curriculum.alphaPoints === null) return experiment;
  return { ...experiment, curriculum: { ...curriculum, alpha: alphaAt(curriculum, epoch) } };
}
