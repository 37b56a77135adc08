import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('texts for translators', () => {
  it('on disk are those of the code: npm run l10n', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-l10n-'));
    try {
      const cli = join(root, 'node_modules', '@vscode', 'l10n-dev', 'dist', 'cli.js');
      await promisify(execFile)(process.execPath, [cli, 'export', '--outDir', folder, './src', './webview'], {
        cwd: root,
      });
      const [made, kept] = await Promise.all(
        [folder, join(root, 'l10n')].map((dir) => readFile(join(dir, 'bundle.l10n.json'), 'utf8')),
      );
      assert.equal(kept, made);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
