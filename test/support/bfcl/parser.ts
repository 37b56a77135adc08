import { readFileSync } from 'node:fs';
import { treeSitter, type TreeSitter } from '../../../src/benchmarks/bfcl/decoders/treeSitter.ts';

const whole = new URL('../../../src/benchmarks/bfcl/grammars/treeSitter.wasm', import.meta.url);
let made: TreeSitter | null = null;

/** One for all tests of a process. */
export const parser = (): TreeSitter => (made ??= treeSitter(readFileSync(whole)));
