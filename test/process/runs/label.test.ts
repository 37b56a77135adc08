import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noLabel, readLabel } from '../../../src/runs/store/runLabel.ts';

const child = fileURLToPath(new URL('../../support/runs/labelWriter.ts', import.meta.url));

describe('label of a run', () => {
  it('keeps the changes of several processes at once', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'genenv-label-'));
    try {
      const writers = ['name', 'note'].map((field) => fork(child, [dir, field, '40']));
      for (const [code] of await Promise.all(writers.map((writer) => once(writer, 'exit')))) assert.equal(code, 0);
      assert.deepEqual(await readLabel(dir), { ...noLabel, name: 'name 39', note: 'note 39' });
      assert.deepEqual(await readdir(dir), ['label.json']);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
