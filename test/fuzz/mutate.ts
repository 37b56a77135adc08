/** Inputs made of inputs: letters changed, pieces moved and doubled, words of the language put in, JSON changed as a tree. */
import type { Rng } from '../../src/engine/random.ts';
import { isObject } from '../../src/shared/experiment/resolve.ts';
import { parseOrUndefined } from '../../src/shared/json.ts';

/** In characters. Longer inputs find little more, and take longer. */
const longest = 4_096;

const common = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\n',
  ' ',
  '0',
  '-1',
  '1e999',
  'null',
  'true',
  '\u0000',
  '\ud83d',
  '😀',
  'é',
  '__proto__',
  'constructor',
  '9007199254740993',
  '{}',
  '[]',
  '""',
  '\u202e',
  '\\u0000',
];
const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  'a',
  '__proto__',
  '\u0000',
  [],
  {},
  [[]],
  { a: null },
];

/** @param others of the corpus, for what is spliced in */
export function mutated(input: string, others: readonly string[], tokens: readonly string[], rng: Rng): string {
  let text = input;
  for (let times = 1 + rng.int(4); times > 0; times -= 1) text = once(text, others, tokens, rng);
  return text.slice(0, longest);
}

function once(text: string, others: readonly string[], tokens: readonly string[], rng: Rng): string {
  const at = rng.int(text.length + 1);
  const end = Math.min(text.length, at + 1 + rng.int(rng.int(3) === 0 ? 64 : 4));
  const put = (piece: string, to = at): string => text.slice(0, at) + piece + text.slice(to);
  switch (rng.int(10)) {
    case 0:
      return put('', end);
    case 1:
      return put(text.slice(at, end).repeat(2 + rng.int(rng.int(8) === 0 ? 400 : 3)), end);
    case 2:
      return put(String.fromCharCode(text.charCodeAt(at) ^ (1 << rng.int(8))), at + 1);
    case 3: {
      const other = others[rng.int(Math.max(1, others.length))] ?? '';
      return text.slice(0, at) + other.slice(rng.int(other.length + 1));
    }
    case 4: {
      const from = rng.int(text.length + 1);
      return put(text.slice(from, from + 1 + rng.int(32)));
    }
    case 5:
    case 6:
      return put(word([...tokens, ...common], rng), rng.int(2) === 0 ? at : end);
    case 7:
      return put(word(tokens.length === 0 ? common : tokens, rng));
    default: {
      const value = parseOrUndefined(text);
      if (value === undefined || typeof value !== 'object') return put(word(common, rng));
      return JSON.stringify(changed(value, odd, rng));
    }
  }
}

const word = (words: readonly string[], rng: Rng): string => words[rng.int(words.length)] ?? '';

/** One place of a tree is another value, is gone or is there twice. */
function changed(value: unknown, values: readonly unknown[], rng: Rng, depth = 0): unknown {
  const other = (): unknown => values[rng.int(values.length)];
  if (depth > 40) return other();
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (items.length === 0 || rng.int(4) === 0) return [...items, rng.int(2) === 0 ? other() : items[0]];
    const at = rng.int(items.length);
    if (rng.int(6) === 0) return items.toSpliced(at, 1);
    return items.with(at, changed(items[at], values, rng, depth + 1));
  }
  if (isObject(value)) {
    const keys = Object.keys(value);
    const key = keys[rng.int(Math.max(1, keys.length))];
    if (key === undefined || rng.int(8) === 0) return { ...value, [`k${rng.int(3)}`]: other() };
    if (rng.int(8) === 0) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    return { ...value, [key]: changed(value[key], values, rng, depth + 1) };
  }
  return other();
}
