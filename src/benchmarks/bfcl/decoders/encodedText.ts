/** A text of which places are known in bytes of its UTF-8. */
export class EncodedText {
  readonly #text: string;
  readonly #isAscii: boolean;
  #bytes: Uint8Array | null = null;

  /** @param bytes how many it takes in UTF-8 */
  constructor(text: string, bytes: number) {
    this.#text = text;
    this.#isAscii = bytes === text.length;
  }

  /** Decodes these bytes. */
  decoded(start: number, end: number): string {
    if (this.#isAscii) return this.#text.slice(start, end);
    this.#bytes ??= new TextEncoder().encode(this.#text);
    return new TextDecoder().decode(this.#bytes.subarray(start, end));
  }

  /** The characters with these numbers: what Python gives when it is asked for characters by the numbers of bytes. */
  characters(start: number, end: number): string {
    return this.#isAscii ? this.#text.slice(start, end) : Array.from(this.#text).slice(start, end).join('');
  }
}
