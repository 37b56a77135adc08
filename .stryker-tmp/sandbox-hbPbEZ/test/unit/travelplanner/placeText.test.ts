import assert from 'node:assert/strict';
import { csvRecords } from '../../../src/benchmarks/travelplanner/csv.ts';
import { journeyOf, placeOf, plain } from '../../../src/benchmarks/travelplanner/placeText.ts';

/** The pattern that the official program searches for, in JavaScript: for texts without Python's own white space. */
const pattern = /from\s+([^\n]+?)\s+to\s+([^,]+)(?=[,\s]|$)/;

describe('texts of a plan', () => {
  it('say from where to where as the official pattern finds it', () => {
    const pieces = ['from', 'to', ' ', '  ', '\n', ',', 'A', 'from ', ' to ', 'to ', ' to'];
    let state = 7;
    const next = (below: number): number => {
      state = (state * 48271) % 2147483647;
      return state % below;
    };
    for (let i = 0; i < 30_000; i++) {
      const text = Array.from({ length: next(13) }, () => pieces[next(pieces.length)] ?? '').join('');
      const found = pattern.exec(text);
      const journey = journeyOf(text);
      assert.deepEqual(
        journey === null ? null : [journey.from, journey.to],
        found === null ? null : [found[1], found[2]],
        JSON.stringify(text),
      );
    }
  });

  it('take no longer for hostile texts', () => {
    const many = 30_000;
    for (const text of [
      'from '.repeat(many),
      `from${' '.repeat(many)}x`,
      ' to'.repeat(many),
      'from  to'.repeat(many),
      `from a${' '.repeat(many)}`,
    ]) {
      journeyOf(text);
      placeOf(text);
    }
  });

  it('name a place before their last comma', () => {
    assert.deepEqual(placeOf('Loft, upstairs,  Birchton (West)'), { name: 'Loft, upstairs', city: 'Birchton' });
    assert.deepEqual(placeOf('no comma'), { name: '-', city: '-' });
    assert.deepEqual(placeOf('Loft,'), { name: '-', city: '-' });
    assert.deepEqual(placeOf('a\nLoft, '), { name: 'Loft', city: '' });
  });

  it('are plain before their first pair of brackets', () => {
    assert.equal(plain('A (b) (c)'), 'A ');
    assert.equal(plain('A (b'), 'A (b');
    assert.equal(plain('A) (b'), 'A) (b');
    assert.equal(plain('A\n(b)'), 'A\n(b)');
  });
});

describe('csv as pandas reads it', () => {
  it('has quoted fields with commas, line ends and quotes in them', () => {
    assert.deepEqual(csvRecords('a,b\r\n"x, ""y""\nz",\n\n"q"r"s",5\r1,"open'), [
      ['a', 'b'],
      ['x, "y"\nz', ''],
      ['qr"s"', '5'],
      ['1', 'open'],
    ]);
    assert.deepEqual(csvRecords('\ufeffa,\n1,'), [
      ['a', ''],
      ['1', ''],
    ]);
    assert.deepEqual(csvRecords(''), []);
  });
});
