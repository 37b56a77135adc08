/** Whether an argument is known from the conversation: an agent cannot be asked to find one that is not. */
import type { PythonValue } from '../python/value.ts';

const numberWords: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    0: ['zero', 'no'],
    1: ['one', 'a', 'an', 'single', 'first', 'once'],
    2: ['two', 'second', 'twice', 'double', 'couple', 'both'],
    3: ['three', 'third'],
    4: ['four', 'fourth'],
    5: ['five', 'fifth'],
    6: ['six', 'sixth'],
    7: ['seven', 'seventh', 'week'],
    8: ['eight', 'eighth'],
    9: ['nine', 'ninth'],
    10: ['ten', 'tenth'],
    11: ['eleven'],
    12: ['twelve', 'dozen', 'year'],
    20: ['twenty'],
    30: ['thirty'],
    50: ['fifty', 'half'],
    100: ['hundred'],
    1000: ['thousand'],
    1000000: ['million'],
  }),
);

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The text of a conversation, ready to be searched for values. */
export class Said {
  readonly #words: ReadonlySet<string>;
  /** First four letters, so that "flights" says "flight". */
  readonly #stems: ReadonlySet<string>;
  readonly #numbers: ReadonlySet<number>;
  readonly #letters: string;

  constructor(text: string) {
    const lower = text.toLowerCase();
    const words = wordsOf(lower);
    this.#words = new Set(words);
    this.#stems = new Set(words.map((word) => word.slice(0, 4)));
    // 1,100 may be one number, or two of a list.
    const texts = [lower, lower.replaceAll(/(?<=\d),(?=\d{3})/g, '')];
    this.#numbers = new Set(
      texts.flatMap((one) =>
        Array.from(one.matchAll(/(?<![\p{L}\d])\d+(?:\.\d+)?(?:e[-+]?\d+)?/gu), ([digits]) => Number(digits)),
      ),
    );
    this.#letters = words.join('');
  }

  /** Every leaf of a value: numbers by digits or words, dates by their parts, of texts more than half of the words. */
  says(value: PythonValue): boolean {
    if (value === null || typeof value === 'boolean') return true;
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.every((one) => this.says(one));
    if (value instanceof Map) return [...value.values()].every((one) => this.says(one));
    return this.#number(Number(value));
  }

  #number(value: number): boolean {
    const size = Math.abs(value);
    // 5 % may be 0.05, and 2 thousand 2000.
    const forms = [size, size * 100, size / 100, size / 1000, size / 1e6].map((one) => Number(one.toPrecision(12)));
    if (forms.some((one) => this.#numbers.has(one))) return true;
    return (numberWords.get(String(size)) ?? []).some((word) => this.#words.has(word));
  }

  #text(value: string): boolean {
    const date = /^(?:\d{4}[-/])?(\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::\d{2})?)?$/.exec(value.trim());
    // Parts that are not there are no number, and count as 0.
    if (date !== null) return this.#date(date.slice(1).map((part) => Number(part) || 0));
    const words = wordsOf(value.toLowerCase());
    if (words.length === 0) return true;
    const found = words.filter((word) => this.#word(word)).length;
    return found > words.length / 2 || this.#letters.includes(words.join(''));
  }

  #word(word: string): boolean {
    if (this.#words.has(word) || this.#words.has(word.replace(/s$/, ''))) return true;
    if (word.length >= 4 && this.#stems.has(word.slice(0, 4))) return true;
    return /^\d+(?:\.\d+)?$/.test(word) && this.#number(Number(word));
  }

  /** The year often goes without saying, as does an hour of nothing. */
  #date([month = 0, day = 0, hour = 0, minute = 0]: readonly number[]): boolean {
    const name = months[month - 1];
    const hasMonth =
      this.#numbers.has(month) || (name !== undefined && [...this.#words].some((w) => w.startsWith(name)));
    if (!hasMonth || !this.#number(day)) return false;
    const hours = hour === 0 || this.#number(hour) || this.#number(hour % 12) || this.#words.has('noon');
    return hours && (minute === 0 || this.#number(minute) || this.#words.has('half'));
  }
}

const wordsOf = (lower: string): string[] => lower.match(/\d+(?:\.\d+)?|\p{L}+/gu) ?? [];
