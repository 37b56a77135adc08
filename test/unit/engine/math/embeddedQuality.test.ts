/** Diversity by vectors, on angles whose figures were worked out by hand. */
import assert from 'node:assert/strict';
import { embeddedFigures, type Vector } from '../../../../src/engine/math/written/embeddedQuality.ts';
import { embeddedQualitySchema } from '../../../../src/shared/journal/embeddedQuality.ts';

/** A direction in the plane: its distance to another is 1 − cos of the degrees between. */
const at = (degrees: number): Vector =>
  Float32Array.from([Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]);

describe('the quality of written tasks by embeddings', () => {
  it('is the distances, clusters and seeds that were worked out', () => {
    const [one, other] = [at(0), at(90)];
    const figures = embeddedFigures(
      [
        { vector: at(0), seed: one },
        { vector: at(60), seed: one },
        { vector: at(180), seed: other },
      ],
      'angles',
    );
    // Pairs: 60° is ½, 180° is 2, 120° is 1½. Seeds: 90° is 1, so a cluster reaches ½, and 60° is not below it.
    assert.deepEqual(figures, {
      model: 'angles',
      distance: { mean: 1.333, nearest: Number(((0.5 + 0.5 + 1.5) / 3).toFixed(3)) },
      clusters: { reach: 0.5, count: 3, largest: 0.333, seeds: 0.667 },
      seedDistance: { own: Number(((0 + 0.5 + 1) / 3).toFixed(3)), nearest: Number(((0 + 0.134 + 1) / 3).toFixed(3)) },
    });
    assert.deepEqual(embeddedQualitySchema.parse(figures), figures);
  });

  it('finds a collapse that words do not show: all tasks in one direction, their seeds in many', () => {
    const seeds = [0, 90, 180, 270].map(at);
    const collapsed = seeds.map((seed, i) => ({ vector: at(45 + i), seed }));
    assert.deepEqual(embeddedFigures(collapsed, 'm').clusters, { reach: 0.667, count: 1, largest: 1, seeds: 0.25 });
    const healthy = seeds.map((seed, i) => ({ vector: at(90 * i + 5), seed }));
    assert.deepEqual(embeddedFigures(healthy, 'm').clusters, { reach: 0.667, count: 4, largest: 0.25, seeds: 0.25 });
  });

  it('tells no clusters where a single seed, or equal ones, say nothing of distance', () => {
    const seed = at(10);
    const tasks = [0, 90].map((degrees) => ({ vector: at(degrees), seed }));
    assert.equal(embeddedFigures(tasks, 'm').clusters, null);
    const equal = [0, 90].map((degrees) => ({ vector: at(degrees), seed: at(10) }));
    assert.equal(embeddedFigures(equal, 'm').clusters, null);
  });
});
