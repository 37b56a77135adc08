/** How many tasks an epoch attempts: written ones, and base and pool tasks that fill the batch. */
import { apportion } from '../../apportion.ts';
import type { Experiment } from '../schema.ts';
import { domainsOf } from './domains.ts';
import { withSpare } from './spare.ts';
import { outOfRange } from '../../outOfRange.ts';

/** Tasks that one epoch asks the environment for. */
export function wantedTasks(experiment: Experiment): number {
  const { generation, mode } = experiment;
  if (mode !== 'release') return generation.families * generation.variations;
  const seeds = rankedSeeds(experiment);
  return seeds - 2 * Math.floor(seeds * generation.rankCut);
}

/** Tasks in one epoch's batch, at most. */
export function batchTasks(experiment: Experiment): number {
  const wanted = wantedTasks(experiment);
  return experiment.mode === 'release' ? 2 * wanted : wanted + fillTasks(experiment, 0);
}

/** Seeds that mode release rolls out once more and ranks in one epoch. */
export function rankedSeeds(experiment: Experiment): number {
  const { generation, mode } = experiment;
  if (mode !== 'release') return 0;
  const seeds = Math.ceil((generation.families * generation.variations) / (1 - 2 * generation.rankCut));
  return Math.min(
    seeds,
    domainsOf(experiment).reduce((sum, { settings }) => sum + settings.baseTasks, 0),
  );
}

/** Places of a batch beside its written tasks, and the most base and pool tasks that there are for them. */
export interface FillRoom {
  asked: number;
  base: number;
  pool: number;
}

/** @param spare share of places more, for groups that may fall out */
export function fillRoom(experiment: Experiment, spare = 0): FillRoom {
  const { rollouts, mode } = experiment;
  const wanted = wantedTasks(experiment);
  const total = Math.round(wanted / (1 - rollouts.baseShare - rollouts.poolShare));
  const asked = withSpare(total - wanted, spare);
  const domains = domainsOf(experiment);
  const parts = apportion(
    asked,
    domains.map(({ share }) => share),
  );
  return {
    asked,
    base: domains.reduce((sum, { settings }, i) => sum + Math.min(settings.baseTasks, parts[i] ?? outOfRange()), 0),
    pool:
      rollouts.poolShare === 0 || mode === 'static' || mode === 'offline'
        ? 0
        : withSpare(Math.round(total * rollouts.poolShare), spare),
  };
}

/** Whether an epoch attempts fewer tasks than it asks for where the environment's texts are refused: base tasks cannot fill the batch. */
export function mayFallShort(experiment: Experiment): boolean {
  if (experiment.mode === 'release') return true;
  const domains = domainsOf(experiment);
  const parts = apportion(
    wantedTasks(experiment) + fillRoom(experiment).asked,
    domains.map(({ share }) => share),
  );
  return domains.some(({ settings }, i) => settings.baseTasks < (parts[i] ?? outOfRange()));
}

/** Base tasks take the places that the pool leaves, as far as there are so many different ones. */
export function fillTasks(experiment: Experiment, spare: number): number {
  const { asked, base, pool } = fillRoom(experiment, spare);
  return Math.min(asked, base + pool);
}

/** The first domain that has fewer base tasks than its part of `rollouts.baseShare` in one epoch; null for none. */
export function shortOfBase(experiment: Experiment): { field: string; asked: number; there: number } | null {
  const { baseShare, poolShare } = experiment.rollouts;
  if (experiment.mode === 'release' || baseShare + poolShare >= 1) return null;
  const base = Math.round((wantedTasks(experiment) / (1 - baseShare - poolShare)) * baseShare);
  const domains = domainsOf(experiment);
  const parts = apportion(
    base,
    domains.map(({ share }) => share),
  );
  for (const [i, { settings, field }] of domains.entries()) {
    const asked = parts[i] ?? outOfRange();
    if (asked > settings.baseTasks) return { field: `${field}.baseTasks`, asked, there: settings.baseTasks };
  }
  return null;
}
