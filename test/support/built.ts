/**
 * The output of `npm run build`, for tests of the shipped code. Refuses a build older than its sources, which would be
 * tested instead.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtFrom, fingerprint } from '../../scripts/sources.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

function made(): string {
  try {
    return readFileSync(builtFrom(root), 'utf8');
  } catch {
    return '';
  }
}

assert.equal(made(), fingerprint(root), 'dist is missing or older than its sources: run "npm run build" first.');

/** The build's folder. */
export const dist = new URL('../../dist/', import.meta.url);

/** The command line. */
export const cli = fileURLToPath(new URL('cli.js', dist));
