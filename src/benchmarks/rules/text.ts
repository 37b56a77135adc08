/** Rules that compare texts: `exact`, `contains`. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { comparable, normalised, quoted } from './compare.ts';
import { answerText, passed, type Rule } from './rule.ts';

type Options = Pick<z.infer<(typeof ruleSchemas)['exact']>, 'compare'>;

/** The answer is the gold. */
export const exact: Rule<Options, string> = {
  golden: true,
  readGold: (gold, { compare }) => (compare === 'squad' ? comparable(gold, compare) : normalised(gold, compare)),
  judge(answer, gold, { compare }) {
    const given = normalised(answerText(answer), compare);
    return passed(given === gold, () => l10n.t('expected {0}, got {1}', quoted(gold), quoted(given)));
  },
};

/** The gold stands somewhere in the answer (cover exact match, sub-EM). */
export const contains: Rule<Options, string> = {
  golden: true,
  readGold: (gold, { compare }) => comparable(gold, compare),
  judge(answer, gold, { compare }) {
    const given = normalised(answerText(answer), compare);
    return passed(given.includes(gold), () => l10n.t('{0} does not stand in the answer', quoted(gold)));
  },
};
