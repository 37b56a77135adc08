import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { copiedDomains, copyDomain } from '../../../src/launch/copyDomain.ts';
import { dist } from '../../support/built.ts';

describe('a copy of a domain that ships', () => {
  for (const name of copiedDomains)
    it(`has the files of ${name}, and leaves what is there`, async () => {
      const dir = await mkdtemp(join(tmpdir(), 'genenv-copy-'));
      try {
        const paths = await copyDomain(name, join(dir, 'a'), dist);
        for (const path of paths) {
          const source = new URL(`../../../src/domains/shipped/${basename(path)}`, import.meta.url);
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
