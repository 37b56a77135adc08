/** Tasks counted in the files that an experiment names. */
import type { Experiment } from '../schema.ts';
import { domainsOf } from './domains.ts';
import { mostHeldOut } from './heldOut.ts';

/** Domains that are missing here were not counted. */
export interface TaskCounts {
  /** Base tasks by their domain's name. */
  base: ReadonlyMap<string, number>;
  /** Held-out tasks by their domain's name. */
  heldOut: ReadonlyMap<string, number>;
  /** The benchmark's tasks that an evaluation attempts; null for as many as `evaluation.sample` says. */
  evaluation: number | null;
}

export const noCounts: TaskCounts = { base: new Map(), heldOut: new Map(), evaluation: null };

/** The experiment with as many base tasks, and as many tasks of its benchmark, as its files hold. */
export function withCounts(experiment: Experiment, { base, evaluation }: Omit<TaskCounts, 'heldOut'>): Experiment {
  const { domain, domains } = experiment;
  const parts = domainsOf(experiment);
  const counted = (i: number, baseTasks: number): number => base.get(parts[i]?.name ?? '') ?? baseTasks;
  return {
    ...experiment,
    domain: domains === undefined ? { ...domain, baseTasks: counted(0, domain.baseTasks) } : domain,
    ...(domains !== undefined && {
      domains: domains.map((one, i) => ({ ...one, baseTasks: counted(i, one.baseTasks) })),
    }),
    evaluation: { ...experiment.evaluation, sample: evaluation ?? experiment.evaluation.sample },
  };
}

/** Whether the held-out tasks are known, in each domain that is validated. */
export const countsHeldOut = (experiment: Experiment, { heldOut }: Pick<TaskCounts, 'heldOut'>): boolean =>
  domainsOf(experiment).every(
    ({ name, settings }) => heldOut.has(name) || Number.isFinite(mostHeldOut(experiment, settings)),
  );
