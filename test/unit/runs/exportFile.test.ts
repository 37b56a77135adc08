import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportFile } from '../../../src/runs/export/exportFile.ts';

describe('what is exported', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-export-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('is a whole file, or none', async () => {
    const file = join(dir, 'file');
    await exportFile(file, (out) => Promise.resolve(void out.write('whole')));
    assert.equal(await readFile(file, 'utf8'), 'whole');
    const broken = exportFile(join(dir, 'broken'), () => Promise.reject(new Error('broke off')));
    await assert.rejects(broken, /broke off/);
    assert.deepEqual(await readdir(dir), ['file']);
  });
});
