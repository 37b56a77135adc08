/** Code that a page waits for before it draws anything. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modulesOf, pages } from '../../../scripts/pages.mjs';
import { dist } from '../../support/built.ts';

const folder = fileURLToPath(new URL('webviews/', dist));

describe('a page', () => {
  for (const name of pages) {
    it(`${name} loads at most 350 kB at once`, () => {
      const bytes = modulesOf(folder, name, 'at once').reduce(
        (sum, file) => sum + statSync(join(folder, file)).size,
        0,
      );
      assert.ok(bytes <= 350_000, `${bytes} bytes`);
    });
  }
});
