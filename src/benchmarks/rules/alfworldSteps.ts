/** One step of a game: the command is the expert's, or it is not (Eq. 1 of the paper, a structured action). */
import { commandOf, isThought } from '../alfworld/actionText.ts';
import { quoted } from './compare.ts';
import { answerText, passed, Unfit, type Rule } from './rule.ts';

export const alfworldSteps: Rule<unknown, string> = {
  golden: true,
  readGold: (gold) => gold,
  judge(answer, gold) {
    const command = commandOf(answerText(answer));
    if (command === '' || isThought(command)) throw new Unfit('the answer has no command');
    return passed(command === gold, () => `expected ${quoted(gold)}, got ${quoted(command)}`);
  },
};
