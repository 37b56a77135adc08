/** A text and its bytes in UTF-8. */
export class EncodedText {
  readonly bytes: Uint8Array;
  readonly #text: string;
  readonly #isAscii: boolean;

  constructor(text: string) {
    this.#text = text;
    this.bytes = new TextEncoder().encode(text);
    this.#isAscii = this.bytes.length === text.length;
  }

  /** What these bytes say. */
  decoded(start: number, end: number): string {
    return this.#isAscii ? this.#text.slice(start, end) : new TextDecoder().decode(this.bytes.subarray(start, end));
  }

  /** The characters with these numbers: what Python gives when it is asked for characters by the numbers of bytes. */
  characters(start: number, end: number): string {
    return this.#isAscii ? this.#text.slice(start, end) : Array.from(this.#text).slice(start, end).join('');
  }
}
