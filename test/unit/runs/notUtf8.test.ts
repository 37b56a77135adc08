/** Files of others in another encoding: no letter of a prompt or gold may become “�”. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { readRecords } from '../../../src/launch/adapters/readRecords.ts';
import { readExperiment } from '../../../src/cli/readExperiment.ts';
import { readAnswers } from '../../../src/features/evaluation/node/answersPolicy.ts';
import { openStudy } from '../../../src/features/study/node/openStudy.ts';
import { readAdapterFile } from '../../../src/launch/adapters/readAdapterFile.ts';
import { strictText } from '../../../src/launch/inputs/strictText.ts';
import { readTaskText } from '../../../src/launch/inputs/taskText.ts';
import { rowsOf } from '../../../src/runs/import/rows.ts';
import { fromSources } from '../../support/fromSources.ts';
import { NotUtf8, utf8Pieces, utf8Text } from '../../../src/shared/text/utf8.ts';

const latin = Buffer.from('{"a": "x"}\n{"a": "Größe"}\n', 'latin1');
const utf16 = Buffer.from('\uFEFF{"a": "x"}\n', 'utf16le');

describe('a file that is not UTF-8', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-utf8-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));
  const saved = async (bytes: Uint8Array): Promise<string> => {
    await writeFile(join(dir, 'f.jsonl'), bytes);
    return join(dir, 'f.jsonl');
  };

  it('is refused by its line, of whatever pieces it comes', async () => {
    const good = Buffer.from('aß€😀\n', 'utf8');
    for (let size = 1; size <= good.length; size++) {
      const piecesOf = async function* (bytes: Uint8Array) {
        for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
      };
      assert.equal((await Array.fromAsync(utf8Pieces(piecesOf(good)))).join(''), good.toString('utf8'));
      const bad = Buffer.concat([good, good, Buffer.from([0x61, 0xe4, 0x0a]), good]);
      await assert.rejects(Array.fromAsync(utf8Pieces(piecesOf(bad))), { name: 'NotUtf8', line: 3 });
      const cut = Buffer.concat([good, good.subarray(0, 2)]);
      await assert.rejects(Array.fromAsync(utf8Pieces(piecesOf(cut))), { name: 'NotUtf8', line: 2 });
    }
    assert.throws(
      () => utf8Text(latin),
      (error) => error instanceof NotUtf8 && error.line === 2,
    );
  });

  it('is refused as a task file, as rows to import and as an adapter’s data', async () => {
    for (const [bytes, line, why] of [
      [latin, 2, 'it is not UTF-8'],
      [utf16, 1, 'it is UTF-16, not UTF-8'],
    ] as const) {
      const path = await saved(bytes);
      const message = `${path}:${line}: The file cannot be read: ${why}. Save it as UTF-8.`;
      await assert.rejects(readTaskText(path, 'domain.seeds'), { name: 'InputError', message });
      await assert.rejects(Array.fromAsync(rowsOf(path, new URL('file:///'))), (error) => {
        assert.ok(error instanceof Error);
        assert.ok(error.message.includes(why) && error.message.includes(`${line}`), error.message);
        return true;
      });
      const records = await Array.fromAsync(readRecords(path, 'jsonl'));
      assert.deepEqual(records.at(-1), {
        ok: false,
        line,
        message: `It cannot be read: ${why}.`,
        remedy: 'Save it as UTF-8.',
      });
    }
  });

  it('is refused as text in a column of parquet', async () => {
    const path = join(dir, 'f.parquet');
    const bytes = parquetWriteBuffer({
      columnData: [{ name: 'question', data: ['Gr..e'] }],
      codec: 'UNCOMPRESSED',
      statistics: false,
    });
    // The writer itself writes UTF-8 alone.
    const damaged = Buffer.from(bytes);
    damaged.write('Größe', damaged.indexOf('Gr..e'), 'latin1');
    await writeFile(path, damaged);
    await assert.rejects(Array.fromAsync(rowsOf(path, fromSources)), /it is not UTF-8/);
  });

  it('is refused as an experiment, a study, an adapter, a file of answers', async () => {
    const path = await saved(latin);
    const why = 'The file cannot be read: it is not UTF-8. Save it as UTF-8.';
    const refused = { name: 'InputError', message: `${path}:2: ${why}` };
    await assert.rejects(readExperiment(dir, 'f.jsonl', []), { ...refused, message: `f.jsonl:2: ${why}` });
    await assert.rejects(openStudy(dir, 'f.jsonl'), { ...refused, message: `f.jsonl:2: ${why}` });
    await assert.rejects(readAdapterFile(path, path), refused);
    await assert.rejects(readAnswers(path), refused);
    await assert.rejects(strictText(path), refused);
    await assert.rejects(strictText(join(dir, 'none')), { code: 'ENOENT' });
  });
});
