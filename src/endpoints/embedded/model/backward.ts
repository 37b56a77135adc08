/** Backward pass of network.ts: adds ∂L/∂θ to the gradients, given ∂L/∂logits where the logits were. */
import type { LayerBuffers } from './buffers.ts';
import type { LayerTensors, Tensor } from './layout.ts';
import type { Network } from './network.ts';
import type { Packed } from './packing.ts';

/** Wᵀ of every matrix; to be called whenever the parameters changed. */
export function transposeParameters(network: Network): void {
  const { kernels, at, layout } = network;
  for (const w of layout.tensors) {
    if (w.panels) kernels.transposePanels(w.rows, w.padded, at.parameters + w.offset * 4, at.transposed + w.offset * 4);
  }
}

export function backward(network: Network, batch: Packed): void {
  const { kernels, at, layout, config } = network;
  const { rows } = batch;
  const d = config.width;
  const grad = at.backward;
  product(network, layout.output, at.final.normed, at.final.logits, grad.normed, rows);
  network.clear(grad.residual, rows * d);
  normalise(network, layout.norm, at.final.input, at.final.inverse, grad.normed, d, rows);
  for (let index = layout.layers.length - 1; index >= 0; index--) {
    const tensors = layout.layers[index];
    if (!tensors) throw new RangeError(`no layer ${index}`);
    const layer = network.layer(index);
    multilayerPerceptron(network, tensors, layer, rows);
    attention(network, tensors, layer, batch);
  }
  const table = at.gradients + layout.embedding.offset * 4;
  kernels.embedBackward(rows, d, at.batch.tokens, grad.residual, table);
}

function multilayerPerceptron(network: Network, tensors: LayerTensors, layer: LayerBuffers, rows: number): void {
  const { kernels, at, config } = network;
  const grad = at.backward;
  product(network, tensors.down, layer.hidden, grad.residual, grad.hidden, rows);
  kernels.geluBackward(rows * 4 * config.width, grad.hidden, layer.slope);
  product(network, tensors.up, layer.normed, grad.hidden, grad.normed, rows);
  normalise(network, tensors.norm2, layer.middle, layer.inverse2, grad.normed, config.width, rows);
}

function attention(network: Network, tensors: LayerTensors, layer: LayerBuffers, batch: Packed): void {
  const { kernels, at, config } = network;
  const { rows } = batch;
  const d = config.width;
  const grad = at.backward;
  product(network, tensors.out, layer.mixed, grad.residual, grad.mixed, rows);
  network.clear(grad.qkv, rows * 3 * d);
  kernels.attentionBackward(
    batch.segments.length / 4,
    at.batch.segments,
    d,
    layer.qkv,
    layer.probabilities,
    at.ldp,
    grad.mixed,
    grad.qkv,
    grad.scores,
  );
  network.rotate(grad.qkv, at.batch.positions, rows, true);
  product(network, tensors.qkv, layer.window, grad.qkv, grad.window, rows);
  kernels.windowBackward(rows, d, grad.window, at.batch.previous1, at.batch.previous2);
  normalise(network, tensors.norm1, layer.input, layer.inverse1, grad.window, 3 * d, rows);
}

/** Backward pass of y = x·W: dW += xᵀ·dy and dx = dy·Wᵀ. */
function product(network: Network, w: Tensor, x: number, dy: number, dx: number, rows: number): void {
  const { kernels, at } = network;
  kernels.gemmTransposed(rows, w.padded, w.rows, x, w.rows, dy, w.padded, at.gradients + w.offset * 4);
  kernels.gemm(rows, w.rows, w.padded, dy, w.padded, at.transposed + w.offset * 4, dx, w.rows, 0);
}

/** Backward pass of a norm; its input's gradient joins the residual stream's. */
function normalise(
  network: Network,
  gain: Tensor,
  x: number,
  inverse: number,
  dy: number,
  ldy: number,
  rows: number,
): void {
  const { kernels, at, config } = network;
  const g = at.parameters + gain.offset * 4;
  const dg = at.gradients + gain.offset * 4;
  kernels.rmsNormBackward(rows, config.width, x, g, inverse, dy, ldy, at.backward.residual, dg);
}
