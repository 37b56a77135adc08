/** Bump allocation over the kernels' memory: everything is laid out once, then the memory grows to fit and stays. */
const pageBytes = 65_536;

export class Arena {
  #next: number;

  constructor(start: number) {
    this.#next = start;
  }

  /** Byte offset of room for `count` 4-byte values, on a cache line. */
  words(count: number): number {
    const at = (this.#next + 63) & ~63;
    this.#next = at + count * 4;
    return at;
  }

  /** Grows `memory` to hold everything laid out; views made afterwards stay valid. */
  commit(memory: WebAssembly.Memory): void {
    const pages = Math.ceil((this.#next + 64) / pageBytes) - memory.buffer.byteLength / pageBytes;
    if (pages > 0) memory.grow(pages);
  }
}
