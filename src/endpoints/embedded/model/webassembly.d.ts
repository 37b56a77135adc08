/** The part of WebAssembly used here: Node has it, but its types come only with the DOM library, which is not ours. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
    private readonly brand;
  }
  class Memory {
    constructor(descriptor: { initial: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
