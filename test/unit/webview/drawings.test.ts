import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { ownColours } from '../../support/ownColours.ts';

const root = new URL('../../../', import.meta.url).pathname;

describe('the walkthrough’s drawings', () => {
  it('take our own colours: of the editor’s for charts some are translucent', async () => {
    const own = Object.keys(ownColours('dark'));
    const files = await Array.fromAsync(glob('media/walkthrough/*.svg', { cwd: root }));
    assert.ok(files.length >= 5, `${files.length} drawings`);
    for (const file of files) {
      const text = await readFile(`${root}${file}`, 'utf8');
      assert.doesNotMatch(text, /--vscode-charts-/, file);
      for (const [, name = ''] of text.matchAll(/--vscode-genenv-(\w+)/g))
        assert.ok(own.includes(name), `${file}: ${name}`);
    }
  });

  it('and so do the icons of trees and documents', async () => {
    for await (const file of glob('src/host/**/*.ts', { cwd: root })) {
      const text = await readFile(`${root}${file}`, 'utf8');
      assert.doesNotMatch(text, /charts\.(?!blue\b)\w+'/, file);
    }
  });
});
