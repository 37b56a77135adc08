import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { LedgerFile } from '../../../src/endpoints/ledgerFile.ts';

describe('a ledger', () => {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-ledger-'));
  after(() => rmSync(folder, { recursive: true }));

  it('gets no line once another process writes the run', async () => {
    const path = join(folder, 'endpoints', 'a.jsonl');
    const fence = (): Promise<void> => Promise.reject(new Error('in use'));
    const ledger = await LedgerFile.open(path, z.string(), fence);
    await assert.rejects(ledger.add('one'), /in use/);
    assert.ok(!existsSync(path));
    const own = await LedgerFile.open(path, z.string());
    await own.add('one');
    assert.deepEqual((await LedgerFile.open(path, z.string())).entries, ['one']);
  });
});
