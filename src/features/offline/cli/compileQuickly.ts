import { setFlagsFromString } from 'node:v8';

/** V8 versions with measurements; others keep their defaults. */
const measuredVersions = /^13\.6\./;

/**
 * Code is optimised by Maglev and not by TurboFan. `--liftoff-only` implies the last two when Node starts, but not later.
 */
const options = ['--no-turbofan', '--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/**
 * Turns off V8's slowest compilers, for code and for WebAssembly. Over ten thousand answers their threads cost more
 * processor time than they save; over eighty thousand the two are equal.
 */
export function compileQuickly(): void {
  if (measuredVersions.test(process.versions.v8)) for (const option of options) setFlagsFromString(option);
}
