import assert from 'node:assert/strict';
import { loadKernels } from '../../../../src/endpoints/embedded/model/kernels.ts';
import { kernelBytes, KernelBench } from '../../../support/embedded/kernels.ts';
import {
  assertClose,
  checkGradient,
  dot,
  generator,
  randomFloats,
  randomInts,
} from '../../../support/embedded/numeric.ts';

/** Row-major K×N → panel-major (kernels/gemm.ts). */
function panels(matrix: Float32Array, K: number, N: number): Float32Array {
  return Float32Array.from({ length: K * N }, (_, at) => {
    const [panel, rest] = [Math.floor(at / (8 * K)), at % (8 * K)];
    return matrix[Math.floor(rest / 8) * N + panel * 8 + (rest % 8)] ?? NaN;
  });
}

describe('kernels', () => {
  it('refuses files that are damaged or of another version, with a remedy', () => {
    const refused = { name: 'EmbeddedError', message: /npm run build/ };
    assert.throws(() => loadKernels(new TextEncoder().encode('not wasm')), refused);
    assert.throws(() => loadKernels(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)), refused);
    assert.throws(() => loadKernels(kernelBytes().subarray(0, 1000)), refused);
  });

  describe('matrix products', () => {
    const [M, K, N] = [39, 12, 24];
    const random = generator(1);
    const a = randomFloats(M * K, random);
    const b = randomFloats(K * N, random);
    const reference = Array.from({ length: M * N }, (_, at) => {
      const [m, n] = [Math.floor(at / N), at % N];
      return Array.from({ length: K }, (_, k) => (a[m * K + k] ?? 0) * (b[k * N + n] ?? 0)).reduce((x, y) => x + y, 0);
    });

    it('multiplies', () => {
      const bench = new KernelBench();
      const c = bench.zeros(M * N);
      bench.kernels.gemm(M, N, K, bench.floats(a), K, bench.floats(panels(b, K, N)), c, N, 0);
      assertClose([...bench.get(c, M * N)], reference, 1e-6, 'A·B');
    });

    it('adds to what is there', () => {
      const bench = new KernelBench();
      const c = bench.floats(new Float32Array(M * N).fill(2));
      bench.kernels.gemm(M, N, K, bench.floats(a), K, bench.floats(panels(b, K, N)), c, N, 1);
      assertClose(
        [...bench.get(c, M * N)],
        reference.map((x) => x + 2),
        1e-6,
        'C + A·B',
      );
    });

    it('gives each row the same bits whatever rows stand beside it', () => {
      const bench = new KernelBench();
      const weights = bench.floats(panels(b, K, N));
      const all = bench.zeros(M * N);
      const rows = bench.floats(a);
      bench.kernels.gemm(M, N, K, rows, K, weights, all, N, 0);
      const whole = bench.get(all, M * N);
      for (let m = 0; m < M; m++) {
        for (const count of [1, 2, 5, 8]) {
          const alone = bench.zeros(count * N);
          const rowsThere = Math.min(count, M - m);
          bench.kernels.gemm(rowsThere, N, K, rows + m * K * 4, K, weights, alone, N, 0);
          assert.deepEqual(bench.get(alone, rowsThere * N), whole.slice(m * N, (m + rowsThere) * N));
        }
      }
    });

    it('accumulates Xᵀ·dY and transposes panels', () => {
      const bench = new KernelBench();
      const dy = randomFloats(M * N, random);
      const dw = bench.floats(new Float32Array(K * N).fill(1));
      bench.kernels.gemmTransposed(M, N, K, bench.floats(a), K, bench.floats(dy), N, dw);
      const expected = Float32Array.from({ length: K * N }, (_, at) => {
        const [k, n] = [Math.floor(at / N), at % N];
        let sum = 1;
        for (let m = 0; m < M; m++) sum += (a[m * K + k] ?? 0) * (dy[m * N + n] ?? 0);
        return sum;
      });
      assertClose([...bench.get(dw, K * N)], [...panels(expected, K, N)], 1e-6, 'Xᵀ·dY');

      const [P, Q] = [16, 24];
      const w = randomFloats(P * Q, random);
      const transposed = bench.zeros(P * Q);
      bench.kernels.transposePanels(P, Q, bench.floats(panels(w, P, Q)), transposed);
      const wT = Float32Array.from({ length: P * Q }, (_, at) => w[(at % P) * Q + Math.floor(at / P)] ?? NaN);
      assert.deepEqual(bench.get(transposed, P * Q), panels(wT, Q, P));
    });
  });

  it('rmsNorm and its gradients', () => {
    const [M, d] = [3, 32];
    const random = generator(2);
    const [x, g, up] = [randomFloats(M * d, random), randomFloats(d, random), randomFloats(M * d, random)];
    const bench = new KernelBench();
    const [y, inv, dx, dg] = [bench.zeros(M * d), bench.zeros(M), bench.zeros(M * d), bench.zeros(d)];
    const forward = (x: Float32Array, g: Float32Array): Float32Array => {
      bench.kernels.rmsNorm(M, d, bench.floats(x), bench.floats(g), y, d, inv, 1e-5);
      return bench.get(y, M * d);
    };
    const row = forward(x, g).slice(0, d);
    const rms = Math.sqrt(dot(x.slice(0, d), x.slice(0, d)) / d + 1e-5);
    assertClose(
      [...row],
      Array.from(g, (gain, i) => (gain * (x[i] ?? 0)) / rms),
      1e-6,
      'values',
    );
    const [xAt, gAt] = [bench.floats(x), bench.floats(g)];
    bench.kernels.rmsNormBackward(M, d, xAt, gAt, inv, bench.floats(up), d, dx, dg);
    checkGradient('dx', (x) => dot(forward(x, g), up), x, bench.get(dx, M * d));
    checkGradient('dg', (g) => dot(forward(x, g), up), g, bench.get(dg, d));
  });

  it('gelu and its derivative', () => {
    const n = 64;
    const u = Float32Array.from({ length: n }, (_, i) => (i - 32) / 6);
    const bench = new KernelBench();
    const y = bench.zeros(n);
    const forward = (u: Float32Array): Float32Array => {
      bench.kernels.gelu(n, bench.floats(u), y, 0);
      return bench.get(y, n);
    };
    const reference = Array.from(u, (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))));
    assertClose([...forward(u)], reference, 1e-6, 'values');
    const at = bench.floats(u);
    bench.kernels.gelu(n, at, y, 1);
    const dy = bench.floats(new Float32Array(n).fill(1));
    bench.kernels.geluBackward(n, dy, at);
    checkGradient('du', (u) => forward(u).reduce((a, b) => a + b, 0), u, bench.get(dy, n));
  });

  it('rope rotates by position: products of q and k depend on their distance only', () => {
    const [d, half] = [16, 4];
    const random = generator(3);
    const bench = new KernelBench();
    const table = bench.zeros(64 * 8);
    bench.kernels.ropeTable(table, 64, half, 1000);
    const qkv = randomFloats(3 * d, random);
    const product = (qPosition: number, kPosition: number): number => {
      const rows = bench.floats([...qkv, ...qkv]);
      bench.kernels.rope(2, d, 16, rows, bench.ints([qPosition, kPosition]), table, half, 0);
      const out = bench.get(rows, 6 * d);
      return dot(out.slice(0, d), out.slice(4 * d, 5 * d));
    };
    assert.ok(Math.abs(product(9, 4) - product(40, 35)) < 1e-5);
    assert.ok(Math.abs(product(9, 4) - product(9, 5)) > 1e-3);
    const rows = bench.floats(qkv);
    bench.kernels.rope(1, d, 16, rows, bench.ints([17]), table, half, 0);
    bench.kernels.rope(1, d, 16, rows, bench.ints([17]), table, half, 1);
    assertClose([...bench.get(rows, 3 * d)], [...qkv], 1e-6, 'there and back');
    const reference = [0, 1, 2, 3].map((i) => Math.cos(11 * 1000 ** (-i / half)));
    assertClose([...bench.get(table + 11 * 2 * half * 4, half)], reference, 1e-6, 'cosines');
  });

  describe('attention', () => {
    const [d, heads] = [32, 2];
    /** A prefix of 5 rows, two continuations of it, and a sequence of its own. */
    const segments = [0, 5, 0, 0, 5, 3, 0, 5, 8, 6, 0, 5, 14, 7, 0, 0];
    const M = 21;
    const ldp = 32;

    function forward(bench: KernelBench, qkv: Float32Array): { mixed: Float32Array; P: number; at: number } {
      const [at, P, out] = [bench.floats(qkv), bench.zeros(M * heads * ldp), bench.zeros(M * d)];
      bench.kernels.attention(segments.length / 4, bench.ints(segments), d, at, P, ldp, out);
      return { mixed: bench.get(out, M * d), P, at };
    }

    /** Plain softmax attention over the keys a row sees. */
    function reference(qkv: Float32Array, row: number, head: number, keys: number[]): number[] {
      const take = (r: number, part: number): Float32Array =>
        qkv.slice(r * 3 * d + part * d + head * 16, r * 3 * d + part * d + head * 16 + 16);
      const exps = keys.map((key) => Math.exp(dot(take(row, 0), take(key, 1)) / 4));
      const total = exps.reduce((a, b) => a + b, 0);
      return Array.from({ length: 16 }, (_, i) =>
        keys.reduce((sum, key, j) => sum + ((exps[j] ?? 0) / total) * (take(key, 2)[i] ?? 0), 0),
      );
    }

    it('mixes the values of a sequence’s prefix and of its own rows up to itself', () => {
      const qkv = randomFloats(M * 3 * d, generator(4));
      const { mixed } = forward(new KernelBench(), qkv);
      const cases: [number, number[]][] = [
        [0, [0]],
        [4, [0, 1, 2, 3, 4]],
        [6, [0, 1, 2, 3, 4, 5, 6]],
        [13, [0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13]],
        [16, [14, 15, 16]],
      ];
      for (const [row, keys] of cases) {
        for (const head of [0, 1]) {
          const at = row * d + head * 16;
          assertClose([...mixed.slice(at, at + 16)], reference(qkv, row, head, keys), 1e-5, `row ${row}`);
        }
      }
    });

    it('has the gradient of its inputs, through shared prefixes too', () => {
      const random = generator(5);
      const [qkv, up] = [randomFloats(M * 3 * d, random), randomFloats(M * d, random)];
      const bench = new KernelBench();
      const { P, at } = forward(bench, qkv);
      const dqkv = bench.zeros(M * 3 * d);
      const scratch = bench.zeros(ldp);
      const [cells, dout] = [bench.ints(segments), bench.floats(up)];
      bench.kernels.attentionBackward(segments.length / 4, cells, d, at, P, ldp, dout, dqkv, scratch);
      const loss = (x: Float32Array): number => dot(forward(new KernelBench(), x).mixed, up);
      checkGradient('dqkv', loss, qkv, bench.get(dqkv, M * 3 * d), { count: 160 });
    });
  });

  it('window gathers the two previous rows and its gradient returns to them', () => {
    const [M, d] = [5, 4];
    const bench = new KernelBench();
    const [previous1, previous2] = [bench.ints([-1, 0, 1, 1, 3]), bench.ints([-1, -1, 0, 0, 1])];
    const gather = (x: Float32Array): Float32Array => {
      const rows = bench.zeros(M * 3 * d);
      for (let m = 0; m < M; m++) bench.set(rows + m * 3 * d * 4, x.slice(m * d, m * d + d));
      bench.kernels.windowGather(M, d, rows, previous1, previous2);
      return bench.get(rows, M * 3 * d);
    };
    const random = generator(6);
    const [x, up] = [randomFloats(M * d, random), randomFloats(M * 3 * d, random)];
    const cat = gather(x);
    assert.deepEqual(
      cat.slice(4 * 3 * d),
      Float32Array.from([...x.slice(16, 20), ...x.slice(12, 16), ...x.slice(4, 8)]),
    );
    assert.deepEqual(cat.slice(d, 3 * d), new Float32Array(2 * d));
    const dcat = bench.floats(up);
    bench.kernels.windowBackward(M, d, dcat, previous1, previous2);
    const back = bench.get(dcat, M * 3 * d);
    const dx = Float32Array.from({ length: M * d }, (_, i) => back[Math.floor(i / d) * 3 * d + (i % d)] ?? NaN);
    checkGradient('dx', (x) => dot(gather(x), up), x, dx, { step: 0.1 });
  });

  it('embedding gathers rows and adds gradients of repeated tokens', () => {
    const [V, d] = [6, 4];
    const tokens = [3, 1, 3, 5];
    const random = generator(7);
    const [table, up] = [randomFloats(V * d, random), randomFloats(4 * d, random)];
    const bench = new KernelBench();
    const embed = (table: Float32Array): Float32Array => {
      const x = bench.zeros(4 * d);
      bench.kernels.embed(4, d, bench.ints(tokens), bench.floats(table), x);
      return bench.get(x, 4 * d);
    };
    const dtable = bench.zeros(V * d);
    bench.kernels.embedBackward(4, d, bench.ints(tokens), bench.floats(up), dtable);
    checkGradient('dtable', (table) => dot(embed(table), up), table, bench.get(dtable, V * d), { step: 0.1 });
  });

  it('log-softmax of scored tokens and the gradient of the logits', () => {
    const [M, V, Vpad] = [4, 13, 16];
    const rows = [0, 1, 1, 1, 3];
    const targets = [2, 12, 0, 0, 7];
    const random = generator(8);
    const up = randomFloats(rows.length, random);
    const logits = Float32Array.from(randomFloats(M * Vpad, random), (x) => x * 3);
    const bench = new KernelBench();
    const [rowsAt, targetsAt, p] = [bench.ints(rows), bench.ints(targets), bench.zeros(rows.length)];
    const run = (logits: Float32Array): { p: Float32Array; at: number; lse: number } => {
      const [at, lse] = [bench.floats(logits), bench.zeros(M)];
      bench.kernels.logSumExp(M, V, Vpad, at, lse, bench.zeros(Vpad));
      bench.kernels.gatherLogprobs(rows.length, Vpad, at, lse, rowsAt, targetsAt, p);
      return { p: bench.get(p, rows.length), at, lse };
    };
    const { p: logprobs, at, lse } = run(logits);
    const reference = rows.map((row, i) => {
      const used = [...logits.slice(row * Vpad, row * Vpad + V)];
      return (used[targets[i] ?? 0] ?? NaN) - Math.log(used.reduce((sum, x) => sum + Math.exp(x), 0));
    });
    assertClose([...logprobs], reference, 1e-6, 'logprobs');
    const [upAt, totals] = [bench.floats(up), bench.zeros(M)];
    bench.kernels.logitsBackward(M, V, Vpad, at, lse, rows.length, rowsAt, targetsAt, upAt, totals);
    const gradient = bench.get(at, M * Vpad);
    assert.deepEqual(gradient.slice(2 * Vpad, 3 * Vpad), new Float32Array(Vpad), 'a row that is not scored');
    for (let m = 0; m < M; m++)
      assert.deepEqual(gradient.slice(m * Vpad + V, (m + 1) * Vpad), new Float32Array(Vpad - V));
    checkGradient('dlogits', (x) => dot(run(x).p, up), logits, gradient, { count: 64 });
  });

  it('adamw takes the textbook step and clears the gradient', () => {
    const n = 8;
    const random = generator(9);
    const [w, g, m] = [randomFloats(n, random), randomFloats(n, random), randomFloats(n, random)];
    const v = Float32Array.from(randomFloats(n, random), Math.abs);
    const bench = new KernelBench();
    const [wAt, gAt, mAt, vAt] = [bench.floats(w), bench.floats(g), bench.floats(m), bench.floats(v)];
    bench.kernels.adamw(n, wAt, gAt, mAt, vAt, 3, 0.01, 0.9, 0.95, 1e-8, 0.1, 0.5);
    const expected = Array.from(w, (weight, i) => {
      const gradient = (g[i] ?? 0) * 0.5;
      const first = (0.9 * (m[i] ?? 0) + 0.1 * gradient) / (1 - 0.9 ** 3);
      const second = (0.95 * (v[i] ?? 0) + 0.05 * gradient ** 2) / (1 - 0.95 ** 3);
      return weight - 0.01 * (first / (Math.sqrt(second) + 1e-8) + 0.1 * weight);
    });
    assertClose([...bench.get(wAt, n)], expected, 1e-6, 'weights');
    assert.deepEqual(bench.get(gAt, n), new Float32Array(n));
    assertClose([bench.kernels.squaredNorm(n, wAt)], [dot(bench.get(wAt, n), bench.get(wAt, n))], 1e-9, 'norm');
  });

  it('draws from the distribution it reports, each stream its own', () => {
    const [V, Vpad, draws] = [5, 8, 20_000];
    const probabilities = [0.5, 0.25, 0.15, 0.09, 0.01];
    const bench = new KernelBench();
    const logits = bench.floats([...probabilities.map(Math.log), 0, 0, 0]);
    const keys = bench.zeros(draws * 2);
    for (let i = 0; i < draws; i++) bench.kernels.streamKey(keys + i * 8, 42, 0, i);
    const [tokens, logprobs, zeros] = [bench.zeros(draws), bench.zeros(draws), bench.zeros(draws)];
    const ones = bench.floats(new Float32Array(draws).fill(1));
    bench.kernels.sampleRows(
      draws,
      V,
      Vpad,
      logits,
      zeros,
      ones,
      ones,
      keys,
      zeros,
      tokens,
      logprobs,
      bench.zeros(Vpad),
    );
    const drawn = [...bench.getInts(tokens, draws)];
    const counts = probabilities.map((_, token) => drawn.filter((t) => t === token).length);
    counts.forEach((count, token) => {
      const p = probabilities[token] ?? 0;
      assert.ok(Math.abs(count / draws - p) < 5 * Math.sqrt((p * (1 - p)) / draws), `token ${token}: ${count}`);
    });
    const reported = bench.get(logprobs, draws);
    drawn.forEach((token, i) => {
      assert.ok(Math.abs((reported[i] ?? NaN) - Math.log(probabilities[token] ?? NaN)) < 1e-5);
    });
  });

  it('fills reproducible uniform numbers', () => {
    const bench = new KernelBench();
    const key = bench.zeros(2);
    bench.kernels.streamKey(key, 1, 0, 0);
    const [x, y] = [bench.zeros(4096), bench.zeros(4096)];
    bench.kernels.fillUniform(4096, x, 2, key);
    bench.kernels.fillUniform(4096, y, 2, key);
    const values = bench.get(x, 4096);
    assert.deepEqual(values, bench.get(y, 4096));
    const mean = values.reduce((a, b) => a + b, 0) / 4096;
    assert.ok(Math.abs(mean) < 0.1 && Math.abs(dot(values, values) / 4096 - 4 / 3) < 0.1);
    bench.kernels.streamKey(key, 1, 1, 0);
    bench.kernels.fillUniform(4096, y, 2, key);
    assert.notDeepEqual(values, bench.get(y, 4096));
  });

  it('keeps token ids in range at the extremes of temperature', () => {
    const [V, Vpad, draws] = [5, 8, 500];
    const bench = new KernelBench();
    const logits = bench.floats([80, -80, 3, 2, 1, 0, 0, 0]);
    const keys = bench.zeros(draws * 2);
    for (let i = 0; i < draws; i++) bench.kernels.streamKey(keys + i * 8, 7, 0, i);
    const temperatures = randomInts(draws, 5, generator(10)).map((k) => 10 ** (2 - k));
    const inverse = bench.floats(temperatures);
    const [tokens, logprobs, zeros] = [bench.zeros(draws), bench.zeros(draws), bench.zeros(draws)];
    bench.kernels.sampleRows(
      draws,
      V,
      Vpad,
      logits,
      zeros,
      inverse,
      inverse,
      keys,
      zeros,
      tokens,
      logprobs,
      bench.zeros(Vpad),
    );
    assert.ok(bench.getInts(tokens, draws).every((token) => token >= 0 && token < V));
    assert.ok(bench.get(logprobs, draws).every((p) => Number.isFinite(p) && p <= 1e-6));
  });
});
