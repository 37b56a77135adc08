/** Who may read and write a file that is replaced in one step. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFiles } from '../../../src/runs/files/fileOperations.ts';
import { skip } from '../../support/skip.ts';

describe('a replaced file', () => {
  it('is readable and writable by those who could before', async function () {
    if (process.platform === 'win32') skip(this, 'modes of files');
    const folder = await mkdtemp(join(tmpdir(), 'genenv-mode-'));
    try {
      const path = join(folder, 'some.tasks.jsonl');
      for (const mode of [0o600, 0o664, 0o640]) {
        await writeFile(path, 'old');
        await chmod(path, mode);
        await nodeFiles.replace(path, 'new');
        assert.deepEqual([(await stat(path)).mode & 0o777, await readFile(path, 'utf8')], [mode, 'new']);
      }
      const [fresh, usual] = [join(folder, 'fresh'), join(folder, 'usual')];
      await nodeFiles.replace(fresh, 'new');
      await writeFile(usual, 'new');
      assert.equal((await stat(fresh)).mode, (await stat(usual)).mode);
      assert.deepEqual((await readdir(folder)).sort(), ['fresh', 'some.tasks.jsonl', 'usual']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
