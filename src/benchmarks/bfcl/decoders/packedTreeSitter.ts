/** Tree-sitter as it ships: compressed, since it is a seventh of the extension's package. */
import { brotliDecompressSync } from 'node:zlib';

/** In the folder of built files. */
export const packedTreeSitter = 'treeSitter.wasm.br';

export const unpacked = (packed: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(brotliDecompressSync(packed));
