import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SchemaTree } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { jsonOf } from '../../../src/runs/import/parquetValues.ts';
import { rolloutsAt } from '../../../src/runs/import/rollouts/readRollouts.ts';
import { rowsOf } from '../../../src/runs/import/rows.ts';
import { taskOfRow } from '../../../src/runs/import/taskOfRow.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { fromSources } from '../../support/fromSources.ts';

/** Written by pyarrow 26: a column `question`, and `answer` of decimal128(30, 2). */
const decimals = [
  'UEFSMRUEFSgVLEwVCBUAEgAAFEwBAAAAYQEAAABiAQAAAGMBAAAAZBUAFRQVGCwVCBUQFQYVBhw2ACgBZBgBYRERAAAACiQCAAAACAECA+QAFQQVaB',
  'VKTBUIFQASAAA0AAAdAQBuAQwkQu0SOwvYIDoU/x0BNPsAAAAAAAAAAAAAAAEsFQAVFBUYLBUIFRAVBhUGHBgNAAAAAELtEjsL2CA6FBgN////////',
  '////////+xYAKA0AAAAAQu0SOwvYIDoUGA3////////////////7EREAAAAKJAIAAAAIAQID5AAVBBk8NQAYBnNjaGVtYRUEABUMJQIYCHF1ZXN0aW',
  '9uJQBMHAAAABUOFRoVAhgGYW5zd2VyJQoVBBU8LFwVBBU8AAAAFggZHBksJgAcFQwZNQAGEBkYCHF1ZXN0aW9uFQIWCBaSARaaASZQJggcNgAoAWQY',
  'AWEREQAZLBUEFQAVAgAVABUQFQIAPBYIGQYZJgAIAAAAJgAcFQ4ZNQAGEBkYBmFuc3dlchUCFggWvgIWpAImiAImogEcGA0AAAAAQu0SOwvYIDoUGA',
  '3////////////////7FgAoDQAAAABC7RI7C9ggOhQYDf////////////////sREQAZLBUEFQAVAgAVABUQFQIAPCkGGSYACAAAABbQAxYIJggWvgMA',
  'GRwYDEFSUk9XOnNjaGVtYRi4Ai8vLy8vK0FBQUFBUUFBQUFBQUFLQUF3QUJnQUZBQWdBQ2dBQUFBQUJCQUFFQUFBQWFQLy8vd1FBQUFBQ0FBQUFZQU',
  'FBQUJRQUFBQVFBQlFBQ0FBR0FBY0FEQUFBQUJBQUVBQUFBQUFBQVFjUUFBQUFJQUFBQUFRQUFBQUFBQUFBQmdBQUFHRnVjM2RsY2dBQUNBQU1BQVFB',
  'Q0FBSUFBQUFIZ0FBQUFJQUFBQVFBQmdBQ0FBR0FBY0FEQUFRQUJRQUVBQUFBQUFBQVFVVUFBQUFTQUFBQUNRQUFBQUVBQUFBQUFBQUFBZ0FBQUJ4ZF',
  'dWemRHbHZiZ0FBQUFBSUFBZ0FBQUFFQUFnQUFBQU1BQUFBQ0FBTUFBZ0FCd0FJQUFBQUFBQUFBU0FBQUFBRUFBUUFCQUFBQUE9PQAYIHBhcnF1ZXQt',
  'Y3BwLWFycm93IHZlcnNpb24gMjYuMC4xGSwcAAAcAAAAlQIAAFBBUjE=',
].join('');

/** The same with `answer` of float32. */
const floats = [
  'UEFSMRUEFSgVLEwVCBUAEgAAFEwBAAAAYQEAAABiAQAAAGMBAAAAZBUAFRQVGCwVCBUQFQYVBhw2ACgBZBgBYRERAAAACiQCAAAACAECA+QAFQQVIB',
  'UkTBUIFQASAAAQPM3MzD2rqqo+AAAgQOx4rWAVABUUFRgsFQgVEBUGFQYcGATseK1gGATNzMw9FgAoBOx4rWAYBM3MzD0REQAAAAokAgAAAAgBAgPk',
  'ABUEGTw1ABgGc2NoZW1hFQQAFQwlAhgIcXVlc3Rpb24lAEwcAAAAFQglAhgGYW5zd2VyABYIGRwZLCYAHBUMGTUABhAZGAhxdWVzdGlvbhUCFggWkg',
  'EWmgEmUCYIHDYAKAFkGAFhEREAGSwVBBUAFQIAFQAVEBUCADwWCBkGGSYACAAAACYAHBUIGTUABhAZGAZhbnN3ZXIVAhYIFq4BFrYBJuIBJqIBHBgE',
  '7HitYBgEzczMPRYAKATseK1gGATNzMw9EREAGSwVBBUAFQIAFQAVEBUCADwpBhkmAAgAAAAWwAIWCCYIFtACABkcGAxBUlJPVzpzY2hlbWEY+AEvLy',
  '8vLzdBQUFBQVFBQUFBQUFBS0FBd0FCZ0FGQUFnQUNnQUFBQUFCQkFBTUFBQUFDQUFJQUFBQUJBQUlBQUFBQkFBQUFBSUFBQUJNQUFBQUJBQUFBTXov',
  'Ly84QUFBRURFQUFBQUNBQUFBQUVBQUFBQUFBQUFBWUFBQUJoYm5OM1pYSUFBQUFBQmdBSUFBWUFCZ0FBQUFBQUFRQVFBQlFBQ0FBR0FBY0FEQUFBQU',
  'JBQUVBQUFBQUFBQVFVUUFBQUFJQUFBQUFRQUFBQUFBQUFBQ0FBQUFIRjFaWE4wYVc5dUFBQUFBQVFBQkFBRUFBQUFBQUFBQUE9PQAYIHBhcnF1ZXQt',
  'Y3BwLWFycm93IHZlcnNpb24gMjYuMC4xGSwcAAAcAAAAIQIAAFBBUjE=',
].join('');

