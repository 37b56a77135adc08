/** Plans whose answer is known before they run: none. */
import * as l10n from '@vscode/l10n';
import { domainsOf } from '../../../shared/experiment/tasks/domains.ts';
import { mayBeOthers, mostHeldOut } from '../../../shared/experiment/tasks/heldOut.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import { expectedWork, type HeldOutTasks } from '../../../shared/experiment/workload.ts';
import { precise, significant } from '../../../shared/text/figures/numbers.ts';
import type { Budget, Measure, Study } from '../contract/file.ts';
import type { Arm, StudyPlaces } from './arm.ts';
import { fewestSeeds, leastP, plannedComparisons } from './power.ts';

/** Warns of a study whose clearest difference is not one after Holm's correction. */
export function tooFewSeeds(study: Study, arms: number, places: StudyPlaces): Problem[] {
  const { seeds, comparison } = study;
  const { test, level } = comparison;
  const comparisons = plannedComparisons(study, arms);
  const least = leastP(test, seeds.length);
  if (comparisons === 0 || least * comparisons <= level) return [];
  const needed = fewestSeeds(test, level / comparisons);
  const facts = [seeds.length, precise(least, 2), level];
  const message =
    comparisons === 1
      ? l10n.t('With {0} seeds no difference can be shown: p cannot fall below {1}, and the level is {2}.', ...facts)
      : l10n.t(
          'With {0} seeds no difference can be shown: p cannot fall below {1}, and at level {2} the clearest of {3} comparisons needs {4} (Holm’s correction).',
          ...facts,
          comparisons,
          precise(level / comparisons, 2),
        );
  const remedy =
    needed === null
      ? l10n.t('Compare fewer measures or pairs of arms.')
      : comparisons === 1
        ? l10n.t('Give {0} seeds.', needed)
        : l10n.t('Give {0} seeds, or compare fewer measures or pairs of arms.', needed);
  return [{ ...places.placeOf(['seeds']), field: 'seeds', message, remedy, severity: 'warning' }];
}

/** A difference of a part of a rollout is meant for shares: nothing can be said of its power. */
export const saysDifference = ({ measures: [first], comparison }: Pick<Study, 'measures' | 'comparison'>): boolean =>
  first?.kind !== 'reaches' || comparison.difference >= 1;

/** Warns of a difference that would matter in another unit than the first measure's. */
export function otherUnit(study: Study, places: StudyPlaces): Problem[] {
  if (saysDifference(study)) return [];
  const message = l10n.t(
    'The first measure is in rollouts, so a difference of {0} is too small: power is not computed.',
    study.comparison.difference,
  );
  const remedy = l10n.t('Write in "difference" how many rollouts would matter.');
  const place = places.placeOf(['comparison', 'difference']);
  return [{ ...place, field: 'comparison.difference', message, remedy, severity: 'warning' }];
}

/** Arms may differ by this share of the rollouts from validation to validation. */
const unevenShare = 0.1;

/** Warns of means over validations that cover more of one arm's training than of another's. */
export function unevenWindows(study: Study, arms: readonly Arm[], { kind }: Budget, places: StudyPlaces): Problem[] {
  const at = study.measures.findIndex((measure) => 'last' in measure && measure.last > 1);
  const apart = arms.flatMap(({ name, experiment }) => {
    const { every } = experiment.validation;
    if (every === 0) return [];
    return [{ name, steps: every * (kind === 'updates' ? 1 : expectedWork(experiment).rollouts.epoch) }];
  });
  const [near, far] = [apart.toSorted((a, b) => a.steps - b.steps)[0], apart.toSorted((a, b) => b.steps - a.steps)[0]];
  if (at === -1 || near === undefined || far === undefined) return [];
  if (far.steps <= near.steps * (1 + unevenShare)) return [];
  const message = l10n.t(
    'The last validations of "{0}" cover {1} times the training that those of "{2}" do.',
    far.name,
    significant(far.steps / near.steps, 2),
    near.name,
  );
  const remedy = l10n.t('Set "last" to 1, or validation.every of each arm.');
  return [{ ...places.placeOf(['measures', at]), field: `measures[${at}].last`, message, remedy, severity: 'warning' }];
}

/**
 * Why no run of an arm has a value of a measure, as a clause; null where it has one as far as is known.
 * @param heldOut counted in its files; null before they are read
 */
function missing({ kind }: Measure, experiment: Experiment, heldOut: HeldOutTasks | null): string | null {
  const { validation, evaluation } = experiment;
  switch (kind) {
    case 'validation':
    case 'gain':
    case 'reaches': {
      if (validation.every === 0) return l10n.t('validation.every is 0');
      const most = domainsOf(experiment).map(
        ({ name, settings }) =>
          heldOut?.get(name) ?? (mayBeOthers(experiment, settings) ? Infinity : mostHeldOut(experiment, settings)),
      );
      return most.every((tasks) => tasks === 0) ? l10n.t('nothing is held out (domain.heldOut)') : null;
    }
    case 'evaluation':
      return evaluation.every === 0 || evaluation.adapter === null
        ? l10n.t('it is evaluated on no benchmark (evaluation.adapter, evaluation.every)')
        : null;
    case 'band':
    case 'difficulty':
      return null;
  }
}

/** Measures without a value in an arm, each once. */
export function withoutValue(
  { measures }: Pick<Study, 'measures'>,
  { name, experiment }: Pick<Arm, 'name' | 'experiment'>,
  places: StudyPlaces,
  heldOut: HeldOutTasks | null = null,
): Omit<Problem, 'severity'>[] {
  return measures.flatMap((measure, i) => {
    const why = missing(measure, experiment, heldOut);
    if (why === null) return [];
    const message = l10n.t('No run of the arm "{0}" has a value of the measure "{1}": {2}.', name, measure.kind, why);
    const remedy = l10n.t('Change the base, or choose another measure.');
    return [{ ...places.placeOf(['measures', i]), field: `measures[${i}]`, message, remedy }];
  });
}
