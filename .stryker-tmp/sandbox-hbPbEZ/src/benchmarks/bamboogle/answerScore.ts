import { normalise } from './normalise.ts';

/** How an answer compares with those that count as right. Shares are of words; each figure is the best over the golds. */
export interface AnswerScore {
  normalisedPrediction: string;
  /** 1 when it is one of them, else 0. */
  em: number;
  /** 1 when one of them occurs in it, else 0. */
  subEm: number;
  f1: number;
  precision: number;
  recall: number;
}

/** Answers that are all or nothing: sharing a word with another one is no merit. */
const closed = new Set(['yes', 'no', 'noanswer']);

/** Exact match, cover match and F1 of words, as Search-R1 and FlashRAG count them. */
export function scoreAnswer(prediction: string, golds: readonly string[]): AnswerScore {
  const normalisedPrediction = normalise(prediction);
  const score: AnswerScore = { normalisedPrediction, em: 0, subEm: 0, f1: 0, precision: 0, recall: 0 };
  for (const gold of golds.map(normalise)) {
    if (gold === normalisedPrediction) score.em = 1;
    if (normalisedPrediction.includes(gold)) score.subEm = 1;
    const { f1, precision, recall } = sharedWords(normalisedPrediction, gold);
    score.f1 = Math.max(score.f1, f1);
    score.precision = Math.max(score.precision, precision);
    score.recall = Math.max(score.recall, recall);
  }
  return score;
}

function sharedWords(prediction: string, gold: string): Pick<AnswerScore, 'f1' | 'precision' | 'recall'> {
  const none = { f1: 0, precision: 0, recall: 0 };
  if (prediction !== gold && (closed.has(prediction) || closed.has(gold))) return none;
  const [predicted, wanted] = [wordsOf(prediction), wordsOf(gold)];
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let same = 0;
  for (const word of predicted) {
    const times = left.get(word) ?? 0;
    if (times === 0) continue;
    left.set(word, times - 1);
    same += 1;
  }
  if (same === 0) return none;
  const precision = same / predicted.length;
  const recall = same / wanted.length;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

const wordsOf = (normalised: string): string[] => (normalised === '' ? [] : normalised.split(' '));
