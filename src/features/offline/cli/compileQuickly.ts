import { setFlagsFromString } from 'node:v8';

/** V8 versions that were measured so; others are left as they are. */
const measuredVersions = /^13\.6\./;

/**
 * Code is optimised by Maglev and not by TurboFan. `--liftoff-only` implies the last two when Node starts, but not later.
 */
const options = ['--no-turbofan', '--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/**
 * Leaves V8's slowest compilers out, for code and for WebAssembly. Over ten thousand answers their threads take more of the
 * processor than what they make gives back; over eighty thousand the two come to the same.
 */
export function compileQuickly(): void {
  if (measuredVersions.test(process.versions.v8)) for (const option of options) setFlagsFromString(option);
}
