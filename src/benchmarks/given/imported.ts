import * as l10n from '@vscode/l10n';
import { GivenTasks } from './domain.ts';

const why = (): string => l10n.t('it was judged where it was made, by rules that are not known here');

/** Tasks that came with rollouts of another program: nothing is known of them but what was asked, answered and said of it. */
export const importedTasks = new GivenTasks([], {
  fault: () => null,
  goldAnswer: () => null,
  score: () => ({ success: false, reward: 0, valid: false, error: why() }),
});
