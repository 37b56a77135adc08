import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readNotes } from '../../../src/runs/records/notesFile.ts';

const child = fileURLToPath(new URL('../../support/runs/noteWriter.ts', import.meta.url));

describe('notes on turns', () => {
  it('of several processes at once are all there, each whole', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-notes-'));
    const path = join(folder, 'notes.jsonl');
    try {
      const writers = Array.from({ length: 3 }, (_, writer) => fork(child, [path, String(writer), '40']));
      for (const [code] of await Promise.all(writers.map((writer) => once(writer, 'exit')))) assert.equal(code, 0);
      const { threads, damaged } = await readNotes(path);
      assert.deepEqual(damaged, []);
      assert.equal(threads.length, 120);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
