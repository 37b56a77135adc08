/** Links and words of the repository’s pages. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vagueWords } from '../../scripts/lint/syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = (await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { cwd: root }))).filter(
  (name) => name !== 'CHANGELOG.md',
);
/** docs/writing.md names the words itself. */
const written = pages.filter((name) => !name.endsWith('writing.md'));
/** Beside the words of strings, those of our own making; a figure is “told apart” or “told from” another. */
const vague = new RegExp(
  String.raw`\b(?:${vagueWords}|goes on|went on|ha(?:s|ve) no say|(?:is|are|was|were|and) told(?! (?:apart|from)))\b`,
  'i',
);

describe('a page of the repository', () => {
  it('leads to files that are there', () => {
    const missing = [];
    let links = 0;
    for (const page of pages) {
      for (const [, link = ''] of readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#\s:]+)[)#]/g)) {
        links += 1;
        if (!existsSync(join(root, dirname(page), link))) missing.push(`${page}: ${link}`);
      }
    }
    assert.ok(links > 50);
    assert.deepEqual(missing, []);
  });

  it('is plain English', () => {
    const found = written.flatMap((page) =>
      readFileSync(join(root, page), 'utf8')
        .split('\n')
        .flatMap((line, i) => (vague.test(line) ? [`${page}:${i + 1}: ${vague.exec(line)?.[0] ?? ''}`] : [])),
    );
    assert.deepEqual(found, []);
  });
});
