/** Rules that count shared words: `token-f1`, `rouge-l`. */
import type * as z from 'zod';
import type { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { scoreAnswer } from '../bamboogle/answerScore.ts';
import { answerText, type Judgement, type Rule } from './rule.ts';

type Options = Pick<z.infer<(typeof ruleSchemas)['token-f1']>, 'threshold'>;

/** Runs of letters and digits of the lower-cased text, as the `rouge_score` package takes words. */
export const rougeWords = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** F of the longest common subsequence (Lin, 2004), precision and recall weighing the same. */
export function rougeLScore(given: readonly string[], gold: readonly string[]): number {
  // One row of the table is enough for its length.
  let row = new Uint32Array(gold.length + 1);
  for (const word of given) {
    const next = new Uint32Array(gold.length + 1);
    for (let j = 1; j <= gold.length; j += 1) {
      next[j] = word === gold[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0);
    }
    row = next;
  }
  return harmonic(row[gold.length] ?? 0, given.length, gold.length);
}

const harmonic = (shared: number, given: number, gold: number): number =>
  shared === 0 ? 0 : (2 * shared) / (given + gold);

function scored(score: number, { threshold }: Options): Judgement {
  const success = score >= threshold;
  return { success, reward: score, ...(success ? {} : { note: `${score.toFixed(3)} of the ${threshold} it needs` }) };
}

/** F1 over the words that SQuAD's normalisation leaves; yes, no and noanswer share nothing with another answer. */
export const tokenF1: Rule<Options, string> = {
  golden: true,
  readGold: (gold) => gold,
  judge: (answer, gold, options) => scored(scoreAnswer(answerText(answer), [gold]).f1, options),
};

/** ROUGE-L. */
export const rougeL: Rule<Options, readonly string[]> = {
  golden: true,
  readGold: rougeWords,
  judge: (answer, gold, options) => scored(rougeLScore(rougeWords(answerText(answer)), gold), options),
};
