import assert from 'node:assert/strict';
import { presets } from '../../../src/shared/experiment/presets.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { kernelView, pointAt } from '../../../webview/experiment/kernelGeometry.ts';

const paper = presets.paper;

describe('the kernel’s drawing', () => {
  it('measures p̂ on a family’s attempts, and on fewer with another scope', () => {
    assert.equal(kernelView(paper).attempts, paper.generation.variations * paper.rollouts.group);
    const task: Experiment = { ...paper, curriculum: { ...paper.curriculum, scope: 'task' } };
    assert.equal(kernelView(task).attempts, paper.rollouts.group);
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
    assert.ok(Math.abs(inside.blurred.kept - 0.7847) < 5e-5);
    assert.ok(Math.abs(edge.blurred.kept - 0.5298) < 5e-5);
  });

  it('has the peak and the edges of the band among its points', () => {
    const odd: Experiment = { ...paper, curriculum: { ...paper.curriculum, alpha: 0.333, kMin: 0.1111 } };
    const { points } = kernelView(odd);
    for (const p of [0.333, 0.333 - 0.1111, 0.333 + 0.1111]) assert.ok(points.some((point) => point.p === p));
    assert.equal(Math.max(...points.map(({ reward }) => reward)), 1);
  });
});
