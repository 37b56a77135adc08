import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { RecordColumns } from '../../../src/runs/index/recordColumns.ts';
import { hashOf, rowBytes, type RecordRow } from '../../../src/runs/index/recordRow.ts';
import type { IndexProgress } from '../../../src/runs/records/recordLog.ts';
import { FaultyDisk } from '../../support/runs/faultyFiles.ts';
import { makeTrace } from '../../support/runs/records.ts';
import { experiment, withTempRuns, type TempRuns } from '../../support/runs/tempRuns.ts';

const many = Array.from({ length: 3000 }, (_, i) =>
  makeTrace({
    id: `e${i >> 9}/t${i}/r0`,
    epoch: i >> 9,
    family: `f${i >> 3}`,
    verdict: { success: i % 3 === 0, reward: (i % 10) / 10, valid: i % 4 > 0 },
    messages: [{ role: 'assistant', content: 'word '.repeat(i % 40) }],
  }),
);

async function longRun(runs: TempRuns): Promise<{ id: string; index: string; bytes: Buffer }> {
  const writer = await runs.store().create({ experiment });
  for (let i = 0; i < many.length; i += 250) await writer.appendTraces(many.slice(i, i + 250));
  await writer.close();
  const index = join(writer.dir, 'index', 'traces.bin');
  return { id: writer.id, index, bytes: await readFile(index) };
}

