/** An answer against its gold: the words that only one of them has, and where they stand. Pure. */
import { append } from '../../shared/append.ts';
import { wordDiff } from '../../shared/text/wordDiff.ts';
import type { InLine } from './layout/line.ts';

export interface AgainstGold {
  /** They say the same, spaces aside. */
  same: boolean;
  /** Words of the gold that the answer lacks, and of the answer that the gold lacks. */
  missing: number;
  extra: number;
  inGold: readonly InLine[];
  inAnswer: readonly InLine[];
}

/** Longer texts are not compared: every word would be marked. */
const longest = 20_000;

/** Null where there is nothing to compare: a gold in another form shares no word with the answer. */
export function againstGold(gold: string, answer: string): AgainstGold | null {
  if (gold.trim() === '' || answer.trim() === '' || Math.max(gold.length, answer.length) > longest) return null;
  const [inGold, inAnswer] = [places(gold), places(answer)];
  const found = { missing: new Array<InLine>(), extra: new Array<InLine>() };
  const counts = { same: 0, missing: 0, extra: 0 };
  let [goldAt, answerAt] = [0, 0];
  for (const { kind, text } of wordDiff(gold, answer)) {
    const words = text.split(' ').length;
    counts[kind] += words;
    if (kind === 'missing') append(found.missing, stretch(inGold.slice(goldAt, goldAt + words), 'missing'));
    if (kind === 'extra') append(found.extra, stretch(inAnswer.slice(answerAt, answerAt + words), 'extra'));
    if (kind !== 'extra') goldAt += words;
    if (kind !== 'missing') answerAt += words;
  }
  if (counts.same === 0) return null;
  const { missing, extra } = counts;
  return { same: missing + extra === 0, missing, extra, inGold: found.missing, inAnswer: found.extra };
}

interface Word {
  start: number;
  end: number;
}

const places = (text: string): Word[] =>
  [...text.matchAll(/\S+/g)].map((match) => ({ start: match.index, end: match.index + match[0].length }));

/** A mark a word: a run may go over lines. */
const stretch = (words: readonly Word[], side: 'missing' | 'extra'): InLine[] =>
  words.map(({ start, end }) => ({ start, end, means: { kind: 'differs', side } }));
