/** Lines of a text that arrives in pieces. Unreasonably long lines are skipped, not held. */
import * as l10n from '@vscode/l10n';
import { count } from '../../shared/text/figures/numbers.ts';

/** In characters. A trace of a million tokens with their logprobs takes a third of it. */
export const longestLine = 2 ** 26;

/** `text`: null for a line that is longer than `longestLine`; `at`: its number, from 1. */
export interface TextLine {
  text: string | null;
  at: number;
  /** In characters. */
  length: number;
}

export async function* textLines(pieces: AsyncIterable<string>, longest = longestLine): AsyncGenerator<TextLine> {
  let carried: string[] = [];
  let length = 0;
  let at = 0;
  const take = (piece: string): void => {
    length += piece.length;
    if (length > longest) carried = [];
    else carried.push(piece);
  };
  const end = (): TextLine => {
    at += 1;
    const line = { text: length > longest ? null : carried.join(''), at, length };
    carried = [];
    length = 0;
    return line;
  };
  for await (const piece of pieces) {
    let start = 0;
    for (let next = piece.indexOf('\n'); next !== -1; next = piece.indexOf('\n', start)) {
      take(piece.slice(start, next));
      yield end();
      start = next + 1;
    }
    take(piece.slice(start));
  }
  yield end();
}

/** A record that is longer than a line may be. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
  readonly reason = 'too-long';

  constructor(length: number) {
    super(tooLong(length));
  }
}

export const tooLong = (length: number): string =>
  l10n.t('the line has {0} characters, and at most {1} are read', count(length), count(longestLine));
