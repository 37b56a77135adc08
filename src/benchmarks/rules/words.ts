/** Rules that count shared words: `token-f1`, `rouge-l`. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { scoreAnswer } from '../bamboogle/answerScore.ts';
import { comparable, nothingLeft } from './compare.ts';
import { answerText, type Judgement, type Rule } from './rule.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

type Options = Pick<z.infer<(typeof ruleSchemas)['token-f1']>, 'threshold'>;

/** Runs of letters and digits of the lower-cased text, as the `rouge_score` package takes words. */
export const rougeWords = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Shares of the longest common subsequence of words (Lin, 2004); F weighs precision and recall the same. */
export function rougeLScore(given: readonly string[], gold: readonly string[]): Shares {
  // One row of the table is enough for its length.
  let row = new Uint32Array(gold.length + 1);
  for (const word of given) {
    const next = new Uint32Array(gold.length + 1);
    for (let j = 1; j <= gold.length; j += 1) {
      next[j] =
        word === gold[j - 1]
          ? (row[j - 1] ?? outOfRange()) + 1
          : Math.max(row[j] ?? outOfRange(), next[j - 1] ?? outOfRange());
    }
    row = next;
  }
  const shared = row[gold.length] ?? outOfRange();
  if (shared === 0) return { f1: 0, precision: 0, recall: 0 };
  return {
    f1: (2 * shared) / (given.length + gold.length),
    precision: shared / given.length,
    recall: shared / gold.length,
  };
}

interface Shares {
  f1: number;
  precision: number;
  recall: number;
}

function scored({ f1, precision, recall }: Shares, { threshold }: Options): Judgement {
  const success = f1 >= threshold;
  const note = success ? {} : { note: l10n.t('{0} of the {1} it needs', f1.toFixed(3), threshold) };
  return { success, reward: f1, parts: { precision, recall }, ...note };
}

/** F1 over the words that SQuAD's normalisation leaves; yes, no and noanswer share nothing with another answer. */
export const tokenF1: Rule<Options, string> = {
  golden: true,
  readGold(gold) {
    comparable(gold, 'squad');
    return gold;
  },
  judge: (answer, gold, options) => scored(scoreAnswer(answerText(answer), [gold]), options),
};

/** ROUGE-L. */
export const rougeL: Rule<Options, readonly string[]> = {
  golden: true,
  readGold(gold) {
    const words = rougeWords(gold);
    if (words.length === 0) throw nothingLeft(gold);
    return words;
  },
  judge: (answer, gold, options) => scored(rougeLScore(rougeWords(answerText(answer)), gold), options),
};
