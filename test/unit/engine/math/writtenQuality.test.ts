/** Diversity and drift of what was written, on texts whose figures were worked out by hand. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { distinct } from '../../../../src/engine/math/written/distinct.ts';
import { jensenShannon } from '../../../../src/engine/math/divergence.ts';
import { linkedSizes } from '../../../../src/engine/math/written/linkage.ts';
import { Overlaps } from '../../../../src/engine/math/written/overlaps.ts';
import { overlap, shinglesOf, wordHashes } from '../../../../src/engine/math/written/shingles.ts';
import {
  comparedText,
  wordCounts,
  writtenQuality,
  type Earlier,
} from '../../../../src/engine/math/written/writtenQuality.ts';
import { writtenQualitySchema, type WrittenQuality } from '../../../../src/shared/journal/quality.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

const none: Earlier = { first: null, previous: null };

/** Of tasks and the seed of each, by its text. */
function measured(tasks: readonly (readonly [text: string, seed: string])[], earlier = none): WrittenQuality | null {
  const seeds = new Map(tasks.map(([, seed]) => [seed, comparedText(seed)]));
  return writtenQuality(
    tasks.map(([text, seed]) => ({ text: comparedText(text), seed: seeds.get(seed) ?? [] })),
    earlier,
  );
}

describe('distinct-n', () => {
  it('is the share of different runs of n words, over all texts together', () => {
    const texts = ['a b a b', 'b a.'].map(wordHashes);
    assert.equal(distinct(texts.slice(0, 1), 1), 2 / 4);
    assert.equal(distinct(texts.slice(0, 1), 2), 2 / 3, 'ab, ba, ab');
    assert.equal(distinct(texts, 1), 2 / 6);
    assert.equal(distinct(texts, 2), 2 / 4, 'no run goes from one text into the next');
    assert.equal(distinct(texts, 4), 1);
    assert.equal(distinct(texts, 5), null);
  });
});

describe('Jensen–Shannon divergence', () => {
  const counts = (...entries: [number, number][]): ReadonlyMap<number, number> => new Map(entries);

  it('is 0 for equal distributions, 1 bit for disjoint ones, and between what was worked out', () => {
    assert.equal(jensenShannon(counts([1, 2], [2, 2]), counts([1, 5], [2, 5])), 0);
    assert.equal(jensenShannon(counts([1, 3]), counts([2, 7])), 1);
    // ½·1·log₂(1/0.75) + ½·(½·log₂(0.5/0.75) + ½·log₂(0.5/0.25))
    const half = 0.5 * Math.log2(1 / 0.75) + 0.25 * Math.log2(0.5 / 0.75) + 0.25;
    assert.ok(Math.abs((jensenShannon(counts([1, 4]), counts([1, 1], [2, 1])) ?? NaN) - half) < 1e-12);
    assert.equal(jensenShannon(counts(), counts([1, 1])), null);
  });

  it('is the same both ways, and never outside 0 to 1', () => {
    const some = fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 99 })), { minLength: 1 });
    fc.assert(
      fc.property(some, some, (a, b) => {
        const [one, other] = [jensenShannon(new Map(a), new Map(b)), jensenShannon(new Map(b), new Map(a))];
        assert.ok(one !== null && other !== null && one >= 0 && one <= 1);
        assert.ok(Math.abs(one - other) < 1e-12);
      }),
    );
  });
});

describe('linked clusters', () => {
  it('are chains of pairs that are alike', () => {
    const near = (a: number, b: number): boolean =>
      Math.abs((points[a] ?? outOfRange()) - (points[b] ?? outOfRange())) <= 1;
    const points = [0, 10, 1, 2, 11, 30];
    assert.deepEqual(linkedSizes(points.length, near), [3, 2, 1]);
    assert.deepEqual(linkedSizes(0, near), []);
    assert.deepEqual(
      linkedSizes(4, () => false),
      [1, 1, 1, 1],
    );
    assert.deepEqual(
      linkedSizes(4, () => true),
      [4],
    );
  });
});

