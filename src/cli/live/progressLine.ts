import type { Terminal } from '../terminal.ts';
import { Painter } from './painter.ts';

/** Milliseconds from one drawing to the next. */
const pause = 100;
/** The same where lines stay: in logs. */
const longPause = 10_000;

/** How far a command is: a line that changes on a terminal, elsewhere a line every so often. */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #painter: Painter;
  #drawn = 0;
  #written = '';

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    if (!terminal.err.isTTY) this.#drawn = terminal.now();
    this.#painter = new Painter(terminal.err);
  }

  /** `last`: drawn however soon after the one before; in a log only where there was one. */
  show(text: string, last: boolean): void {
    const { err } = this.#terminal;
    const now = this.#terminal.now();
    const soon = now - this.#drawn < (err.isTTY ? pause : longPause);
    if (soon && !(last && (err.isTTY || this.#written !== ''))) return;
    this.#drawn = now;
    if (err.isTTY) this.#painter.draw([text]);
    else if (text !== this.#written) err.write(`${text}\n`);
    this.#written = text;
  }

  end(): void {
    this.#painter.finish();
  }
}
