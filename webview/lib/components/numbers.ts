/** Numbers as they are typed and stepped. Pure. */

/** `1,000`: both a thousand and one, by where its writer is from. */
const groups = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$/;

/** Of a text that may mean two numbers, both: by its groups, and by its comma. Null of any other. */
export function twoReadings(text: string, whole: boolean): [number, number] | null {
  const trimmed = text.trim();
  if (whole || !groups.test(trimmed) || !/^[^.,]+,\d{3}$/.test(trimmed)) return null;
  return [Number(trimmed.replace(',', '')), Number(trimmed.replace(',', '.'))];
}

/**
 * Null for an empty text, undefined for one that is no number, or may be two. Accepts a decimal comma, and groups of
 * digits where the number is whole.
 */
export function numberOf(text: string, whole: boolean): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (twoReadings(text, whole) !== null) return undefined;
  if (whole && groups.test(trimmed)) return Number(trimmed.replaceAll(/[.,]/g, ''));
  const value = Number(/^-?\d*,\d+$/.test(trimmed) ? trimmed.replace(',', '.') : trimmed);
  return Number.isFinite(value) ? value : undefined;
}

/** The value one step on; without the digits that binary fractions leave behind. */
export function stepped(value: number, direction: number, step: number | 'ratio', far: boolean): number {
  if (step !== 'ratio') {
    const places = Math.max(decimals(step), decimals(value));
    return Number((value + direction * step * (far ? 10 : 1)).toFixed(Math.min(100, places)));
  }
  if (value <= 0) return direction > 0 ? 1 : value;
  let next = value;
  for (let i = 0; i < (far ? 3 : 1); i++) next = neighbour(next, direction);
  return next;
}

const decimals = (value: number): number => {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
};

/** The next of … 0.5, 1, 2, 5, 10, 20 … */
function neighbour(value: number, direction: number): number {
  const power = Math.floor(Math.log10(value) + 1e-9);
  const rungs = [power - 1, power, power + 1].flatMap((at) => [1, 2, 5].map((digit) => Number(`${digit}e${at}`)));
  const found =
    direction > 0
      ? rungs.find((rung) => rung > value * (1 + 1e-9))
      : rungs.findLast((rung) => rung < value * (1 - 1e-9));
  return found ?? value;
}
