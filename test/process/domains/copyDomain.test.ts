import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { copiedDomains, copyDomain } from '../../../src/features/domains/node/copyDomain.ts';
import { dist } from '../../support/built.ts';

const folders = ['domains/shipped', 'benchmarks/recipes', 'benchmarks/storekeeper'];
const sourceOf = (file: string): URL =>
  folders.map((folder) => new URL(`../../../src/${folder}/${file}`, import.meta.url)).find((url) => existsSync(url)) ??
  assert.fail(`${file} has a source`);

describe('a copy of a domain that ships', () => {
  for (const name of copiedDomains)
    it(`has the files of ${name}, and leaves what is there`, async () => {
      const dir = await mkdtemp(join(tmpdir(), 'genenv-copy-'));
      try {
        const paths = await copyDomain(name, join(dir, 'a'), dist);
        for (const path of paths) {
          const source = sourceOf(basename(path));
          assert.equal(await readFile(path, 'utf8'), await readFile(source, 'utf8'));
        }
        const [first = ''] = paths;
        await writeFile(first, 'mine');
        await assert.rejects(copyDomain(name, join(dir, 'a'), dist), { code: 'EEXIST' });
        assert.equal(await readFile(first, 'utf8'), 'mine');
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    });
});
