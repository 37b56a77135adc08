/** The extension's page, as it is packaged. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withoutDeadLinks } from '../../../scripts/vscode/packageExtension.ts';

describe('the page of the packaged extension', () => {
  it('links to addresses alone, and keeps the words of other links', async () => {
    const page = await readFile(fileURLToPath(new URL('../../../docs/extension.md', import.meta.url)), 'utf8');
    const shown = withoutDeadLinks(page);
    const links = [...shown.matchAll(/\]\(([^)]*)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length > 0);
    for (const link of links) assert.match(link, /^https:/);
    assert.match(shown, /\(rewards\.md\)/);
  });
});
