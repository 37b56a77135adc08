/**
 * The decoder: embedding; per layer RMSNorm, the window of three normalised vectors, q/k/v, rotary positions, causal
 * attention, residual, RMSNorm, MLP with GELU, residual; final RMSNorm and an untied output. No biases.
 */
import { Arena } from './arena.ts';
import { type Buffers, type LayerBuffers, planBuffers, type Sizes } from './buffers.ts';
import { headWidth, type ModelConfig } from './config.ts';
import { type Kernels, type KernelSource, loadKernels } from './kernels.ts';
import { type Layout, layoutOf, type LayerTensors, type Tensor } from './layout.ts';
import type { Packed } from './packing.ts';

const defaultSizes: Sizes = { rows: 1024, pairs: 4096, slots: 128 };

export class Network {
  readonly config: ModelConfig;
  readonly layout: Layout;
  readonly kernels: Kernels;
  readonly sizes: Sizes;
  readonly at: Buffers;
  readonly f32: Float32Array;
  readonly i32: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(source: KernelSource, config: ModelConfig, sizes: Partial<Sizes> = {}) {
    const { kernels, memory } = loadKernels(source);
    const rows = Math.max(sizes.rows ?? defaultSizes.rows, config.context);
    this.sizes = { rows, pairs: Math.max(sizes.pairs ?? rows * 4, rows), slots: sizes.slots ?? defaultSizes.slots };
    this.config = config;
    this.kernels = kernels;
    this.layout = layoutOf(config);
    const arena = new Arena(kernels.arenaStart());
    this.at = planBuffers(arena, config, this.layout, this.sizes);
    arena.commit(memory);
    this.f32 = new Float32Array(memory.buffer);
    this.i32 = new Int32Array(memory.buffer);
    this.#bytes = new Uint8Array(memory.buffer);
    kernels.ropeTable(this.at.ropeTable, config.context, config.rope.dimensions / 2, config.rope.base);
  }

  /** Parameters in memory layout. */
  read(at: number): Float32Array {
    return this.f32.slice(at / 4, at / 4 + this.layout.size);
  }

  write(at: number, values: Float32Array): void {
    this.f32.set(values, at / 4);
  }

  clear(at: number, words: number): void {
    this.#bytes.fill(0, at, at + words * 4);
  }

  copy(from: number, to: number, words: number): void {
    this.#bytes.copyWithin(to, from, from + words * 4);
  }

  /**
   * Forward pass of a micro-batch with the parameters at `parameters`, down to logits and their log Σ exp. `keep` leaves
   * what the backward pass needs.
   */
  forward(parameters: number, batch: Packed, keep: boolean): void {
    const { at, layout } = this;
    this.load(parameters, batch);
    layout.layers.forEach((tensors, index) => {
      const layer = this.layer(index);
      this.project(parameters, tensors, layer, batch.rows);
      this.mix(batch, layer);
      this.finish(parameters, tensors, layer, this.entry(index + 1), batch.rows, keep);
    });
    this.readOut(parameters, at.final, batch.rows);
    const { logits, lse, scratch } = at.final;
    this.kernels.logSumExp(batch.rows, this.config.vocabulary, layout.output.padded, logits, lse, scratch);
  }

  layer(index: number): LayerBuffers {
    const layer = this.at.layers[index];
    if (!layer) throw new RangeError(`no layer ${index}`);
    return layer;
  }

  /** Residual stream that layer `index` reads; past the last layer, what the read-out reads. */
  entry(index: number): number {
    return this.at.layers[index]?.input ?? this.at.final.input;
  }

  /** Moves a micro-batch into memory and embeds it. */
  load(parameters: number, batch: Packed): void {
    const { at, i32, kernels, config } = this;
    i32.set(batch.tokens, at.batch.tokens / 4);
    i32.set(batch.positions, at.batch.positions / 4);
    i32.set(batch.previous1, at.batch.previous1 / 4);
    i32.set(batch.previous2, at.batch.previous2 / 4);
    i32.set(batch.segments, at.batch.segments / 4);
    const table = parameters + this.layout.embedding.offset * 4;
    kernels.embed(batch.rows, config.width, at.batch.tokens, table, this.entry(0));
  }

  /** RMSNorm, window and q/k/v with rotated positions, for a packed micro-batch. */
  project(parameters: number, tensors: LayerTensors, layer: LayerBuffers, rows: number): void {
    const { kernels, at, config } = this;
    const d = config.width;
    this.norm(parameters, tensors.norm1, layer.input, layer.window, 3 * d, layer.inverse1, rows);
    kernels.windowGather(rows, d, layer.window, at.batch.previous1, at.batch.previous2);
    this.multiply(parameters, tensors.qkv, layer.window, layer.qkv, rows, false);
    this.rotate(layer.qkv, at.batch.positions, rows, false);
  }

  mix(batch: Packed, layer: LayerBuffers): void {
    const { kernels, at, config } = this;
    kernels.attention(
      batch.segments.length / 4,
      at.batch.segments,
      config.width,
      layer.qkv,
      layer.probabilities,
      at.ldp,
      layer.mixed,
    );
  }

  /** From mixed values to the next layer's residual stream. */
  finish(
    parameters: number,
    tensors: LayerTensors,
    layer: LayerBuffers,
    next: number,
    rows: number,
    keep: boolean,
  ): void {
    const d = this.config.width;
    this.copy(layer.input, layer.middle, rows * d);
    this.multiply(parameters, tensors.out, layer.mixed, layer.middle, rows, true);
    this.norm(parameters, tensors.norm2, layer.middle, layer.normed, d, layer.inverse2, rows);
    this.multiply(parameters, tensors.up, layer.normed, layer.slope, rows, false);
    this.kernels.gelu(rows * 4 * d, layer.slope, layer.hidden, keep ? 1 : 0);
    this.copy(layer.middle, next, rows * d);
    this.multiply(parameters, tensors.down, layer.hidden, next, rows, true);
  }

  /** Logits of the rows of a residual stream. */
  readOut(
    parameters: number,
    out: { input: number; normed: number; inverse: number; logits: number },
    rows: number,
  ): void {
    const { layout, config } = this;
    this.norm(parameters, layout.norm, out.input, out.normed, config.width, out.inverse, rows);
    this.multiply(parameters, layout.output, out.normed, out.logits, rows, false);
  }

  norm(parameters: number, gain: Tensor, x: number, y: number, ldy: number, inverse: number, rows: number): void {
    const { kernels, config } = this;
    kernels.rmsNorm(rows, config.width, x, parameters + gain.offset * 4, y, ldy, inverse, config.normEpsilon);
  }

  multiply(parameters: number, w: Tensor, x: number, y: number, rows: number, add: boolean): void {
    this.kernels.gemm(rows, w.padded, w.rows, x, w.rows, parameters + w.offset * 4, y, w.padded, add ? 1 : 0);
  }

  rotate(qkv: number, positions: number, rows: number, inverse: boolean): void {
    const { kernels, at, config } = this;
    const half = config.rope.dimensions / 2;
    kernels.rope(rows, config.width, headWidth, qkv, positions, at.ropeTable, half, inverse ? 1 : 0);
  }
}
