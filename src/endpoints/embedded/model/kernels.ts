/** The compiled kernels (kernels/*.ts) as typed functions over one memory. Pointers are byte offsets. */
import * as l10n from '@vscode/l10n';
import { compileKernels } from './compileKernels.ts';
import { EmbeddedError } from '../errors.ts';

/** Parameter names and meanings are in kernels/*.ts; all are i32 or f64. */
export interface Kernels {
  arenaStart(): number;
  gemm(
    ...args: [M: number, N: number, K: number, A: number, lda: number, B: number, C: number, ldc: number, add: number]
  ): void;
  gemmTransposed(
    ...args: [M: number, N: number, K: number, X: number, ldx: number, dY: number, ldy: number, dW: number]
  ): void;
  transposePanels(K: number, N: number, W: number, T: number): void;
  rmsNorm(
    ...args: [M: number, d: number, x: number, g: number, y: number, ldy: number, inv: number, epsilon: number]
  ): void;
  rmsNormBackward(
    ...args: [M: number, d: number, x: number, g: number, inv: number, dy: number, ldy: number, dx: number, dg: number]
  ): void;
  ropeTable(table: number, count: number, half: number, base: number): void;
  rope(
    ...args: [
      M: number,
      d: number,
      head: number,
      qkv: number,
      positions: number,
      table: number,
      half: number,
      inverse: number,
    ]
  ): void;
  attention(
    ...args: [count: number, segments: number, d: number, qkv: number, P: number, ldp: number, out: number]
  ): void;
  attentionBackward(
    ...args: [
      count: number,
      segments: number,
      d: number,
      qkv: number,
      P: number,
      ldp: number,
      dout: number,
      dqkv: number,
      scratch: number,
    ]
  ): void;
  attendCached(
    ...args: [
      M: number,
      d: number,
      cells: number,
      layer: number,
      fresh: number,
      qkv: number,
      scratch: number,
      ldp: number,
      out: number,
    ]
  ): void;
  storeKeys(M: number, d: number, cells: number, layer: number, qkv: number): void;
  copyKeys(count: number, d: number, qkv: number, block: number): void;
  gelu(n: number, u: number, y: number, keep: number): void;
  geluBackward(n: number, dy: number, derivative: number): void;
  embed(M: number, d: number, tokens: number, table: number, x: number): void;
  embedBackward(M: number, d: number, tokens: number, dx: number, dtable: number): void;
  gatherRows(M: number, width: number, index: number, x: number, ldx: number, y: number): void;
  windowGather(M: number, d: number, cat: number, prev1: number, prev2: number): void;
  windowBackward(M: number, d: number, dcat: number, prev1: number, prev2: number): void;
  windowCached(M: number, d: number, cat: number, slots: number, history: number): void;
  logSumExp(M: number, V: number, Vpad: number, logits: number, lse: number, scratch: number): void;
  gatherLogprobs(
    ...args: [n: number, Vpad: number, logits: number, lse: number, rows: number, targets: number, p: number]
  ): void;
  logitsBackward(
    ...args: [
      M: number,
      V: number,
      Vpad: number,
      logits: number,
      lse: number,
      n: number,
      rows: number,
      targets: number,
      g: number,
      total: number,
    ]
  ): void;
  lossGradient(
    ...args: [kind: number, n: number, p: number, q: number, a: number, low: number, high: number, g: number]
  ): number;
  adamw(
    ...args: [
      n: number,
      w: number,
      g: number,
      m: number,
      v: number,
      t: number,
      lr: number,
      beta1: number,
      beta2: number,
      epsilon: number,
      decay: number,
      scale: number,
    ]
  ): void;
  squaredNorm(n: number, x: number): number;
  streamKey(at: number, low: number, high: number, index: number): void;
  sampleRows(
    ...args: [
      M: number,
      V: number,
      Vpad: number,
      logits: number,
      rowOf: number,
      inverse: number,
      told: number,
      keys: number,
      steps: number,
      tokens: number,
      logprobs: number,
      scratch: number,
    ]
  ): void;
  fillUniform(n: number, x: number, bound: number, key: number): void;
}

/** Every export by name, so that a stale or foreign file is refused instead of failing in the middle of a step. */
const names: Record<keyof Kernels, true> = {
  arenaStart: true,
  gemm: true,
  gemmTransposed: true,
  transposePanels: true,
  rmsNorm: true,
  rmsNormBackward: true,
  ropeTable: true,
  rope: true,
  attention: true,
  attentionBackward: true,
  attendCached: true,
  storeKeys: true,
  copyKeys: true,
  gelu: true,
  geluBackward: true,
  embed: true,
  embedBackward: true,
  gatherRows: true,
  windowGather: true,
  windowBackward: true,
  windowCached: true,
  logSumExp: true,
  gatherLogprobs: true,
  logitsBackward: true,
  lossGradient: true,
  adamw: true,
  squaredNorm: true,
  streamKey: true,
  sampleRows: true,
  fillUniform: true,
};

function isKernels(exports: object): exports is Kernels {
  return Object.keys(names).every((name) => typeof Reflect.get(exports, name) === 'function');
}

/** A source of the kernels: the file's bytes, or a module compiled from them. */
export type KernelSource = Uint8Array | WebAssembly.Module;

/** @throws EmbeddedError reason `kernels` for bytes that are no WebAssembly. */
export function moduleOf(source: KernelSource): WebAssembly.Module {
  return source instanceof Uint8Array ? orRefuse(() => compileKernels(source)) : source;
}

/** Instantiates the kernels over a fresh memory of one page; the arena grows it once. */
export function loadKernels(source: KernelSource): { kernels: Kernels; memory: WebAssembly.Memory } {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = moduleOf(source);
  const { exports } = orRefuse(() => new WebAssembly.Instance(module, { env: { memory } }));
  if (!isKernels(exports)) {
    throw new EmbeddedError(
      'kernels',
      l10n.t('The embedded kernels are of another version. Rebuild them: npm run build.'),
    );
  }
  return { kernels: exports, memory };
}

function orRefuse<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    throw new EmbeddedError(
      'kernels',
      l10n.t('The embedded kernels could not be loaded: {0}. Rebuild them: npm run build.', String(cause)),
      { cause },
    );
  }
}
