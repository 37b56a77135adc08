/** A file that is replaced in one step: who may read and write it, and what lies beside it. */
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWhole } from '../../../src/endpoints/wholeFile.ts';
import { intoPlace } from '../../../src/runs/export/intoPlace.ts';
import { nodeFiles } from '../../../src/runs/files/fileOperations.ts';
import { skip } from '../../support/skip.ts';

const ways: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'of a run': (path) => nodeFiles.replace(path, 'new'),
  'of a server, and of asked samples': (path) => writeWhole(path, 'new'),
  'by an export': (path) =>
    intoPlace(path, (unfinished) => {
      writeFileSync(unfinished, 'new');
      return Promise.resolve(null);
    }),
};

describe('a replaced file', () => {
  for (const [name, replace] of Object.entries(ways))
    it(`is readable and writable by those who could before: ${name}`, async function () {
      if (process.platform === 'win32') skip(this, 'modes of files');
      const folder = await mkdtemp(join(tmpdir(), 'genenv-mode-'));
      try {
        const path = join(folder, 'some.tasks.jsonl');
        for (const mode of [0o600, 0o664, 0o640]) {
          await writeFile(path, 'old');
          await chmod(path, mode);
          await replace(path);
          assert.deepEqual([(await stat(path)).mode & 0o777, await readFile(path, 'utf8')], [mode, 'new']);
        }
        const [fresh, usual] = [join(folder, 'fresh'), join(folder, 'usual')];
        await replace(fresh);
        await writeFile(usual, 'new');
        assert.equal((await stat(fresh)).mode, (await stat(usual)).mode);
        assert.deepEqual((await readdir(folder)).sort(), ['fresh', 'some.tasks.jsonl', 'usual']);
      } finally {
        await rm(folder, { recursive: true });
      }
    });

  it('is one of those that a process writes at once, whole', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-replaced-'));
    try {
      const texts = Array.from({ length: 8 }, (_, i) => String(i).repeat(100_000));
      const [replaced, exported] = [join(folder, 'replaced'), join(folder, 'exported')];
      await Promise.all(
        texts.flatMap((text) => [
          nodeFiles.replace(replaced, text),
          intoPlace(exported, (unfinished) => writeFile(unfinished, text)),
        ]),
      );
      for (const path of [replaced, exported]) assert.ok(texts.includes(await readFile(path, 'utf8')), path);
      assert.deepEqual((await readdir(folder)).sort(), ['exported', 'replaced']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('leaves nothing beside it where it cannot be moved there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-taken-'));
    try {
      await mkdir(join(folder, 'taken', 'inside'), { recursive: true });
      await assert.rejects(nodeFiles.replace(join(folder, 'taken'), 'text'));
      assert.deepEqual(await readdir(folder), ['taken']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
