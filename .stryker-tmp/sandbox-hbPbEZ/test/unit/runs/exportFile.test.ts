import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportFile } from '../../../src/runs/export/exportFile.ts';

describe('what is exported', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-export-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('goes into a pipe as it is, and never takes its place', async function () {
    if (process.platform === 'win32') return this.skip();
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [read] = await Promise.all([
      readFile(pipe, 'utf8'),
      exportFile(pipe, (out) => Promise.resolve(void out.write('a line\n'))),
    ]);
    assert.equal(read, 'a line\n');
    assert.ok((await stat(pipe)).isFIFO());
    assert.deepEqual(await readdir(dir), ['pipe']);
  });

  it('is a whole file, or none', async () => {
    const file = join(dir, 'file');
    await exportFile(file, (out) => Promise.resolve(void out.write('whole')));
    assert.equal(await readFile(file, 'utf8'), 'whole');
    const broken = exportFile(join(dir, 'broken'), () => Promise.reject(new Error('broke off')));
    await assert.rejects(broken, /broke off/);
    assert.deepEqual(await readdir(dir), ['file']);
  });
});
