/** Why an evaluation has no official totals: a sentence with the remedy. */
import * as l10n from '@vscode/l10n';
import type { EvaluationState } from '../../src/features/evaluation/contract.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';

export function unofficialText(why: EvaluationState['unofficial'][number]): string {
  switch (why.kind) {
    case 'unfinished':
      return l10n.t('No official total: {0} of {1} attempts are there.', count(why.answered), count(why.asked));
    case 'sample':
      return why.of === null
        ? l10n.t('No official total: {0} tasks are a sample.', count(why.tasks))
        : l10n.t('No official total: {0} of {1} tasks are a sample.', count(why.tasks), count(why.of));
    case 'files':
      return l10n.t(
        'No official total, the data is not whole: no file of split {0} matches {1}.',
        why.split,
        why.patterns.join(', '),
      );
    case 'records':
      return l10n.t(
        'No official total, the data is not whole: split {0} has {1} tasks, and its authors say {2}.',
        why.split,
        count(why.fit),
        count(why.expected),
      );
    case 'problems':
      return l10n.t(
        'No official total, problems of the data: {0}, the first: {1} Check the adapter on its data.',
        count(why.count),
        why.example,
      );
    case 'size':
      return l10n.t('No official total: the adapter does not say how many records split {0} has.', why.split);
    case 'splits':
      return l10n.t('No official total: its authors give one split at a time, and these are {0}.', count(why.splits));
    case 'untold':
      return l10n.t('No official total: an older version did not keep how whole the data was. Evaluate again.');
  }
}