describe('runs: index', () => {
  const row: fc.Arbitrary<Omit<RecordRow, 'offset'>> = fc.record({
    length: fc.integer({ min: 2, max: 2 ** 32 - 1 }),
    crc: fc.nat(2 ** 32 - 1),
    epoch: fc.nat(2 ** 32 - 1),
    id: fc.string().map(hashOf),
    family: fc.string().map(hashOf),
    task: fc.string().map(hashOf),
    value: fc.double({ noNaN: true }),
    tokens: fc.nat(2 ** 32 - 1),
    flags: fc.nat(2 ** 32 - 1),
  });

  it('rows come back from their bytes as they were', () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const columns = new RecordColumns();
        for (const some of rows) columns.push({ ...some, offset: columns.end });
        const again = new RecordColumns();
        assert.equal(again.decode(columns.encode(0, rows.length), Number.MAX_SAFE_INTEGER), rows.length);
        assert.deepEqual(again.encode(0, rows.length), columns.encode(0, rows.length));
        assert.equal(again.end, columns.end);
        for (const [at, { id }] of rows.entries()) assert.ok(again.rowsOf(id).includes(at));
      }),
    );
  });

  it('a row with any one bit flipped is not believed, nor what follows it', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(7), (rows, at, bit) => {
        const columns = new RecordColumns();
        for (const some of rows) columns.push({ ...some, offset: columns.end });
        const bytes = columns.encode(0, rows.length);
        const byte = at % bytes.byteLength;
        bytes[byte] = bytes[byte]! ^ (1 << bit);
        assert.equal(new RecordColumns().decode(bytes, Number.MAX_SAFE_INTEGER), Math.floor(byte / rowBytes));
      }),
    );
  });

  it('hashes of ids like ours do not meet', () => {
    const seen = new Set<string>();
    for (let epoch = 0; epoch < 50; epoch++) {
      for (let family = 0; family < 64; family++) {
        for (let r = 0; r < 32; r++) {
          const { low, high } = hashOf(`e${epoch}/e${epoch}.f${family}.v${r & 3}/r${r >> 2}`);
          seen.add(`${low}/${high}`);
        }
      }
    }
    assert.equal(seen.size, 50 * 64 * 32);
  });

  it('is rebuilt as the writer would have written it: missing, cut, foreign, damaged, another kind’s', () =>
    withTempRuns(async (runs) => {
      const { id, index, bytes } = await longRun(runs);
      assert.equal(bytes.byteLength, (many.length + 1) * rowBytes);
      const store = runs.store();
      const read = async () => {
        const reader = await store.openReader(id);
        const columns = await reader.columns();
        const sample = await reader.trace(many[1234]!.id);
        await reader.close();
        assert.deepEqual(sample, many[1234]);
        return { success: columns.success, reward: columns.reward, family: columns.family };
      };
      const first = await read();
      const tasks = await readFile(join(index, '..', 'tasks.bin'));
      const damages: [string, () => Promise<void>][] = [
        ['missing', () => rm(index)],
        ['its folder missing', () => rm(join(index, '..'), { recursive: true })],
        ['cut in a row', () => writeFile(index, bytes.subarray(0, 70_001))],
        ['cut in its header', () => writeFile(index, bytes.subarray(0, 10))],
        ['empty', () => writeFile(index, '')],
        ['foreign', () => writeFile(index, 'x'.repeat(5000))],
        ['another kind’s', () => writeFile(index, tasks)],
        [
          'zeroed from the middle',
          () => writeFile(index, Buffer.concat([bytes.subarray(0, 6400), Buffer.alloc(9000)])),
        ],
        ['longer than the records', () => writeFile(index, Buffer.concat([bytes, bytes.subarray(rowBytes)]))],
      ];
      for (const [name, damage] of damages) {
        await damage();
        assert.deepEqual(await read(), first, name);
        if (name.startsWith('longer')) continue;
        assert.deepEqual(await readFile(index), bytes, `${name}: kept by the reader`);
        await damage();
        const writer = await store.openWriter(id);
        await writer.close();
        assert.deepEqual(await readFile(index), bytes, `${name}: kept by the writer`);
      }
      const writer = await store.openWriter(id);
      await writer.close();
      assert.deepEqual(await readFile(index), bytes);
    }));

  it('of other records is noticed', () =>
    withTempRuns(async (runs) => {
      const { id, index } = await longRun(runs);
      const store = runs.store();
      const path = join(index, '..', '..', 'traces.jsonl');
      const moved = (await readFile(path, 'utf8')).trimEnd().split('\n').reverse();
      await writeFile(path, `${moved.join('\n')}\n`);
      const reader = await store.openReader(id);
      assert.deepEqual(await reader.traceAt(0), many.at(-1));
      assert.deepEqual(await reader.trace(many[0]!.id), many[0]);
      await reader.close();
    }));

  it('tells how far its rebuilding is', () =>
    withTempRuns(async (runs) => {
      const { id, index } = await longRun(runs);
      await rm(index);
      const steps: IndexProgress[] = [];
      const reader = await runs.store({ onIndexing: (progress) => steps.push(progress) }).openReader(id);
      await reader.columns();
      await reader.close();
      const { size } = await stat(join(index, '..', '..', 'traces.jsonl'));
      assert.equal(steps.at(-1)?.done, size);
      assert.ok(
        steps.every(
          ({ done, total, file }, i) =>
            total === size && file.endsWith('traces.jsonl') && done >= (steps[i - 1]?.done ?? 0),
        ),
      );
    }));

  it('that cannot be written stops nothing', () =>
    withTempRuns(async (runs) => {
      const disk = new FaultyDisk();
      const store = runs.store({ files: disk.files });
      const writer = await store.create({ experiment });
      await writer.appendTraces(many.slice(0, 5));
      disk.refused.set('traces.bin', 'ENOSPC');
      await writer.appendTraces(many.slice(5, 10));
      await writer.appendTraces(many.slice(10, 1500));
      assert.deepEqual(await writer.trace(many[7]!.id), many[7]);
      await writer.close();
      assert.match(
        runs.told.join('\n'),
        /The index is not kept up to date any more and will be rebuilt later: .*traces\.bin/,
      );
      const reader = await store.openReader(writer.id);
      assert.equal((await reader.columns()).count, 1500);
      assert.match(runs.told.join('\n'), /Cannot keep the index .*traces\.bin/);
      await reader.close();
      const again = await store.openWriter(writer.id);
      await again.appendTraces(many.slice(1500, 1600));
      assert.equal((await again.columns()).count, 1600);
      await again.close();
    }));

  it('of a live run is the writer’s alone, and readers follow it', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment });
      const reader = await store.openReader(writer.id);
      for (let i = 0; i < 2000; i += 400) {
        await writer.appendTraces(many.slice(i, i + 400));
        assert.equal((await reader.columns()).count, i + 400);
        assert.deepEqual(await reader.trace(many[i + 399]!.id), many[i + 399]);
      }
      await rm(join(writer.dir, 'index', 'traces.bin'));
      const late = await store.openReader(writer.id);
      assert.equal((await late.columns()).count, 2000);
      await assert.rejects(stat(join(writer.dir, 'index', 'traces.bin')), { code: 'ENOENT' });
      await writer.close();
      await late.close();
      await reader.close();
    }));
});
