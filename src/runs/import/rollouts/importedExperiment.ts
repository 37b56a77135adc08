import { resolveExperiment } from '../../../shared/experiment/resolve.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';

/** The experiment in an imported run's `run.json`: a name, and a curriculum to judge by. */
export const importedExperiment = (name: string, epochs: number): Experiment =>
  resolveExperiment({
    ...{ version: 1, preset: 'embedded', mode: 'offline', name, epochs },
    domain: { baseTasks: 1 },
    curriculum: { filter: 'off' },
    agent: { train: false },
    validation: { every: 0 },
  });
