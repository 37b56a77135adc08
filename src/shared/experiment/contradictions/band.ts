/** The band |p̂ − α| ≤ k_min against the attempts that p̂ is measured on. */
import type { Experiment } from '../schema.ts';
import { number, tolerance, type Check } from './contradiction.ts';
import { trainsEnvironment } from '../trains.ts';

/** Whether the difficulty filter decides anything: only the environment's update reads it. */
const filters = (experiment: Experiment): boolean =>
  trainsEnvironment(experiment) && experiment.curriculum.filter === 'hard';

const estimated = ({ curriculum }: Experiment): string =>
  curriculum.estimate === 'posterior' ? '(k + 1)/(n + 2)' : 'k/n';

const bandOf = ({ curriculum: { alpha, kMin } }: Experiment): string =>
  `${number(Math.max(0, alpha - kMin))}–${number(Math.min(1, alpha + kMin))}`;

/** Only one task's or family's attempts are ever few enough to check; an epoch's admit something in any band. */
const countable = (experiment: Experiment): number | null => {
  const attempts = attemptsInScope(experiment);
  return attempts <= 100_000 ? attempts : null;
};

/** Attempts one p̂ is measured on when every variation is accepted and every check succeeds. */
export function attemptsInScope({ curriculum, generation, rollouts }: Experiment): number {
  if (curriculum.scope === 'task') return rollouts.group;
  const family = generation.variations * rollouts.group;
  return curriculum.scope === 'family' ? family : family * generation.families;
}

/**
 * Ways to give p̂ more values and information: over a family, further attempts at a task mostly repeat its first ones.
 */
const finer = ({ curriculum: { scope } }: Experiment): string =>
  scope === 'task'
    ? 'raise rollouts.group, or measure p̂ over the family (curriculum.scope)'
    : 'write more variations (generation.variations): they tell more than further attempts at the same tasks';

/** Every success count k of n attempts whose estimate lies in the band |p̂ − α| ≤ k_min. */
export function admitted(attempts: number, { alpha, kMin, estimate }: Experiment['curriculum']): number[] {
  const inside: number[] = [];
  for (let k = 0; k <= attempts; k++) {
    const p = estimate === 'posterior' ? (k + 1) / (attempts + 2) : k / attempts;
    if (Math.abs(p - alpha) <= kMin + tolerance) inside.push(k);
  }
  return inside;
}

export const emptyBand: Check = (experiment) => {
  const n = countable(experiment);
  if (!filters(experiment) || n === null || admitted(n, experiment.curriculum).length > 0) return null;
  const { scope } = experiment.curriculum;
  return {
    fields: ['curriculum.kMin', 'curriculum.alpha', 'curriculum.scope', 'rollouts.group', 'generation.variations'],
    message:
      `No p̂ can lie in the band ${bandOf(experiment)}: with scope "${scope}" it is measured on n = ${n} attempts, ` +
      `and no ${estimated(experiment)} is within k_min = ${experiment.curriculum.kMin} of α = ${experiment.curriculum.alpha}.`,
    remedy: `Raise k_min, or ${finer(experiment)}.`,
    severity: 'error',
  };
};

export const singleValue: Check = (experiment) => {
  const n = countable(experiment);
  // Of kinds that are measured on each task, kept families with one p̂ still differ.
  if (!filters(experiment) || experiment.environment.update !== 'rwr') return null;
  if (experiment.curriculum.reward.kind !== 'kernel') return null;
  if (n === null || experiment.curriculum.kMin === 0) return null;
  const [only, ...others] = admitted(n, experiment.curriculum);
  if (only === undefined || others.length > 0) return null;
  return {
    fields: ['curriculum.kMin', 'rollouts.group', 'generation.variations', 'curriculum.scope'],
    message:
      `The filter admits only p̂ = ${only}/${n} exactly: everything kept has the same R_env, so λ and β weigh nothing ` +
      'and the update is plain fine-tuning on what was kept.',
    remedy: `Widen k_min, or ${finer(experiment)}.`,
    severity: 'warning',
  };
};

export const zeroBand: Check = (experiment) => {
  if (!filters(experiment) || experiment.curriculum.kMin > 0) return null;
  const equal = experiment.curriculum.reward.kind === 'kernel' ? ', and all weights are equal' : '';
  return {
    fields: ['curriculum.kMin'],
    message: `With k_min = 0 only p̂ = α exactly passes the filter${equal}.`,
    remedy: 'Raise k_min, or set curriculum.filter to "off" to keep everything.',
    severity: 'warning',
  };
};

export const everythingPasses: Check = ({ mode, curriculum: { alpha, kMin, filter }, environment }) => {
  if (!trainsEnvironment({ mode, environment }) || filter === 'off') return null;
  if (alpha > kMin + tolerance || 1 - alpha > kMin + tolerance) return null;
  return {
    fields: ['curriculum.kMin', 'curriculum.alpha'],
    message: `k_min = ${kMin} around α = ${alpha} holds every p̂ from 0 to 1: the difficulty filter passes everything.`,
    remedy: `Lower k_min below ${number(Math.max(alpha, 1 - alpha))}, or set curriculum.filter to "off" if that is meant.`,
    severity: 'error',
  };
};

export const endlessWarmup: Check = ({ mode, curriculum, epochs, environment }) => {
  if (!trainsEnvironment({ mode, environment }) || curriculum.filter === 'off' || curriculum.warmupEpochs < epochs)
    return null;
  return {
    fields: ['curriculum.warmupEpochs', 'epochs'],
    message: `The filter is off for ${curriculum.warmupEpochs} warm-up epochs of ${epochs}: it never applies.`,
    remedy: 'Lower curriculum.warmupEpochs below epochs, or set curriculum.filter to "off".',
    severity: 'warning',
  };
};
