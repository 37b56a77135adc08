/** Whole numbers that no double holds: ids, golds and arguments of calls keep every digit. */

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as this text (ECMAScript's "JSON.parse source text access"). */
    rawJSON(text: string): object;
  }
}

/** One beyond 2^53, positive or negative. Texts and JSON have its digits; arithmetic rounds it. */
export class LongInteger {
  readonly digits: string;

  /** @param digits as JSON has them */
  constructor(digits: string) {
    this.digits = digits;
  }

  get exact(): bigint {
    return BigInt(this.digits);
  }

  toString(): string {
    return this.digits;
  }

  toJSON(): object {
    return JSON.rawJSON(this.digits);
  }

  [Symbol.toPrimitive](hint: string): string | number {
    return hint === 'string' ? this.digits : Number(this.digits);
  }
}

/** A whole number as JSON with long integers has it. */
export function wholeNumber(value: bigint): number | LongInteger {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : new LongInteger(String(value));
}

/** The same value as `JSON.parse` has it, long integers rounded: for what knows plain JSON alone. */
export function rounded(value: unknown): unknown {
  if (value instanceof LongInteger) return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
}

/** Whether there is one anywhere in a JSON value. */
export function hasLongIntegers(value: unknown): boolean {
  if (value instanceof LongInteger) return true;
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some(hasLongIntegers);
}
