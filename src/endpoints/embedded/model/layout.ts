/**
 * Where each tensor lies. On disk tensors are row-major in this order; in memory a matrix is panel-major (kernels/gemm.ts)
 * and the output's columns are padded to a multiple of 8. Padding stays zero: its gradient is zero.
 */
import type { ModelConfig } from './config.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

export interface Tensor {
  name: string;
  /** K of a K×N matrix; 1 for a gain vector. */
  rows: number;
  columns: number;
  /** Columns in memory. */
  padded: number;
  panels: boolean;
  /** In floats from the start of the parameters: in memory, and on disk. */
  offset: number;
  diskOffset: number;
}

export interface LayerTensors {
  norm1: Tensor;
  qkv: Tensor;
  out: Tensor;
  norm2: Tensor;
  up: Tensor;
  down: Tensor;
}

export interface Layout {
  embedding: Tensor;
  layers: readonly LayerTensors[];
  norm: Tensor;
  output: Tensor;
  /** All of them, in order. */
  tensors: readonly Tensor[];
  /** Floats in memory, a multiple of 16, and on disk. */
  size: number;
  diskSize: number;
}

export function layoutOf(config: ModelConfig): Layout {
  const { width: d, vocabulary } = config;
  const tensors: Tensor[] = [];
  let offset = 0;
  let diskOffset = 0;
  const add = (name: string, rows: number, columns: number, panels: boolean): Tensor => {
    const padded = panels ? Math.ceil(columns / 8) * 8 : columns;
    const tensor = { name, rows, columns, padded, panels, offset, diskOffset };
    offset += Math.ceil((rows * padded) / 16) * 16;
    diskOffset += rows * columns;
    tensors.push(tensor);
    return tensor;
  };
  const embedding = add('embedding', vocabulary, d, false);
  const layers = Array.from({ length: config.layers }, (_, i) => ({
    norm1: add(`layers.${i}.norm1`, 1, d, false),
    qkv: add(`layers.${i}.qkv`, 3 * d, 3 * d, true),
    out: add(`layers.${i}.out`, d, d, true),
    norm2: add(`layers.${i}.norm2`, 1, d, false),
    up: add(`layers.${i}.up`, d, 4 * d, true),
    down: add(`layers.${i}.down`, 4 * d, d, true),
  }));
  const norm = add('norm', 1, d, false);
  const output = add('output', d, vocabulary, true);
  return { embedding, layers, norm, output, tensors, size: offset, diskSize: diskOffset };
}

/** Index in memory, from the start of the parameters, of element (row, column). */
export function elementOffset(tensor: Tensor, row: number, column: number): number {
  if (!tensor.panels) return tensor.offset + row * tensor.columns + column;
  return tensor.offset + ((column >> 3) * tensor.rows + row) * 8 + (column & 7);
}

/** Row-major values as on disk → values as in memory. */
export function toMemory(layout: Layout, disk: Float32Array): Float32Array {
  const memory = new Float32Array(layout.size);
  permute(layout, (inMemory, onDisk) => {
    memory[inMemory] = disk[onDisk] ?? outOfRange();
  });
  return memory;
}

/** Values as in memory → row-major values as on disk. */
export function toDisk(layout: Layout, memory: Float32Array): Float32Array {
  const disk = new Float32Array(layout.diskSize);
  permute(layout, (inMemory, onDisk) => {
    disk[onDisk] = memory[inMemory] ?? outOfRange();
  });
  return disk;
}

function permute(layout: Layout, visit: (inMemory: number, onDisk: number) => void): void {
  for (const tensor of layout.tensors) {
    let onDisk = tensor.diskOffset;
    for (let row = 0; row < tensor.rows; row++) {
      for (let column = 0; column < tensor.columns; column++) visit(elementOffset(tensor, row, column), onDisk++);
    }
  }
}
