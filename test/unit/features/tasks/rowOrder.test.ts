import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareTexts, orderedBy, ranksOf } from '../../../../src/features/tasks/node/rowOrder.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

describe('rows in order', () => {
  it('are those of a stable sort, what has no number last either way', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.double(), fc.integer({ min: -3, max: 3 }))),
        fc.boolean(),
        async (keys, descending) => {
          const rows = keys.map((_, row) => row).filter((row) => row % 3 !== 1);
          const keyOf = (row: number): number => keys[row] ?? NaN;
          const expected = rows.toSorted((a, b) => {
            const [x, y] = [keyOf(a), keyOf(b)];
            if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
            return x === y ? 0 : (x < y ? -1 : 1) * (descending ? -1 : 1);
          });
          const ordered = await orderedBy(Uint32Array.from(rows), keys, descending);
          // Sorting does not distinguish an infinite key from none.
          const comparable = (list: Iterable<number>) => [...list].filter((row) => Number.isFinite(keyOf(row)));
          assert.deepEqual(comparable(ordered), comparable(expected));
          assert.equal(ordered.length, rows.length);
        },
      ),
    ));

  it('are in order over many slices of the work', async () => {
    const count = 70_000;
    const keys = Array.from({ length: count }, (_, row) => ((row * 7919) % count) - 1000.5);
    const ordered = await orderedBy(Uint32Array.from(keys.keys()), keys, false);
    assert.deepEqual(
      Array.from(ordered, (row) => (keys[row] ?? NaN) + 1000.5),
      Array.from({ length: count }, (_, place) => place),
    );
  });

  it('rank texts with their numbers by value, equal ones alike', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[ab.]{0,2}[0-9]{0,3}[.]?[0-9]{0,2}$/)), async (texts) => {
        const ranks = await ranksOf(texts, texts.length);
        for (const [i, a] of texts.entries()) {
          for (const [j, b] of texts.entries()) {
            assert.equal(
              Math.sign((ranks[i] ?? outOfRange()) - (ranks[j] ?? outOfRange())),
              Math.sign(compareTexts(a, b)),
              `${a} ${b}`,
            );
          }
        }
      }),
    ));

  it('merges what was ordered in pieces', async () => {
    const texts = Array.from({ length: 10_000 }, (_, i) => `e${(i * 7919) % 10_000}`);
    const ranks = await ranksOf(texts, texts.length);
    assert.deepEqual(
      [...ranks],
      texts.map((text) => Number(text.slice(1))),
    );
  });
});
