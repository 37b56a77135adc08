import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { lineBatches, linesFromEnd, sizeOf } from '../../../src/runs/files/jsonLines.ts';
import { all, withTempRuns } from '../../support/runs/tempRuns.ts';

/** Lines around every size at which a chunk ends, with characters of several bytes. */
const line = fc.oneof(
  fc.constantFrom('', 'x', '{"v":1}'),
  fc.integer({ min: 16_380, max: 16_390 }).map((n) => 'y'.repeat(n)),
  fc.integer({ min: 2 ** 16 - 3, max: 2 ** 16 + 3 }).map((n) => 'z'.repeat(n)),
  fc.integer({ min: 1, max: 9000 }).map((n) => 'é😀'.repeat(n)),
);

describe('runs: lines of a file', () => {
  it('are the same forwards, backwards and split by hand, whatever their length and the torn end', () =>
    withTempRuns(async ({ root }) => {
      const path = join(root, 'lines');
      await fc.assert(
        fc.asyncProperty(
          fc.array(line, { maxLength: 12 }),
          fc.constantFrom('', 'torn', 't'.repeat(20_000)),
          async (lines, torn) => {
            const bytes = Buffer.from(lines.map((text) => `${text}\n`).join('') + torn);
            await writeFile(path, bytes);
            let offset = 0;
            const expected = lines.map((text, number) => {
              const start = offset;
              offset += Buffer.byteLength(text) + 1;
              return { text, number, offset: start };
            });
            const forwards = (await all(lineBatches(path))).flat();
            assert.deepEqual(
              forwards.map((one) => ({ text: one.bytes.toString(), number: one.number, offset: one.offset })),
              expected,
            );
            const backwards = await all(linesFromEnd(path));
            assert.deepEqual(
              backwards.reverse().map((one) => ({ text: one.bytes.toString(), offset: one.offset })),
              expected.map(({ text, offset: start }) => ({ text, offset: start })),
            );
            const middle = expected[Math.floor(lines.length / 2)];
            if (middle !== undefined) {
              const from = (await all(lineBatches(path, middle))).flat();
              assert.deepEqual(
                from.map(({ number }) => number),
                expected.slice(middle.number).map(({ number }) => number),
              );
            }
            assert.equal(await sizeOf(path), bytes.byteLength);
          },
        ),
        { numRuns: 25 },
      );
    }));

  it('of no file are none', () =>
    withTempRuns(async ({ root }) => {
      const path = join(root, 'nothing');
      assert.deepEqual(await all(lineBatches(path)), []);
      assert.deepEqual(await all(linesFromEnd(path)), []);
      assert.equal(await sizeOf(path), 0);
    }));
});
