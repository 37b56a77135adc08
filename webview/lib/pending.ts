/** Typed text that is not in the file yet: pauses in typing, not keys, separate undo steps. */
import type { FieldEdit, JsonEdit } from '../../src/shared/experiment/text/textEdit.ts';

/** Milliseconds without a key after which typed text is committed. */
const pause = 400;

export interface PendingOptions<Edit extends JsonEdit = FieldEdit> {
  /** Puts edits into the document; resolves when the form has received the document after them. */
  send(edits: readonly Edit[]): Promise<void>;
  /** The pending text changed: show it. */
  changed(): void;
}

export class Pending<Edit extends JsonEdit = FieldEdit> {
  readonly #options: PendingOptions<Edit>;
  /** On their way into the document: shown until it says the same. */
  #sent: readonly (readonly Edit[])[] = [];
  #typed: readonly Edit[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PendingOptions<Edit>) {
    this.#options = options;
  }

  /** Everything that the document does not say yet. */
  get edits(): readonly Edit[] {
    return [...this.#sent.flat(), ...this.#typed];
  }

  /** Still being typed: waits for a pause. */
  later(edit: Edit): void {
    this.#put(edit);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), pause);
    this.#options.changed();
  }

  /** A choice was made: sent at once, with earlier typed text. */
  now(edit: Edit): void {
    this.#put(edit);
    this.flush();
  }

  /** Sends the typed text. */
  flush(): void {
    if (this.#typed.length === 0) return;
    const batch = this.#send();
    void this.#options.send(batch).finally(() => this.#arrived(batch));
    this.#options.changed();
  }

  /** Returns the typed text; the caller puts it into the document, and `arrived` confirms that. */
  take(): { edits: readonly Edit[]; arrived: () => void } {
    const batch = this.#send();
    return { edits: batch, arrived: () => this.#arrived(batch) };
  }

  /** Drops the typed text. True when there was some. */
  drop(): boolean {
    clearTimeout(this.#timer);
    if (this.#typed.length === 0) return false;
    this.#typed = [];
    this.#options.changed();
    return true;
  }

  #send(): readonly Edit[] {
    clearTimeout(this.#timer);
    const batch = this.#typed;
    this.#typed = [];
    this.#sent = [...this.#sent, batch];
    return batch;
  }

  #arrived(batch: readonly Edit[]): void {
    this.#sent = this.#sent.filter((one) => one !== batch);
    this.#options.changed();
  }

  #put(edit: Edit): void {
    const same = ({ path }: Edit): boolean => path.join('.') === edit.path.join('.');
    this.#typed = [...this.#typed.filter((one) => !same(one)), edit];
  }
}
