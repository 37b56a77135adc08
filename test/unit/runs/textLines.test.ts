import assert from 'node:assert/strict';
import { csvRecords } from '../../../src/runs/import/csv.ts';
import { textLines, TooLong } from '../../../src/runs/import/textLines.ts';
import { jsonItems } from '../../../src/launch/adapters/jsonItems.ts';

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
  await Promise.resolve();
}
const all = async <T>(made: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(made);

describe('lines of a text in pieces', () => {
  it('are the same wherever the pieces end', async () => {
    const text = 'a\n\nbc\r\nd';
    for (let cut = 0; cut <= text.length; cut += 1) {
      const lines = await all(textLines(pieces(text.slice(0, cut), text.slice(cut))));
      assert.deepEqual(
        lines.map((line) => line.text),
        ['a', '', 'bc\r', 'd'],
      );
      assert.deepEqual(
        lines.map(({ at }) => at),
        [1, 2, 3, 4],
      );
    }
  });

  it('are passed over when they are longer than any record, with their number and length', async () => {
    const lines = await all(textLines(pieces('a\n123', '456', '789\nb'), 8));
    assert.deepEqual(lines, [
      { text: 'a', at: 1, length: 1 },
      { text: null, at: 2, length: 9 },
      { text: 'b', at: 3, length: 1 },
    ]);
  });

  it('and records of other forms, too, are held no further than that', async () => {
    await assert.rejects(all(csvRecords(pieces('a,b\n"1,2\n3', '456789'), ',', 8)), TooLong);
    await assert.rejects(all(jsonItems(pieces('[{"a": "', 'bbbbbbbbbb'), 8)), TooLong);
  });
});
