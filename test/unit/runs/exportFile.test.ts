import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
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

  it('leaves nothing where the file was not open yet when writing failed', async () => {
    const broken = Array.from({ length: 200 }, (_, n) =>
      assert.rejects(exportFile(join(dir, `broken-${n}`), () => Promise.reject(new Error('broke off')))),
    );
    await Promise.all(broken);
    await setImmediate();
    assert.deepEqual(await readdir(dir), []);
  });
});
