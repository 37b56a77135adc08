/** Tasks that a domain file judges itself. Here no code of a person's runs, so an attempt is shown and not judged. */
import * as l10n from '@vscode/l10n';
import { errorVerdict } from '../shared/rewards/result.ts';
import type { ScorerRule } from './scorerRule.ts';

export const domainScorer: ScorerRule = {
  score: () => errorVerdict(l10n.t('The domain file judges this task, and it is asked only while a run is going.')),
  fault: () => null,
  goldAnswer: ({ gold }) => gold,
};
