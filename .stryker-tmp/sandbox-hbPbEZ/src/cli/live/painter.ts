/** Redraws a block of lines in place at the end of a terminal, without flicker. */
import { displayWidth } from '../text/displayWidth.ts';
import type { Stream } from '../terminal.ts';

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const clearToLineEnd = '\u001B[K';
const clearBelow = '\u001B[J';
/** Terminals that know synchronised output show the block whole; the others ignore this. */
const begin = '\u001B[?2026h';
const end = '\u001B[?2026l';
const up = (rows: number): string => (rows === 0 ? '' : `\u001B[${rows}A`);

export class Painter {
  readonly #stream: Stream;
  #drawn: readonly string[] = [];
  #hidden = false;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** Puts these lines in place of the last ones. */
  draw(lines: readonly string[]): void {
    const hide = this.#hidden ? '' : hideCursor;
    this.#hidden = true;
    this.#stream.write(begin + hide + this.#back() + rows(lines) + clearBelow + end);
    this.#drawn = lines;
  }

  /** Text above the block, which stays. */
  above(text: string): void {
    this.#stream.write(begin + this.#back() + clearBelow + text + rows(this.#drawn) + end);
  }

  /** Leaves the last block where it is and gives the cursor back. */
  finish(): void {
    if (this.#hidden) this.#stream.write(showCursor);
    this.#hidden = false;
    this.#drawn = [];
  }

  /** To the block's first cell. A terminal that became narrower has broken its lines into more rows. */
  #back(): string {
    const { columns } = this.#stream;
    const height = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
    return `\r${up(height)}`;
  }
}

const rows = (lines: readonly string[]): string => lines.map((line) => `${line}${clearToLineEnd}\n`).join('');
