import assert from 'node:assert/strict';
import { presets } from '../../../../src/shared/experiment/presets.ts';
import type { Experiment } from '../../../../src/shared/experiment/schema.ts';
import { kernelView, pointAt } from '../../../../webview/experiment/kernelGeometry.ts';

const paper = presets.paper;

describe('the kernel’s drawing', () => {
  it('measures p̂ on a family’s attempts, and on fewer with another scope', () => {
    const { families, variations } = paper.generation;
    const { group } = paper.rollouts;
    const over = (scope: Experiment['curriculum']['scope']) =>
      kernelView({ ...paper, curriculum: { ...paper.curriculum, scope } }).measured;
    assert.deepEqual(over('family'), { clusters: variations, attempts: group, correlation: 0.7 });
    assert.deepEqual(over('task'), { clusters: 1, attempts: group, correlation: 0 });
    assert.deepEqual(over('epoch'), { clusters: families, attempts: variations * group, correlation: 0.35 });
  });

  it('shows how little the paper’s weights differ', () => {
    const { contrast } = kernelView(paper);
    assert.ok(Math.abs(contrast.whole - Math.exp(1 - Math.exp(-0.5))) < 1e-12, 'at most 1.48-fold');
    assert.ok(contrast.band < 1.021);
  });

  it('keeps with certainty what a hard filter would keep of exact rates, blurred by few attempts', () => {
    const view = kernelView(paper);
    const [inside, edge, outside] = [pointAt(view, 0.5), pointAt(view, 0.4), pointAt(view, 0.14)];
    assert.ok(inside && edge && outside);
    assert.equal(inside.keep, 1);
    assert.equal(outside.keep, 0);
    // 32 independent attempts would keep 0.7847 and 0.5298.
    assert.ok(inside.blurred.kept > 0.2 && inside.blurred.kept < 0.45, String(inside.blurred.kept));
    assert.ok(edge.blurred.kept > 0.15 && edge.blurred.kept < inside.blurred.kept, String(edge.blurred.kept));
  });

  it('has the peak and the edges of the band among its points', () => {
    const odd: Experiment = { ...paper, curriculum: { ...paper.curriculum, alpha: 0.333, kMin: 0.1111 } };
    const { points } = kernelView(odd);
    for (const p of [0.333, 0.333 - 0.1111, 0.333 + 0.1111]) assert.ok(points.some((point) => point.p === p));
    assert.equal(Math.max(...points.map(({ reward }) => reward)), 1);
  });
});
