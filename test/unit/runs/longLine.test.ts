import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLong, parseLong } from '../../../src/runs/files/longLine.ts';

const parsed = (text: string): unknown => JSON.parse(text);

/** Texts with everything that a cut could fall into. */
const word = fc.constantFrom('plain', '"quoted"', '\\', '],[{', 'é, ü', '\u{1f600},', ',,', '');
const element = fc.oneof(
  fc.record({ id: word, tasks: fc.array(fc.record({ id: word, weight: fc.double({ noNaN: true }) })) }),
  fc.json({ maxDepth: 3 }).map(parsed),
);

describe('runs: a long line', () => {
  it('is what JSON.parse makes of it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(element, { minLength: 1, maxLength: 12 }),
        fc.array(word),
        fc.constantFrom(0, 1),
        async (elements, words, space) => {
          const size = JSON.stringify(elements).length;
          const many = Array.from({ length: Math.ceil(300_000 / size) }, () => elements).flat();
          const event = { v: 1, 'na"me': words, families: many, note: words, nested: { families: words }, more: many };
          const text = JSON.stringify(event, null, space);
          assert.ok(isLong(Buffer.from(text)));
          assert.deepEqual(await parseLong(Buffer.from(text)), parsed(text));
        },
      ),
      { numRuns: 10 },
    ));

  it('gives way to others while it is parsed', async () => {
    const text = JSON.stringify({ families: Array.from({ length: 200_000 }, (_, i) => ({ id: `f${i}`, tasks: [i] })) });
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await parseLong(Buffer.from(text));
    clearImmediate(next);
    assert.ok(turns > 0);
  });

  it('is refused as JSON.parse refuses it', async () => {
    const whole = JSON.stringify({ families: Array.from({ length: 20_000 }, (_, i) => ({ id: `family ${i}` })), n: 1 });
    const broken = [
      whole.slice(0, -2),
      whole.slice(0, 250_000),
      whole.replace('],', ',],'),
      whole.replace('[{', '[,{'),
      whole.replace('"family 15000"}', '"family 15000"'),
      whole.replace('"family 15000"', 'family'),
      `${whole}}`,
      `\0${whole}`,
    ];
    for (const text of broken) {
      const message = messageOf(text);
      await assert.rejects(parseLong(Buffer.from(text)), { name: 'SyntaxError', message });
    }
  });
});

function messageOf(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
  return assert.fail('this is JSON');
}
