import type { Terminal } from '../terminal.ts';
import { Painter } from './painter.ts';

/** Milliseconds from one drawing to the next. */
const pause = 100;

/** How far a command is, on a terminal; elsewhere nobody watches. */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #painter: Painter;
  #drawn = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#painter = new Painter(terminal.err);
  }

  /** `last`: drawn however soon after the one before. */
  show(text: string, last: boolean): void {
    const now = this.#terminal.now();
    if (!this.#terminal.err.isTTY || (now - this.#drawn < pause && !last)) return;
    this.#drawn = now;
    this.#painter.draw([text]);
  }

  end(): void {
    this.#painter.finish();
  }
}
