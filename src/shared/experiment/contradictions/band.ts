/** The band |p̂ − α| ≤ k_min against the attempts that p̂ is measured on. */
import * as l10n from '@vscode/l10n';
import type { Experiment } from '../schema.ts';
import { figure, tolerance, typed, type Check } from './contradiction.ts';
import { trainsEnvironment } from '../trains.ts';

/** Whether the difficulty filter decides anything: only the environment's update reads it. */
const filters = (experiment: Experiment): boolean =>
  trainsEnvironment(experiment) && experiment.curriculum.filter === 'hard';

const estimated = ({ curriculum }: Experiment): string =>
  curriculum.estimate === 'posterior' ? '(k + 1)/(n + 2)' : 'k/n';

const bandOf = ({ curriculum: { alpha, kMin } }: Experiment): string =>
  `${figure(Math.max(0, alpha - kMin))}–${figure(Math.min(1, alpha + kMin))}`;

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
    ? l10n.t('raise rollouts.group, or measure p̂ over the family (curriculum.scope)')
    : l10n.t('write more variations (generation.variations): they tell more than further attempts at the same tasks');

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
    message: l10n.t(
      'No p̂ can lie in the band {0}: with scope "{1}" it is measured on n = {2} attempts, and no {3} is within k_min = {4} of α = {5}.',
      bandOf(experiment),
      scope,
      n,
      estimated(experiment),
      experiment.curriculum.kMin,
      experiment.curriculum.alpha,
    ),
    remedy: l10n.t('Raise k_min, or {0}.', finer(experiment)),
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
    message: l10n.t(
      'The filter admits only p̂ = {0}/{1} exactly: everything kept has the same R_env, so λ and β weigh nothing and the update is plain fine-tuning on what was kept.',
      only,
      n,
    ),
    remedy: l10n.t('Widen k_min, or {0}.', finer(experiment)),
    severity: 'warning',
  };
};

export const zeroBand: Check = (experiment) => {
  if (!filters(experiment) || experiment.curriculum.kMin > 0) return null;
  const equal = experiment.curriculum.reward.kind === 'kernel' ? l10n.t(', and all weights are equal') : '';
  return {
    fields: ['curriculum.kMin'],
    message: l10n.t('With k_min = 0 only p̂ = α exactly passes the filter{0}.', equal),
    remedy: l10n.t('Raise k_min, or set curriculum.filter to "off" to keep everything.'),
    severity: 'warning',
  };
};

export const everythingPasses: Check = ({ mode, curriculum: { alpha, kMin, filter }, environment }) => {
  if (!trainsEnvironment({ mode, environment }) || filter === 'off') return null;
  if (alpha > kMin + tolerance || 1 - alpha > kMin + tolerance) return null;
  return {
    fields: ['curriculum.kMin', 'curriculum.alpha'],
    message: l10n.t(
      'k_min = {0} around α = {1} holds every p̂ from 0 to 1: the difficulty filter passes everything.',
      kMin,
      alpha,
    ),
    remedy: l10n.t(
      'Lower k_min below {0}, or set curriculum.filter to "off" if that is meant.',
      typed(Math.max(alpha, 1 - alpha)),
    ),
    severity: 'error',
  };
};

export const endlessWarmup: Check = ({ mode, curriculum, epochs, environment }) => {
  if (!trainsEnvironment({ mode, environment }) || curriculum.filter === 'off' || curriculum.warmupEpochs < epochs)
    return null;
  return {
    fields: ['curriculum.warmupEpochs', 'epochs'],
    message: l10n.t(
      'The filter is off for {0} warm-up epochs of {1}: it never applies.',
      curriculum.warmupEpochs,
      epochs,
    ),
    remedy: l10n.t('Lower curriculum.warmupEpochs below epochs, or set curriculum.filter to "off".'),
    severity: 'warning',
  };
};
