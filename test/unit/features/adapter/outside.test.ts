import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataError } from '../../../../src/launch/adapters/dataError.ts';
import { checkAdapter } from '../../../../src/launch/adapters/checkAdapter.ts';
import { adapterSchema, type Adapter } from '../../../../src/shared/adapters/schema.ts';

const adapterOf = (files: string, beside?: string): Adapter =>
  adapterSchema.parse({
    ...{ version: 1, name: 'mine' },
    data: {
      ...{ folder: 'data', obtain: 'Ask its authors.', format: 'jsonl', splits: { test: { files: [files] } } },
      ...(beside === undefined ? {} : { join: { more: { kind: 'beside', file: beside } } }),
    },
    task: { id: '/record/id', prompt: [{ role: 'user', content: '/record/q' }], gold: '/record/q' },
    answer: { kind: 'text' },
    scorer: { kind: 'exact', compare: 'exact' },
  });

describe('the data of an adapter outside of its folder', () => {
  let home: string;
  let folder: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'genenv-outside-'));
    folder = join(home, 'data');
    await mkdir(join(folder, 'real'), { recursive: true });
    await mkdir(join(home, 'secret'));
    const line = '{"id": "a", "q": "b"}\n';
    for (const file of ['secret/keys.jsonl', 'data/own.jsonl', 'data/real/one.jsonl'])
      await writeFile(join(home, file), line);
    await symlink(join(home, 'secret'), join(folder, 'linked'));
    await symlink(join(home, 'secret', 'keys.jsonl'), join(folder, 'keys.jsonl'));
    await symlink(join(folder, 'real', 'one.jsonl'), join(folder, 'near.jsonl'));
  });
  after(() => rm(home, { recursive: true, force: true }));

  /** `refused`, or how many records were read. */
  async function read(adapter: Adapter, outside = false): Promise<string> {
    const checking = checkAdapter(adapter, folder, { signal: new AbortController().signal, outside });
    try {
      for (;;) {
        const next = await checking.next();
        if (next.done === true) return String(next.value.splits[0]?.records);
      }
    } catch (error) {
      assert.ok(error instanceof DataError && error.reason === 'outside', String(error));
      assert.match(error.remedy, /--outside/);
      return 'refused';
    }
  }

  for (const files of [
    '../secret/keys.jsonl',
    '{..,real}/secret/*.jsonl',
    'linked/keys.jsonl',
    'keys.jsonl',
    'key?.jsonl',
  ]) {
    it(`is not read by ${files}, unless a person allows it`, async () => {
      assert.equal(await read(adapterOf(files)), 'refused');
      // Braces begin below the folder itself.
      if (!files.startsWith('{')) assert.notEqual(await read(adapterOf(files), true), 'refused');
    });
  }

  it('is not read by a path from the root', async () => {
    assert.equal(await read(adapterOf(join(home, 'secret', 'keys.jsonl'))), 'refused');
  });

  it('is not read as a file beside a record', async () => {
    assert.equal(await read(adapterOf('own.jsonl', '../secret/keys.jsonl')), 'refused');
    assert.equal(await read(adapterOf('own.jsonl', 'keys.jsonl')), 'refused');
    assert.equal(await read(adapterOf('own.jsonl', '../secret/keys.jsonl'), true), '1');
  });

  it('is read through links that stay inside', async () => {
    assert.equal(await read(adapterOf('near.jsonl')), '1');
    assert.equal(await read(adapterOf('{own,near}.jsonl')), '2');
  });
});
