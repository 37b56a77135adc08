import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { smallExperiment } from './scriptedRun.ts';

/** Half of each epoch’s families and mixed tasks are late. */
export const lateExperiment = (more: Parameters<typeof smallExperiment>[0] & object = {}): Experiment =>
  smallExperiment({
    epochs: 4,
    ...more,
    generation: { families: 4, ...more.generation },
    rollouts: { staleness: 1, late: 0.5, baseShare: 0.25, poolShare: 0.25, ...more.rollouts },
  });

/** A small fixed set of tasks: some are drawn again while their group is late. */
export const drawnAgain = (): Experiment =>
  lateExperiment({ mode: 'static', generation: { staticFamilies: 4, staticVariations: 2, families: 4 } });
