/** Every address the model uses, laid out once. Byte offsets; comments give shapes in 4-byte values. */
import type { Arena } from './arena.ts';
import type { ModelConfig } from './config.ts';
import type { Layout } from './layout.ts';

export interface Sizes {
  /** Rows of one packed micro-batch. */
  rows: number;
  /** Scored tokens of one packed micro-batch; more than rows where prefixes are shared. */
  pairs: number;
  /** Sequences decoded at once. */
  slots: number;
}

/** Activations that one layer's forward pass leaves for its backward pass; M rows. */
export interface LayerBuffers {
  /** Residual stream at entry and between attention and MLP: M×d. */
  input: number;
  middle: number;
  inverse1: number;
  inverse2: number;
  /** Normalised vectors with their window: M×3d. */
  window: number;
  /** M×3d, q and k rotated. */
  qkv: number;
  /** M×heads×ldp. */
  probabilities: number;
  /** M×d */
  mixed: number;
  /** M×d */
  normed: number;
  /** M×4d: before GELU, then its derivative; and after GELU. */
  slope: number;
  hidden: number;
}

export type Buffers = ReturnType<typeof planBuffers>;

function layerBuffers(arena: Arena, config: ModelConfig, rows: number, ldp: number): LayerBuffers {
  const d = config.width;
  // Attention reads keys four rows at a time and may touch three rows past the end.
  const padded = rows + 4;
  return {
    input: arena.words(rows * d),
    middle: arena.words(rows * d),
    inverse1: arena.words(rows),
    inverse2: arena.words(rows),
    window: arena.words(rows * 3 * d),
    qkv: arena.words(padded * 3 * d),
    probabilities: arena.words(rows * config.heads * ldp),
    mixed: arena.words(rows * d),
    normed: arena.words(rows * d),
    slope: arena.words(rows * 4 * d),
    hidden: arena.words(rows * 4 * d),
  };
}

export function planBuffers(arena: Arena, config: ModelConfig, layout: Layout, sizes: Sizes) {
  const { rows, pairs, slots } = sizes;
  const { width: d, layers, context } = config;
  const columns = layout.output.padded;
  const ldp = Math.ceil(context / 4) * 4 + 8;
  const blockWords = layers * context * 2 * d;
  return {
    /** Floats of one attention row: the longest context and what the kernels touch past it. */
    ldp,
    parameters: arena.words(layout.size),
    /** A published version's parameters, for sampling and scoring. */
    frozen: arena.words(layout.size),
    gradients: arena.words(layout.size),
    first: arena.words(layout.size),
    second: arena.words(layout.size),
    /** Wᵀ of every matrix, at the offsets of W. */
    transposed: arena.words(layout.size),
    ropeTable: arena.words(context * config.rope.dimensions),
    key: arena.words(2),
    batch: {
      tokens: arena.words(rows),
      positions: arena.words(rows),
      previous1: arena.words(rows),
      previous2: arena.words(rows),
      segments: arena.words(rows * 4),
      pairRows: arena.words(pairs),
      pairTargets: arena.words(pairs),
      logprobs: arena.words(pairs),
      sampled: arena.words(pairs),
      weights: arena.words(pairs),
      slopes: arena.words(pairs),
    },
    layers: Array.from({ length: layers }, () => layerBuffers(arena, config, rows, ldp)),
    final: {
      input: arena.words(rows * d),
      inverse: arena.words(rows),
      normed: arena.words(rows * d),
      logits: arena.words(rows * columns),
      lse: arena.words(rows),
      scratch: arena.words(columns),
    },
    backward: {
      /** Gradient of the residual stream. */
      residual: arena.words(rows * d),
      normed: arena.words(rows * d),
      mixed: arena.words(rows * d),
      window: arena.words(rows * 3 * d),
      qkv: arena.words((rows + 4) * 3 * d),
      hidden: arena.words(rows * 4 * d),
      rowTotals: arena.words(rows),
      scores: arena.words(ldp),
    },
    decode: {
      /** One layer's worth for `slots` rows, reused by every layer. */
      layer: layerBuffers(arena, config, slots, 0),
      input: arena.words(slots * d),
      inverse: arena.words(slots),
      normed: arena.words(slots * d),
      logits: arena.words(slots * columns),
      scores: arena.words(2 * ldp),
      scratch: arena.words(columns),
      tokens: arena.words(slots),
      logprobs: arena.words(slots),
      positions: arena.words(slots),
      steps: arena.words(slots),
      inverseTemperatures: arena.words(slots),
      /** Factor of the logits for the reported logprobs: 1, or 1/temperature. */
      told: arena.words(slots),
      keys: arena.words(slots * 2),
      /** Prefix of each row. */
      prefixes: arena.words(slots),
      /** Slot of each row. */
      slots: arena.words(slots),
      /** prefix address, prefix length, own address, own length. */
      cells: arena.words(slots * 4),
      /** 0, 1, 2, … */
      identity: arena.words(slots),
      /** Prefill: packed rows of last positions, and cells that read prefixes only. */
      gather: arena.words(slots),
      gatherCells: arena.words(slots * 4),
      /** Two previous normalised vectors, per layer and slot; per prefix and layer. */
      history: arena.words(layers * slots * 2 * d),
      prefixHistory: arena.words(slots * layers * 2 * d),
      prefixLogits: arena.words(slots * columns),
      blockBytes: blockWords * 4,
      layerBytes: context * 2 * d * 4,
      /** Key/value blocks: layers × context × (k, v). */
      prefixBlocks: arena.words(slots * blockWords),
      ownBlocks: arena.words(slots * blockWords + 4 * 2 * d),
    },
  };
}
