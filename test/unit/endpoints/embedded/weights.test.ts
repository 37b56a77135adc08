import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EmbeddedError } from '../../../../src/endpoints/embedded/errors.ts';
import { fromHalf, toHalf } from '../../../../src/endpoints/embedded/model/half.ts';
import { layoutOf, toDisk, toMemory } from '../../../../src/endpoints/embedded/model/layout.ts';
import {
  type ModelState,
  readHeader,
  readWeights,
  writeWeights,
} from '../../../../src/endpoints/embedded/model/weights.ts';
import { smallConfig, smallTrainer } from '../../../support/embedded/models.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

const isRefused = (error: unknown): boolean => error instanceof EmbeddedError && error.reason === 'weights';

describe('weights file', () => {
  const state: ModelState = smallTrainer().state();

  it('gives back what was written, to the bit in f32', () => {
    const { weights, moments, ...rest } = readWeights(writeWeights(state, 'f32'), 'test');
    const { weights: written, moments: writtenMoments, ...writtenRest } = state;
    assert.deepEqual(rest, writtenRest);
    for (const [a, b] of [
      [weights, written],
      [moments?.first, writtenMoments?.first],
      [moments?.second, writtenMoments?.second],
    ]) {
      assert.ok(a && b && a.length === b.length && a.every((value, i) => Object.is(value, b[i])));
    }
    const { config, vocabulary, end } = readHeader(writeWeights(state, 'f32'), 'test');
    assert.deepEqual({ config, vocabulary, end }, { config: smallConfig, vocabulary: state.vocabulary, end: '<end>' });
  });

  it('rounds to the nearest half in f16, in half the space', () => {
    const bytes = writeWeights({ ...state, moments: null }, 'f16');
    const { weights, moments } = readWeights(bytes, 'test');
    assert.equal(moments, null);
    assert.ok(bytes.length < state.weights.length * 2 + 2000);
    weights.forEach((value, i) => {
      assert.ok(Math.abs(value - (state.weights[i] ?? NaN)) <= Math.max(Math.abs(value) * 2 ** -11, 2 ** -25));
    });
    assert.ok(
      Buffer.from(writeWeights(readWeights(bytes, 'test'), 'f16')).equals(bytes),
      'halves are kept as they are',
    );
  });

  it('refuses a file with any byte changed', () => {
    const bytes = writeWeights({ ...state, moments: null }, 'f16');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const broken = bytes.slice();
        broken[at] = (broken[at] ?? outOfRange()) ^ flip;
        assert.throws(() => readWeights(broken, 'test'), isRefused);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a file cut short anywhere, and foreign ones, with the name and a remedy', () => {
    const bytes = writeWeights({ ...state, moments: null }, 'f16');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), (length) => {
        assert.throws(() => readWeights(bytes.subarray(0, length), 'test'), isRefused);
      }),
      { numRuns: 60 },
    );
    assert.throws(
      () => readWeights(new TextEncoder().encode('{"not":"weights"}'.repeat(10)), 'agent.bin'),
      /agent\.bin cannot be read as weights.*npm run build/,
    );
  });

  it('refuses to write a vocabulary that does not fit', () => {
    assert.throws(() => writeWeights({ ...state, vocabulary: state.vocabulary.slice(1) }, 'f32'));
    assert.throws(() => writeWeights({ ...state, end: 'stop' }, 'f32'));
  });

  it('lays tensors out in memory and back', () => {
    const layout = layoutOf(smallConfig);
    const disk = Float32Array.from({ length: layout.diskSize }, (_, i) => i + 1);
    const memory = toMemory(layout, disk);
    assert.ok(toDisk(layout, memory).every((value, i) => value === disk[i]));
    assert.equal(memory.filter((value) => value !== 0).length, layout.diskSize);
  });

  it('has 164,160 parameters at the size that ships', () => {
    assert.equal(layoutOf({ ...smallConfig, width: 64, heads: 4, vocabulary: 128 }).diskSize, 164_160);
  });
});

describe('half precision', () => {
  it('reads and writes every half', () => {
    for (let half = 0; half < 0x10000; half++) {
      const value = fromHalf(half);
      if (Number.isNaN(value)) assert.ok(Number.isNaN(fromHalf(toHalf(value))));
      else assert.equal(toHalf(value), half);
    }
  });

  it('rounds to the nearest, ties to even', () => {
    const finite = fc.float({ min: -65_000, max: 65_000, noNaN: true });
    fc.assert(
      fc.property(finite, (value) => {
        const half = toHalf(value);
        const error = Math.abs(fromHalf(half) - value);
        for (const other of [half - 1, half + 1]) {
          const distance = Math.abs(fromHalf(other & 0xffff) - value);
          assert.ok(Number.isNaN(distance) || error < distance || (error === distance && half % 2 === 0));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
