/** Differences from a run's requirements, in words for its log. */
import * as l10n from '@vscode/l10n';
import type { TrainingSemantics } from './trainingSemantics.ts';

/** One sentence for each difference that a person should know of; none of a server that does as it is asked. */
export function semanticsWords({ reduction, adam, clips }: TrainingSemantics): string[] {
  return [
    ...(reduction === 'mean'
      ? [l10n.t('It averages gradients; batches are scaled so that each step is that of the sum the run asks for.')]
      : []),
    ...(reduction === null
      ? [
          l10n.t(
            'It tells no gradient norm, so it was not seen whether it sums or averages gradients; sums are assumed.',
          ),
        ]
      : []),
    ...(adam === 'rate'
      ? [
          l10n.t(
            'Of an optimiser step it applies only the learning rate; betas, epsilon, weight decay and clipping are its own.',
          ),
        ]
      : []),
    ...(adam === 'all' && clips === false
      ? [l10n.t('It does not clip gradients: adam.gradClipNorm has no effect.')]
      : []),
  ];
}
