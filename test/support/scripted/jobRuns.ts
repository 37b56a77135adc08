/** Runs whose policies are trained by jobs, and what they left. */
import type { TrainingJob } from '../../../src/engine/ports.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import type { Cluster } from './batchPolicy.ts';
import { smallExperiment, type MemoryRun, type RunOptions } from './scriptedRun.ts';

export const both: RunOptions = { jobs: ['agent', 'environment'] };
/** The settings that a job supports. */
const plainly = { klCoefficient: 0, updateKlCap: null, totalKlCap: null } as const;
export const small = (over: Parameters<typeof smallExperiment>[0] = {}): Experiment =>
  smallExperiment({ ...over, environment: { ...plainly, ...over.environment } });

export function eventsOf<T extends JournalEvent['type']>(run: MemoryRun, type: T): EventOf<T>[] {
  return run.events.filter((event): event is EventOf<T> => event.type === type);
}

export const jobsOf = <K extends TrainingJob['kind']>(
  { jobs }: Cluster,
  kind: K,
): Extract<TrainingJob, { kind: K }>[] =>
  [...jobs.values()].map(({ job }) => job).filter((job): job is Extract<TrainingJob, { kind: K }> => job.kind === kind);

/** A log that keeps its warnings. */
export function warned() {
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (message: string) => void warnings.push(message) };
  return { warnings, log };
}
