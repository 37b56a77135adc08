/** Bamboogle's question answering, as Search-R1 and FlashRAG score it. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { scoreAnswer } from '../bamboogle/answerScore.ts';
import { quoted } from './compare.ts';
import { answerText, type Rule } from './rule.ts';

type Options = Pick<z.infer<(typeof ruleSchemas)['bamboogle']>, 'counts'>;

/** Success is exact or cover match; F1, precision and recall stand beside it. */
export const bamboogle: Rule<Options, string> = {
  golden: true,
  readGold: (gold) => gold,
  judge(answer, gold, { counts }) {
    const { em, subEm, f1, precision, recall, normalisedPrediction } = scoreAnswer(answerText(answer), [gold]);
    const reward = counts === 'em' ? em : subEm;
    const parts = { em, subEm, f1, precision, recall };
    if (reward === 1) return { success: true, reward, parts };
    return {
      success: false,
      reward,
      parts,
      note: l10n.t('expected {0}, got {1}', quoted(gold), quoted(normalisedPrediction)),
    };
  },
};
