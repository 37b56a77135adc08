import * as l10n from '@vscode/l10n';

/** An index read past the end of an array: a mistake of this program, never of its input. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
  readonly reason = 'out-of-range';
}

/**
 * `values[i] ?? outOfRange()`: an index that is off by one fails where it is read, rather than count as 0. An operator and
 * no function over array and index, since one function for every kind of array makes V8 read ten times slower.
 * @throws IndexError always
 */
export function outOfRange(): never {
  throw new IndexError(l10n.t('An array was read past its end. This is a mistake in GenEnv; please report it.'));
}
