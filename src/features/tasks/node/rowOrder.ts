/** Rows in order of a number or a text, in slices: an extension host serves every extension. */
import { Breather } from '../../../runs/files/breather.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

const digits = 2 ** 16;
/** Rows between two looks at the clock: a pass over a million of them holds the thread for long. */
const slice = 2 ** 15;

/**
 * Rows by ascending key, those of one key in the order given; NaN comes last either way.
 * @param keys one number a row of the source
 */
export async function orderedBy(
  rows: Uint32Array,
  keys: ArrayLike<number>,
  descending: boolean,
): Promise<Uint32Array<ArrayBuffer>> {
  const { length } = rows;
  const words = new Uint32Array(2 * length);
  const double = new Float64Array(1);
  const bits = new Uint32Array(double.buffer);
  const slices = new Slices();
  await slices.each(length, (from, to) => {
    for (let i = from; i < to; i++) {
      const key = keys[rows[i] ?? outOfRange()] ?? NaN;
      // −0 and 0 are one key.
      double[0] = Number.isNaN(key) ? Infinity : (descending ? -key : key) + 0;
      const [low = 0, high = 0] = bits;
      const flipped = high >>> 31 === 1;
      words[2 * i] = flipped ? ~low : low;
      words[2 * i + 1] = flipped ? ~high : high ^ 0x80000000;
    }
  });
  let order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  let spare = new Uint32Array(length);
  for (const [word, shift] of [
    [0, 0],
    [0, 16],
    [1, 0],
    [1, 16],
  ] as const) {
    if (!(await pass(words, order, spare, word, shift, slices))) continue;
    [order, spare] = [spare, order];
  }
  await slices.each(length, (from, to) => {
    for (let i = from; i < to; i++) spare[i] = rows[order[i] ?? outOfRange()] ?? outOfRange();
  });
  return spare;
}

/** Work over many rows, some of them at a time. */
class Slices {
  readonly #breather = new Breather();

  async each(length: number, work: (from: number, to: number) => void): Promise<void> {
    for (let from = 0; from < length; from += slice) {
      await this.#breather.breathe();
      work(from, Math.min(length, from + slice));
    }
  }
}

/** One stable pass by 16 bits; false when all have the same, and nothing was moved. */
async function pass(
  words: Uint32Array,
  order: Uint32Array,
  into: Uint32Array,
  word: 0 | 1,
  shift: 0 | 16,
  slices: Slices,
): Promise<boolean> {
  const counts = new Uint32Array(digits);
  const { length } = order;
  const digitOf = (at: number): number => ((words[2 * at + word] ?? outOfRange()) >>> shift) & 0xffff;
  await slices.each(length, (from, to) => {
    for (let i = from; i < to; i++) {
      const digit = digitOf(i);
      counts[digit] = (counts[digit] ?? outOfRange()) + 1;
    }
  });
  if (length === 0 || counts[digitOf(0)] === length) return false;
  let sum = 0;
  for (let digit = 0; digit < digits; digit++) {
    const count = counts[digit] ?? outOfRange();
    counts[digit] = sum;
    sum += count;
  }
  await slices.each(length, (from, to) => {
    for (let i = from; i < to; i++) {
      const at = order[i] ?? outOfRange();
      const digit = digitOf(at);
      const place = counts[digit] ?? outOfRange();
      into[place] = at;
      counts[digit] = place + 1;
    }
  });
  return true;
}

/** How many texts are ordered at a time. */
const chunk = 1024;

/** The place of each of the first texts in ascending order, numbers inside them by their value; equal texts share a place. */
export async function ranksOf(texts: readonly string[], count: number): Promise<Float64Array> {
  const breather = new Breather();
  let runs: Uint32Array[] = [];
  for (let from = 0; from < count; from += chunk) {
    const rows = Uint32Array.from({ length: Math.min(chunk, count - from) }, (_, i) => from + i);
    rows.sort((a, b) => compareTexts(texts[a] ?? '', texts[b] ?? ''));
    runs.push(rows);
    await breather.breathe();
  }
  while (runs.length > 1) {
    const merged: Uint32Array[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const [left, right] = [runs[i], runs[i + 1]];
      if (left !== undefined) merged.push(right === undefined ? left : await merge(left, right, texts, breather));
    }
    runs = merged;
  }
  const ranks = new Float64Array(count);
  let rank = -1;
  let before: string | undefined;
  for (const [place, row] of (runs[0] ?? new Uint32Array()).entries()) {
    if ((place & 1023) === 0) await breather.breathe();
    const text = texts[row] ?? '';
    if (text !== before) rank += 1;
    before = text;
    ranks[row] = rank;
  }
  return ranks;
}

async function merge(
  left: Uint32Array,
  right: Uint32Array,
  texts: readonly string[],
  breather: Breather,
): Promise<Uint32Array> {
  const all = new Uint32Array(left.length + right.length);
  let [l, r] = [0, 0];
  for (let i = 0; i < all.length; i++) {
    if ((i & 1023) === 0) await breather.breathe();
    const [a, b] = [left[l], right[r]];
    const takesLeft = b === undefined || (a !== undefined && compareTexts(texts[a] ?? '', texts[b] ?? '') <= 0);
    all[i] = (takesLeft ? a : b) ?? 0;
    if (takesLeft) l += 1;
    else r += 1;
  }
  return all;
}

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

/** `e2.f10` after `e2.f9`. */
export function compareTexts(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(j)];
    if (isDigit(x) && isDigit(y)) {
      const [from, start] = [i, j];
      while (isDigit(a.charCodeAt(i))) i += 1;
      while (isDigit(b.charCodeAt(j))) j += 1;
      const difference = Number(a.slice(from, i)) - Number(b.slice(start, j));
      if (difference !== 0) return difference;
      continue;
    }
    if (x !== y) return x - y;
    i += 1;
    j += 1;
  }
  // `01` and `1` are two texts.
  return a.length - i - (b.length - j) || (a < b ? -1 : a > b ? 1 : 0);
}
