/** The vectors of test/unit/features/study, made anew by the SciPy and statsmodels that this machine has. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { skip } from '../../../support/skip.ts';

const folder = new URL('../../../unit/features/study/', import.meta.url);

describe('SciPy and statsmodels, where Python has them', () => {
  it('still say what vectors.json holds', function () {
    const python = process.env['GENENV_TEST_PYTHON'] ?? 'python3';
    const { status, stdout } = spawnSync(python, [fileURLToPath(new URL('vectors.py', folder))], { encoding: 'utf8' });
    if (status !== 0) return skip(this, 'Python has no SciPy and statsmodels');
    const numbersOf = (text: string): number[] =>
      [...JSON.stringify(z.json().parse(JSON.parse(text))).matchAll(/-?\d+(\.\d+)?(e[+-]?\d+)?/g)].map(([n]) =>
        Number(n),
      );
    const [kept, now] = [numbersOf(readFileSync(new URL('vectors.json', folder), 'utf8')), numbersOf(stdout)];
    assert.equal(now.length, kept.length);
    for (const [i, value] of now.entries()) {
      assert.ok(Math.abs(value - (kept[i] ?? NaN)) < 1e-6 * Math.max(1, Math.abs(value)), `number ${i}: ${value}`);
    }
  });
});
