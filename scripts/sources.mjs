// The build's inputs: one fingerprint of names, sizes and times, so that a start can tell in a moment whether to build
// again.
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const inputs = [
  'src',
  'webview',
  'scripts/build.mjs',
  'scripts/cliBundle.mjs',
  'scripts/commonJsParts.mjs',
  'scripts/hostBundle.mjs',
  'scripts/pages.mjs',
  'scripts/vendor.mjs',
  'scripts/kernels.mjs',
  'scripts/tokenizers.ts',
  'package-lock.json',
];

/** @param {string} path @returns {string[]} */
function files(path) {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return [];
  if (!info.isDirectory()) return [`${path} ${info.size} ${info.mtimeMs}`];
  return readdirSync(path).flatMap((name) => files(join(path, name)));
}

/** Equal for equal sources. @param {string} root */
export function fingerprint(root) {
  const list = inputs.flatMap((name) => files(join(root, name))).sort();
  return createHash('sha256').update(list.join('\n')).digest('hex');
}

/** Where the build keeps the fingerprint it was made from. @param {string} root */
export const builtFrom = (root) => join(root, 'dist', '.built-from');
