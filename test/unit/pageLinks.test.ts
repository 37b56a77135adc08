/** Links of the repository’s pages. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('a page of the repository', () => {
  it('leads to files that are there', async () => {
    const pages = await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { cwd: root }));
    const missing = [];
    let links = 0;
    for (const page of pages.filter((name) => name !== 'CHANGELOG.md')) {
      for (const [, link = ''] of readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#\s:]+)[)#]/g)) {
        links += 1;
        if (!existsSync(join(root, dirname(page), link))) missing.push(`${page}: ${link}`);
      }
    }
    assert.ok(links > 50);
    assert.deepEqual(missing, []);
  });
});
