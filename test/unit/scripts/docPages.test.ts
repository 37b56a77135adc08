import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { docPages, studyPages } from '../../../scripts/docPages.ts';
import { unignored } from '../../../scripts/vscode/unignored.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Files that examples of help write. */
const written = new Set(['docs/curricula-study.md']);

describe('the pages of both packages', () => {
  it('are all that sources, help and messages name', async () => {
    const pages = new Set(await docPages(root));
    const sources = globSync(['{src,webview,media}/**/*.{ts,json,md,pyi,py}', 'package*.json'], { cwd: root });
    const named = sources.flatMap((file) =>
      [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/docs\/[\w/-]+\.(?:md|py)/g)].map(([page]) => page),
    );
    assert.ok(named.length > 50);
    const missing = [...new Set(named)].filter((page) => !pages.has(page) && !written.has(page));
    assert.deepEqual(missing, []);
  });

  it('lead to no page that is missing from them', async () => {
    const pages = await docPages(root);
    const missing = pages
      .filter((page) => page.endsWith('.md'))
      .flatMap((page) =>
        [...readFileSync(`${root}/${page}`, 'utf8').matchAll(/\]\((?!\w+:|#)([^)#\s]+\.(?:md|py))/g)].flatMap(
          ([, link = '']) => {
            const path = new URL(link, `file:///${page}`).pathname.slice(1);
            return [...pages, ...studyPages].includes(path) ? [] : [`${page}: ${path}`];
          },
        ),
      );
    assert.deepEqual(missing, []);
  });

  it('are in the extension, whose list of files names each', async () => {
    const files = await unignored(root);
    assert.deepEqual(
      (await docPages(root)).filter((page) => !files.includes(page)),
      [],
    );
  });
});
