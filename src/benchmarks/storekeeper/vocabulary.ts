/**
 * The words of the storekeeper language. Every token of the embedded policies is one of them; text is words joined by
 * single spaces.
 */
import * as l10n from '@vscode/l10n';

/** Ends every assistant turn. */
export const endWord = '<end>';

export const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
] as const;
export type Ordinal = (typeof ordinals)[number];

/** Operations of the functions on the menu. */
export const concepts = ['increase', 'decrease', 'set', 'get', 'clear', 'double'] as const;
export type Concept = (typeof concepts)[number];

/** Two synonyms for each concept: requests use verbs, calls use concepts. */
export const verbsOf = {
  increase: ['add', 'stock'],
  decrease: ['take', 'remove'],
  set: ['put', 'fix'],
  get: ['count', 'check'],
  clear: ['empty', 'discard'],
  double: ['duplicate', 'copy'],
} as const satisfies Record<Concept, readonly [string, string]>;
export type Verb = (typeof verbsOf)[Concept][number];

export const items = ['rice', 'beans', 'milk', 'eggs', 'bread', 'apples', 'cheese', 'honey'] as const;
export type Item = (typeof items)[number];

/** Names that a task gives its functions; the same name serves another concept in another task. */
export const functionNames = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9'] as const;
export type FunctionName = (typeof functionNames)[number];

/** Words of a request that mean nothing. */
export const fillers = ['please', 'now', 'then', 'kindly', 'also', 'just'] as const;
export type Filler = (typeof fillers)[number];

/** Largest number that has a word. */
export const maxNumber = 18;
const numberWords = Array.from({ length: maxNumber + 1 }, (_, n) => String(n));

/** The agent's recent success rate in tenths; `s?` before anything was measured. */
const successWords = ['s?', ...Array.from({ length: 11 }, (_, tenth) => `s${tenth}`)];

const member = <T extends string>(words: readonly T[]) => {
  const known: ReadonlySet<string> = new Set(words);
  return (word: string | undefined): word is T => word !== undefined && known.has(word);
};
export const isOrdinal = member(ordinals);
export const isConcept = member(concepts);
export const isItem = member(items);
export const isFunctionName = member(functionNames);
export const isFiller = member(fillers);

const conceptByVerb: ReadonlyMap<string, { verb: Verb; concept: Concept }> = new Map(
  concepts.flatMap((concept) => verbsOf[concept].map((verb) => [verb, { verb, concept }] as const)),
);

/** The verb that a word is, with its concept; undefined for any other word. */
export function verbEntry(word: string | undefined): { verb: Verb; concept: Concept } | undefined {
  return word === undefined ? undefined : conceptByVerb.get(word);
}

/** The concept a verb asks for. */
export function conceptOf(verb: Verb): Concept {
  const entry = conceptByVerb.get(verb);
  if (entry === undefined) throw new RangeError(l10n.t('no concept has the verb {0}', verb));
  return entry.concept;
}

/** Concepts whose calls carry a value. */
export function takesValue(concept: Concept): boolean {
  return concept === 'increase' || concept === 'decrease' || concept === 'set';
}

/** The number a word stands for, or undefined. */
export function numberOf(word: string | undefined): number | undefined {
  return word !== undefined && /^(\d|1[0-8])$/.test(word) ? Number(word) : undefined;
}

/** @param rate 0…1, or null before anything was measured. */
export function successWord(rate: number | null): string {
  return rate === null ? 's?' : `s${Math.round(Math.min(1, Math.max(0, rate)) * 10)}`;
}

/** All tokens in id order; position 0 is the end word. The order is part of the shipped weights: append only. */
export const vocabulary: readonly string[] = [
  endWord,
  '<agent>',
  '<env>',
  'MENU',
  'REQ',
  'CALLS',
  'CALL',
  'TASK',
  'like',
  'steps',
  'tools',
  'fillers',
  'left',
  'many',
  'error',
  ...successWords,
  ...ordinals,
  ...concepts,
  ...concepts.flatMap((concept) => verbsOf[concept]),
  ...items,
  ...functionNames,
  ...numberWords,
  'plus',
  'minus',
  'twice',
  'same',
  ...fillers,
];

/** Words of a text. */
export function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Words of an assistant turn, without the end word that a sampled text may still carry. */
export function turnWords(text: string): string[] {
  const all = words(text);
  return all.at(-1) === endWord ? all.slice(0, -1) : all;
}