async function inFile<T>(name: string, content: string | Uint8Array, test: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-numbers-'));
  try {
    await writeFile(join(folder, name), content);
    return await test(join(folder, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const goldsOf = (name: string, content: string | Uint8Array, gold: string | null = null): Promise<unknown[]> =>
  inFile(name, content, async (file) =>
    (await all(rowsOf(file, fromSources))).map(({ row, written }) => {
      const read = taskOfRow(row, { prompt: null, gold, evaluation: { kind: 'json' } }, written);
      return typeof read !== 'string' && 'line' in read ? read.line['gold'] : read;
    }),
  );

describe('golds that are numbers', () => {
  it('stay as JSON lines have them', async () => {
    const numbers = ['3.14159265358979323846', '5.00', '1e3', '-0', '12345678901234567890.0', '[1.10,{"n":2.0}]'];
    const lines = (of: (number: string) => string): string => numbers.map(of).join('\n');
    assert.deepEqual(
      await goldsOf(
        'a.jsonl',
        lines((n) => `{"question":"q","answer":${n}}`),
      ),
      numbers,
    );
    assert.deepEqual(
      await goldsOf(
        'a.jsonl',
        lines((n) => `{"question":"q","a":1,"x":${n}}`),
        'x',
      ),
      numbers,
    );
    const verl = (n: string): string => `{"prompt":"q","reward_model":{"style":"rule","ground_truth":${n}}}`;
    assert.deepEqual(await goldsOf('a.jsonl', lines(verl)), numbers);
  });

  it('stay so in rollouts', () =>
    inFile('a.jsonl', '{"input":"q","output":"a","gts":5.00,"score":1.0,"acc":1.0}\n', async (file) => {
      const [found] = await all(rolloutsAt([file], null, fromSources));
      assert.ok(found !== undefined && 'rollout' in found);
      const { gold, reward, success } = found.rollout;
      assert.deepEqual([gold, reward, success], ['5.00', 1, true]);
    }));

  it('have the digits of their column in parquet', async () => {
    const read = await goldsOf('a.parquet', Buffer.from(decimals, 'base64'));
    assert.deepEqual(read, ['1.10', '12345678901234567890.12', '-0.05', '3.00']);
    const short = await goldsOf('a.parquet', Buffer.from(floats, 'base64'));
    assert.deepEqual(short, ['0.1', '0.33333334', '2.5', '100000000000000000000']);
  });

  it('have the fewest digits that 16 bits tell apart', async () => {
    const half = {
      name: 'answer',
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: 2,
      logical_type: { type: 'FLOAT16' },
    } as const;
    const answers = [0.1, -2.5, 65504, 2 ** -24, 1 / 3, 1024];
    for (const encoding of ['PLAIN', 'RLE_DICTIONARY', 'BYTE_STREAM_SPLIT'] as const) {
      const bytes = parquetWriteBuffer({
        columnData: [
          { name: 'question', data: answers.map(() => 'q') },
          { name: 'answer', data: answers, encoding },
        ],
        schema: [
          { name: 'root', num_children: 2 },
          { name: 'question', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
          { ...half, repetition_type: 'REQUIRED' },
        ],
      });
      const read = await goldsOf('a.parquet', new Uint8Array(bytes));
      assert.deepEqual(read, ['0.1', '-2.5', '65504', '6e-8', '0.3333', '1024'], encoding);
    }
  });

  it('have them within lists, maps and structs, too, and bytes are text or nothing', () => {
    const node = (name: string, element: Partial<SchemaTree['element']>, ...children: SchemaTree[]): SchemaTree => ({
      ...{ children, count: 1, path: [] },
      element: { name, ...element },
    });
    const price = (name: string) => node(name, { type: 'INT32', converted_type: 'DECIMAL', scale: 2 });
    const schema = node(
      'root',
      {},
      node('list', { converted_type: 'LIST' }, node('list', {}, node('element', {}, price('p')))),
      node('map', { converted_type: 'MAP' }, node('key_value', {}, node('key', {}), price('value'))),
      node('bytes', { type: 'BYTE_ARRAY' }),
    );
    const bytes = [new Uint8Array([104, 105]), new Uint8Array([255])];
    const value = { list: [{ p: 110 }, { p: -5 }], map: { a: 300n }, bytes, long: 9007199254740993n };
    assert.equal(
      JSON.stringify(jsonOf(value, schema)),
      '{"list":[{"p":1.10},{"p":-0.05}],"map":{"a":3.00},"bytes":["hi",null],"long":9007199254740993}',
    );
  });
});
