import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import * as z from 'zod';
import { parquetBytes } from '../../../src/shared/parquet/parquetBytes.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

const message = z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string() });
const rowSchema = z.strictObject({
  name: z.string(),
  kind: z.literal('row'),
  messages: z.array(message),
  tokens: z.array(z.int()),
  weight: z.number(),
  solved: z.boolean(),
  gold: z.string().nullable(),
  info: z.strictObject({ index: z.int(), epoch: z.int().nullable(), tags: z.array(z.string()).nullable() }),
});
type Row = z.infer<typeof rowSchema>;

async function written(rows: Iterable<Row>): Promise<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of parquetBytes(rowSchema, rows)) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces)).buffer;
}

/** As a reader that knows no schema of ours gives them: 64-bit integers are bigint, an absent list undefined. */
async function read(file: ArrayBuffer): Promise<unknown[]> {
  const found = z.array(z.looseObject({ info: z.looseObject({ tags: z.unknown() }) }));
  const back = found.parse(await parquetReadObjects({ file }));
  return back.map((row) => ({ ...row, info: { ...row.info, tags: row.info.tags ?? null } }));
}

const wide = (row: Row) => ({
  ...row,
  tokens: row.tokens.map(BigInt),
  info: { ...row.info, index: BigInt(row.info.index), epoch: row.info.epoch === null ? null : BigInt(row.info.epoch) },
});

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'naïve\n', '日本語', 'x'.repeat(70)));
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record(
    {
      name: text,
      kind: fc.constant('row' as const),
      messages: fc.array(
        fc.record({ role: fc.constantFrom('user', 'assistant'), content: text }, { noNullPrototype: true }),
        { maxLength: 4 },
      ),
      tokens: fc.array(fc.maxSafeInteger(), { maxLength: 20 }),
      weight: fc.double({ noNaN: true }),
      solved: fc.boolean(),
      gold: fc.option(text),
      info: fc.record(
        {
          index: fc.nat(),
          epoch: fc.option(fc.nat()),
          tags: fc.option(fc.array(text, { maxLength: 3 })),
        },
        { noNullPrototype: true },
      ),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 40 },
);

describe('parquet', () => {
  it('gives back every row it was given: lists of structs, lists of integers, nulls, any text', () =>
    fc.assert(
      fc.asyncProperty(rows, async (given) => {
        assert.deepEqual(await read(await written(given)), given.map(wide));
      }),
      { numRuns: 200 },
    ));

  it('of no rows is a whole file with its columns', async () => {
    const file = await written([]);
    assert.deepEqual(await read(file), []);
    const { schema, num_rows: count } = parquetMetadata(file);
    assert.equal(count, 0n);
    assert.deepEqual(
      schema.map(({ name }) => name),
      [
        ...['root', 'name', 'kind', 'messages', 'list', 'element', 'role', 'content', 'tokens', 'list', 'element'],
        ...['weight', 'solved', 'gold', 'info', 'index', 'epoch', 'tags', 'list', 'element'],
      ],
    );
  });

  it('is written group after group while rows come, and holds no more than one', async () => {
    const row = (i: number): Row => ({
      ...{ name: `${i}`, kind: 'row', messages: [{ role: 'user', content: `${i} `.repeat(1500) }], tokens: [i, i + 1] },
      ...{ weight: i / 3, solved: i % 2 === 0, gold: null, info: { index: i, epoch: null, tags: [] } },
    });
    let made = 0;
    function* many() {
      while (made < 3000) yield row(made++);
    }
    const lead: number[] = [];
    const pieces: Uint8Array[] = [];
    for await (const piece of parquetBytes(rowSchema, many())) {
      lead.push(made);
      pieces.push(piece);
    }
    assert.ok(lead.length > 4 && (lead[0] ?? outOfRange()) < 1000, String(lead));
    const file = new Uint8Array(Buffer.concat(pieces)).buffer;
    assert.equal(parquetMetadata(file).row_groups.length, lead.length - 1);
    const back = await read(file);
    assert.equal(back.length, 3000);
    for (const at of [0, 1, 999, 2999]) assert.deepEqual(back[at], wide(row(at)));
  });

  it('has no column for what differs from row to row', async () => {
    const free = z.object({ anything: z.record(z.string(), z.unknown()) });
    const pieces = parquetBytes(free, [{ anything: {} }]);
    await assert.rejects(pieces.next(), /The field "anything" has no parquet column/);
  });
});
