/** The forms of sentences, as translators see them (`{0} of {1} families passed.`), found again from sentences that were made of them. */

interface Form {
  form: string;
  /** The text around the values, in order: one more than values. */
  literals: readonly string[];
  /** Of each value, its number in the form. */
  numbers: readonly number[];
}

interface Found {
  form: string;
  values: string[];
  /** Letters of the form itself. */
  own: number;
}

/** Letters around the values: with fewer, a form would fit sentences of other origin, unless its values are single words. */
const fewest = 10;
const word = /^\S+$/;

export class Forms {
  readonly #whole = new Set<string>();
  /** By how they begin, the longest first. */
  readonly #open = new Map<string, Form[]>();

  constructor(texts: readonly string[]) {
    for (const form of texts) {
      const [literals, numbers] = partsOf(form);
      if (numbers.length === 0) this.#whole.add(form);
      // Where two values touch, none can tell where one ends.
      else if (letters(literals) > 0 && !literals.slice(1, -1).includes(''))
        this.#list(beginning(literals[0] ?? '')).push({ form, literals, numbers });
    }
    for (const list of this.#open.values()) list.sort((a, b) => letters(b.literals) - letters(a.literals));
  }

  /** The form with the most words of its own that the sentence can be made of, and the values in it. */
  find(sentence: string): Found | null {
    if (this.#whole.has(sentence)) return { form: sentence, values: [], own: letters([sentence]) };
    for (const start of new Set([beginning(sentence), '']))
      for (const { form, literals, numbers } of this.#open.get(start) ?? []) {
        const between = valuesOf(sentence, literals);
        if (between === null || (letters(literals) < fewest && !between.every((value) => word.test(value)))) continue;
        const values: string[] = [];
        for (const [i, number] of numbers.entries()) values[number] = between[i] ?? '';
        return { form, values, own: letters(literals) };
      }
    return null;
  }

  #list(start: string): Form[] {
    const known = this.#open.get(start);
    if (known !== undefined) return known;
    const fresh: Form[] = [];
    this.#open.set(start, fresh);
    return fresh;
  }
}

function partsOf(form: string): [string[], number[]] {
  const pieces = form.split(/\{(\d)\}/);
  return [pieces.filter((_, i) => i % 2 === 0), pieces.filter((_, i) => i % 2 === 1).map(Number)];
}

const letters = (literals: readonly string[]): number => literals.join('').replaceAll(/\P{L}/gu, '').length;

/** The first word, where it is whole. */
const beginning = (text: string): string => /^\S+(?= )/.exec(text)?.[0] ?? '';

/** In linear time, as the sentence may hold a server's words: each value ends where the next literal first stands. */
function valuesOf(sentence: string, literals: readonly string[]): string[] | null {
  const [first = '', last = ''] = [literals[0], literals.at(-1)];
  const end = sentence.length - last.length;
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const literal of literals.slice(1, -1)) {
    const next = sentence.indexOf(literal, at + 1);
    if (next === -1) return null;
    values.push(sentence.slice(at, next));
    at = next + literal.length;
  }
  if (at >= end) return null;
  return [...values, sentence.slice(at, end)];
}
