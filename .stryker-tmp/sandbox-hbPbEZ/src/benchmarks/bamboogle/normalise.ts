import { splitWords, word } from '../python/text.ts';

const punctuation = /[!-/:-@[-`{-~]/g;
const articles = new RegExp(`(?<![${word}])(?:a|an|the)(?![${word}])`, 'gu');

/** An answer as the papers compare it: lower case, no ASCII punctuation, no articles, single spaces. */
export const normalise = (answer: string): string =>
  splitWords(answer.toLowerCase().replace(punctuation, '').replace(articles, ' ')).join(' ');
