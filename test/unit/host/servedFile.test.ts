import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOfFile } from '../../../src/host/feedback/servedFile.ts';
import { until } from '../../support/until.ts';

describe('a file that is served to a browser of another machine', () => {
  let folder = '';
  let file = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genenv-served-'));
    file = join(folder, 'report.html');
    await writeFile(file, '<!doctype html>p̂');
  });
  after(() => rm(folder, { recursive: true }));

  it('is at an address of this machine alone, the same for the same file, as it is now', async () => {
    const address = await addressOfFile(file, 60_000);
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
    assert.equal(await addressOfFile(file), address);
    const answer = await fetch(`${address}?tkn=1`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(answer.headers.get('content-security-policy'), "frame-ancestors 'none'");
    assert.equal(await answer.text(), '<!doctype html>p̂');
    await writeFile(file, 'anew');
    assert.equal(await (await fetch(address)).text(), 'anew');
  });

  it('gives nothing else: no other path, no file beside it, nothing but GET', async () => {
    const address = await addressOfFile(file);
    const { origin } = new URL(address);
    for (const path of ['/', '/report.html', '/..%2f..%2fetc/passwd'])
      assert.equal((await fetch(`${origin}${path}`)).status, 404, path);
    assert.equal((await fetch(`${address}report.html`)).status, 404);
    assert.equal((await fetch(address, { method: 'POST', body: 'x' })).status, 404);
  });

  it('says that it is gone once it is, and is served no more after its time', async () => {
    const gone = join(folder, 'gone.html');
    const address = await addressOfFile(gone, 50);
    const answer = await fetch(address);
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /ENOENT/);
    await until('another address', async () => (await addressOfFile(gone, 50)) !== address);
    await assert.rejects(fetch(address));
  });
});
