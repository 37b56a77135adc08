/**
 * The one gate to a terminal. Text of files, models and servers is shown, never obeyed: a plain string is made visible on its
 * way in, and colours, cursor moves and JSON are pieces that only this file makes.
 */
import { jsonWithMarksEscaped, withMarksShown } from '../../shared/text/hiddenMarks.ts';

/** The terminal's own sixteen colours, so that its theme decides. On and off. */
const looks = {
  bold: [1, 22],
  dim: [2, 22],
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  accent: [36, 39],
} as const;
export type Look = keyof typeof looks;

const moves = {
  hideCursor: '\u001B[?25l',
  showCursor: '\u001B[?25h',
  clearToLineEnd: '\u001B[K',
  clearBelow: '\u001B[J',
  toLineStart: '\r',
  /** Terminals with synchronised output draw everything between the two at once; others ignore them. */
  beginWhole: '\u001B[?2026h',
  endWhole: '\u001B[?2026l',
} as const;

interface Piece {
  /** Words are visible already. */
  readonly kind: 'words' | 'json' | 'move';
  readonly text: string;
  readonly looks: readonly Look[];
}

export type Printable = string | Styled;

export class Styled {
  readonly #pieces: readonly Piece[];

  private constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces.filter(({ text }) => text !== '');
  }

  static of(text: Printable): Styled {
    if (text instanceof Styled) return text;
    return new Styled([{ kind: 'words', text: withMarksShown(text), looks: [] }]);
  }

  static joined(parts: readonly Printable[]): Styled {
    return new Styled(parts.flatMap((part) => Styled.of(part).#pieces));
  }

  /** JSON that `JSON.stringify` made: exact in a file or pipe, with escapes on a terminal. */
  static json(text: string): Styled {
    return new Styled([{ kind: 'json', text, looks: [] }]);
  }

  static move(name: keyof typeof moves): Styled {
    return new Styled([{ kind: 'move', text: moves[name], looks: [] }]);
  }

  static up(rows: number): Styled {
    return new Styled([{ kind: 'move', text: rows === 0 ? '' : `\u001B[${Math.floor(rows)}A`, looks: [] }]);
  }

  as(look: Look): Styled {
    return new Styled(this.#pieces.map((piece) => ({ ...piece, looks: [look, ...piece.looks] })));
  }

  /** Its words changed, piece by piece from the start. */
  changed(change: (visible: string) => string): Styled {
    return new Styled(
      this.#pieces.map((piece) =>
        piece.kind === 'words' ? { ...piece, text: withMarksShown(change(piece.text)) } : piece,
      ),
    );
  }

  trimmedEnd(): Styled {
    const pieces = [...this.#pieces];
    for (let last = pieces.pop(); last !== undefined; last = pieces.pop()) {
      const text = last.text.trimEnd();
      if (text !== '') return new Styled([...pieces, { ...last, text }]);
    }
    return new Styled([]);
  }

  /** The plain text, without styles. */
  toString(): string {
    return this.#pieces.map(({ kind, text }) => (kind === 'move' ? '' : text)).join('');
  }

  /** The bytes for a stream. */
  bytesFor({ isTTY, colours }: { isTTY: boolean; colours: boolean }): string {
    return this.#pieces
      .map(({ kind, text, looks: worn }) => {
        if (kind === 'move') return text;
        if (kind === 'json') return isTTY ? jsonWithMarksEscaped(text) : text;
        return colours ? worn.reduceRight((inner, look) => sgr(look, inner), text) : text;
      })
      .join('');
  }
}

function sgr(look: Look, text: string): string {
  const [on, off] = looks[look];
  return `\u001B[${on}m${text}\u001B[${off}m`;
}

/** A template whose parts keep their looks. */
export function styled(texts: TemplateStringsArray, ...values: readonly (Printable | number)[]): Styled {
  return Styled.joined(
    texts.flatMap((text, at) => {
      const value = values[at];
      return value === undefined ? [text] : [text, typeof value === 'number' ? String(value) : value];
    }),
  );
}

/** Text of which a line break would make another line look like ours. */
export const onOneLine = (text: Printable): Styled =>
  Styled.of(text).changed((visible) => visible.replaceAll('\n', '␊').replaceAll('\t', ' '));

export function joinedBy(separator: Printable, parts: readonly Printable[]): Styled {
  return Styled.joined(parts.flatMap((part, at) => (at === 0 ? [part] : [separator, part])));
}
