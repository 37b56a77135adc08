/** Redraws a block of lines in place at the end of a terminal, without flicker. */
import { displayWidth } from '../text/displayWidth.ts';
import type { Stream } from '../terminal.ts';
import { Styled, styled, type Printable } from '../text/styled.ts';

const begin = Styled.move('beginWhole');
const end = Styled.move('endWhole');
const clearBelow = Styled.move('clearBelow');

export class Painter {
  readonly #stream: Stream;
  #drawn: readonly Printable[] = [];
  #hidden = false;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** Puts these lines in place of the last ones. */
  draw(lines: readonly Printable[]): void {
    const hide = this.#hidden ? '' : Styled.move('hideCursor');
    this.#hidden = true;
    this.#stream.write(styled`${begin}${hide}${this.#back()}${rows(lines)}${clearBelow}${end}`);
    this.#drawn = lines;
  }

  /** Text above the block, which stays. */
  above(text: Printable): void {
    this.#stream.write(styled`${begin}${this.#back()}${clearBelow}${text}${rows(this.#drawn)}${end}`);
  }

  /** Leaves the last block where it is and gives the cursor back. */
  finish(): void {
    if (this.#hidden) this.#stream.write(Styled.move('showCursor'));
    this.#hidden = false;
    this.#drawn = [];
  }

  /** To the block's first cell. A terminal that became narrower has broken its lines into more rows. */
  #back(): Styled {
    const { columns } = this.#stream;
    const height = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
    return Styled.joined([Styled.move('toLineStart'), Styled.up(height)]);
  }
}

const rows = (lines: readonly Printable[]): Styled =>
  Styled.joined(lines.map((line) => styled`${line}${Styled.move('clearToLineEnd')}\n`));