describe('overlaps of all pairs', () => {
  it('are those of each pair', () => {
    const sets = fc.array(fc.uniqueArray(fc.nat(12)), { maxLength: 9 });
    fc.assert(
      fc.property(sets, (given) => {
        const all = given.map((members) => new Set(members));
        const overlaps = new Overlaps(all);
        for (const [i, a] of all.entries()) {
          for (const [j, b] of all.entries()) {
            const expected = a.size + b.size === 0 || i === j ? 1 : overlap(a, b);
            assert.equal(overlaps.of(i, j), expected);
          }
        }
      }),
    );
  });
});

describe('the quality of written tasks', () => {
  const [bread, trains] = ['bake a loaf of bread', 'when does the train to Oslo leave'];

  it('is what was worked out by hand', () => {
    // Triples: 3, 3 and 5; the first two share "bake a loaf", "a loaf of" of 4 in all, the third nothing with either.
    const quality = measured([
      ['Bake a loaf of bread', bread],
      ['bake a loaf of rye', bread],
      ['When does the train to Bergen leave', trains],
    ]);
    assert.deepEqual(quality, {
      tasks: 3,
      // 13 different of 17 words; 4 + 1 + 6 of 14 pairs; 3 + 1 + 5 of 11 triples; 2 + 1 + 4 of 8.
      distinct: [0.764706, 0.785714, 0.818182, 0.875],
      similarity: { mean: 0.166667, nearest: 0.333333 },
      clusters: { count: 2, largest: 0.666667, seeds: 0.666667 },
      // 0, ½, and 3 shared triples of 7.
      seedDistance: { own: 0.357143, nearest: 0.357143 },
      drift: { first: null, previous: null },
    });
  });

  it('finds the nearest seed, which need not be a task’s own', () => {
    const quality = measured([
      [trains, bread],
      ['make some tea now', trains],
    ]);
    assert.deepEqual(quality?.seedDistance, { own: 1, nearest: 0.5 });
  });

  it('leaves out how every task of the domain is worded', () => {
    const framed = (task: string) => `you are given a shop with these many tools now ${task}`;
    const seeds = ['sell two red apples', 'count the days of May', 'who wrote this letter'];
    const tasks = ['sell two green apples', 'count the days of June', 'who reads this paper'];
    const worded = measured(tasks.map((task, i) => [framed(task), framed(seeds[i] ?? '')] as const));
    assert.ok(worded !== null);
    assert.deepEqual(worded.clusters, { count: 3, largest: 0.333333, seeds: 0.333333 });
    assert.equal(worded.similarity.mean, 0);
    // A seed alone has no such words: what repeats it is near to it.
    const only = framed('sell two red apples');
    const alone = measured(tasks.map((task) => [framed(task), only] as const));
    assert.ok((alone?.similarity.mean ?? 0) > 0.4);
  });

  it('tells how far the words have moved', () => {
    const [before, same] = ['a b c d', 'd c b a'].map((text) => wordCounts([comparedText(text)]));
    const earlier = { first: same ?? null, previous: before ?? null };
    const tasks = ['b a', 'c d'].map((text) => [text, ''] as const);
    assert.deepEqual(measured(tasks, earlier)?.drift, { first: 0, previous: 0 });
    const other = ['x', 'y'].map((text) => [text, ''] as const);
    assert.deepEqual(measured(other, { ...earlier, previous: null })?.drift, { first: 1, previous: null });
  });

  it('is not told of a single task, nor where words say nothing', () => {
    assert.equal(measured([['one task', bread]]), null);
    assert.equal(
      measured([
        ['', ''],
        ['…', ''],
      ]),
      null,
    );
  });

  it('is in range, whatever was written, and does not depend on the order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'Ä', '7'), { maxLength: 9 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 2, maxLength: 12 }), (tasks) => {
        const quality = measured(tasks);
        if (quality === null) return;
        assert.deepEqual(writtenQualitySchema.parse(quality), quality);
        assert.ok(quality.seedDistance.nearest <= quality.seedDistance.own);
        assert.ok(quality.similarity.mean <= quality.similarity.nearest);
        const back = measured(tasks.toReversed());
        assert.deepEqual([back?.clusters, back?.distinct], [quality.clusters, quality.distinct]);
      }),
    );
  });

  it('compares by the same shingles as everything else', () => {
    const [a, b] = [shinglesOf('one two three four five'), shinglesOf('one two three four six')];
    const quality = measured([
      ['one two three four five', ''],
      ['one two three four six', ''],
    ]);
    assert.equal(quality?.similarity.mean, overlap(a, b));
  });
});
