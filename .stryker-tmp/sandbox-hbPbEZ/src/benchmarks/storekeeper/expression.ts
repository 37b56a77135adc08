/** A value as a request words it; `same` is the value of the last step that had one. */
export type Expression =
  | { kind: 'number'; n: number }
  | { kind: 'plus' | 'minus'; left: number; right: number }
  | { kind: 'twice'; n: number }
  | { kind: 'same' };

export function expressionWords(value: Expression): string[] {
  switch (value.kind) {
    case 'number':
      return [String(value.n)];
    case 'plus':
    case 'minus':
      return [String(value.left), value.kind, String(value.right)];
    case 'twice':
      return ['twice', String(value.n)];
    case 'same':
      return ['same'];
  }
}

/**
 * The number an expression stands for, in or out of the language's range.
 * @param previous value of the last step that had one; null when none had
 * @returns null for a `same` that has nothing to refer to
 */
export function amountOf(value: Expression, previous: number | null): number | null {
  switch (value.kind) {
    case 'number':
      return value.n;
    case 'plus':
      return value.left + value.right;
    case 'minus':
      return value.left - value.right;
    case 'twice':
      return value.n * 2;
    case 'same':
      return previous;
  }
}
