/** One step of a game: the command is the expert's, or it is not (Eq. 1 of the paper, a structured action). */
import * as l10n from '@vscode/l10n';
import { commandOf, isThought } from '../alfworld/actionText.ts';
import { quoted } from './compare.ts';
import { answerText, passed, Unfit, type Rule } from './rule.ts';

export const alfworldSteps: Rule<unknown, string> = {
  golden: true,
  readGold: (gold) => gold,
  judge(answer, gold) {
    const command = commandOf(answerText(answer));
    if (command === '' || isThought(command)) throw new Unfit(l10n.t('the answer has no command'));
    return passed(command === gold, () => l10n.t('expected {0}, got {1}', quoted(gold), quoted(command)));
  },
};
