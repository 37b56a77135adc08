/**
 * Matrix products. Weights are stored panel-major: a K×N matrix is N/8 panels, each K rows of 8 adjacent columns, so that
 * the inner loop reads B straight through. Leading dimensions (`ld…`) are in floats. N is a multiple of 8, K of 4.
 *
 * Each output element is Σ over k ascending, one multiplication and one addition at a time, in every tile shape.
 */

/** Rows of A per block: a block and one panel of B stay in the first-level cache. */
const ROWS: i32 = 32;

/** C = A·B, or C += A·B with `add`. A is M×K row-major, B panel-major, C M×N row-major. */
export function gemm(
  M: i32, N: i32, K: i32,
  A: usize, lda: i32, B: usize, C: usize, ldc: i32,
  add: i32,
): void {
  const ra = (<usize>lda) << 2;
  const rc = (<usize>ldc) << 2;
  const panel = (<usize>K) << 5;
  for (let m0 = 0; m0 < M; m0 += ROWS) {
    const m1 = min(m0 + ROWS, M);
    for (let n = 0; n < N; n += 8) {
      const b = B + <usize>(n >> 3) * panel;
      let m = m0;
      for (; m + 4 <= m1; m += 4) {
        tile4(K, A + <usize>m * ra, ra, b, C + <usize>m * rc + ((<usize>n) << 2), rc, add);
      }
      for (; m < m1; m++) tile1(K, A + <usize>m * ra, b, C + <usize>m * rc + ((<usize>n) << 2), add);
    }
  }
}

// @ts-ignore: decorator
@inline
function tile4(K: i32, a0: usize, ra: usize, b: usize, c: usize, rc: usize, add: i32): void {
  let a1 = a0 + ra;
  let a2 = a1 + ra;
  let a3 = a2 + ra;
  let c00 = f32x4.splat(0), c01 = f32x4.splat(0);
  let c10 = f32x4.splat(0), c11 = f32x4.splat(0);
  let c20 = f32x4.splat(0), c21 = f32x4.splat(0);
  let c30 = f32x4.splat(0), c31 = f32x4.splat(0);
  const end = a0 + ((<usize>K) << 2);
  while (a0 < end) {
    let b0 = v128.load(b), b1 = v128.load(b, 16);
    let x = v128.load32_splat(a0);
    c00 = f32x4.add(c00, f32x4.mul(x, b0)); c01 = f32x4.add(c01, f32x4.mul(x, b1));
    x = v128.load32_splat(a1);
    c10 = f32x4.add(c10, f32x4.mul(x, b0)); c11 = f32x4.add(c11, f32x4.mul(x, b1));
    x = v128.load32_splat(a2);
    c20 = f32x4.add(c20, f32x4.mul(x, b0)); c21 = f32x4.add(c21, f32x4.mul(x, b1));
    x = v128.load32_splat(a3);
    c30 = f32x4.add(c30, f32x4.mul(x, b0)); c31 = f32x4.add(c31, f32x4.mul(x, b1));

    b0 = v128.load(b, 32); b1 = v128.load(b, 48);
    x = v128.load32_splat(a0, 4);
    c00 = f32x4.add(c00, f32x4.mul(x, b0)); c01 = f32x4.add(c01, f32x4.mul(x, b1));
    x = v128.load32_splat(a1, 4);
    c10 = f32x4.add(c10, f32x4.mul(x, b0)); c11 = f32x4.add(c11, f32x4.mul(x, b1));
    x = v128.load32_splat(a2, 4);
    c20 = f32x4.add(c20, f32x4.mul(x, b0)); c21 = f32x4.add(c21, f32x4.mul(x, b1));
    x = v128.load32_splat(a3, 4);
    c30 = f32x4.add(c30, f32x4.mul(x, b0)); c31 = f32x4.add(c31, f32x4.mul(x, b1));

    b0 = v128.load(b, 64); b1 = v128.load(b, 80);
    x = v128.load32_splat(a0, 8);
    c00 = f32x4.add(c00, f32x4.mul(x, b0)); c01 = f32x4.add(c01, f32x4.mul(x, b1));
    x = v128.load32_splat(a1, 8);
    c10 = f32x4.add(c10, f32x4.mul(x, b0)); c11 = f32x4.add(c11, f32x4.mul(x, b1));
    x = v128.load32_splat(a2, 8);
    c20 = f32x4.add(c20, f32x4.mul(x, b0)); c21 = f32x4.add(c21, f32x4.mul(x, b1));
    x = v128.load32_splat(a3, 8);
    c30 = f32x4.add(c30, f32x4.mul(x, b0)); c31 = f32x4.add(c31, f32x4.mul(x, b1));

    b0 = v128.load(b, 96); b1 = v128.load(b, 112);
    x = v128.load32_splat(a0, 12);
    c00 = f32x4.add(c00, f32x4.mul(x, b0)); c01 = f32x4.add(c01, f32x4.mul(x, b1));
    x = v128.load32_splat(a1, 12);
    c10 = f32x4.add(c10, f32x4.mul(x, b0)); c11 = f32x4.add(c11, f32x4.mul(x, b1));
    x = v128.load32_splat(a2, 12);
    c20 = f32x4.add(c20, f32x4.mul(x, b0)); c21 = f32x4.add(c21, f32x4.mul(x, b1));
    x = v128.load32_splat(a3, 12);
    c30 = f32x4.add(c30, f32x4.mul(x, b0)); c31 = f32x4.add(c31, f32x4.mul(x, b1));

    a0 += 16; a1 += 16; a2 += 16; a3 += 16; b += 128;
  }
  put(c, c00, c01, add);
  put(c + rc, c10, c11, add);
  put(c + 2 * rc, c20, c21, add);
  put(c + 3 * rc, c30, c31, add);
}

// @ts-ignore: decorator
@inline
function tile1(K: i32, a: usize, b: usize, c: usize, add: i32): void {
  let c0 = f32x4.splat(0), c1 = f32x4.splat(0);
  const end = a + ((<usize>K) << 2);
  while (a < end) {
    let x = v128.load32_splat(a);
    c0 = f32x4.add(c0, f32x4.mul(x, v128.load(b))); c1 = f32x4.add(c1, f32x4.mul(x, v128.load(b, 16)));
    x = v128.load32_splat(a, 4);
    c0 = f32x4.add(c0, f32x4.mul(x, v128.load(b, 32))); c1 = f32x4.add(c1, f32x4.mul(x, v128.load(b, 48)));
    x = v128.load32_splat(a, 8);
    c0 = f32x4.add(c0, f32x4.mul(x, v128.load(b, 64))); c1 = f32x4.add(c1, f32x4.mul(x, v128.load(b, 80)));
    x = v128.load32_splat(a, 12);
    c0 = f32x4.add(c0, f32x4.mul(x, v128.load(b, 96))); c1 = f32x4.add(c1, f32x4.mul(x, v128.load(b, 112)));
    a += 16; b += 128;
  }
  put(c, c0, c1, add);
}

// @ts-ignore: decorator
@inline
function put(c: usize, x0: v128, x1: v128, add: i32): void {
  if (add) {
    x0 = f32x4.add(v128.load(c), x0);
    x1 = f32x4.add(v128.load(c, 16), x1);
  }
  v128.store(c, x0);
  v128.store(c, x1, 16);
}

/** dW += Xᵀ·dY, the gradient of Y = X·W: X is M×K, dY M×N, both row-major; dW is K×N panel-major. Rows in ascending order. */
export function gemmTransposed(M: i32, N: i32, K: i32, X: usize, ldx: i32, dY: usize, ldy: i32, dW: usize): void {
  const rx = (<usize>ldx) << 2;
  const ry = (<usize>ldy) << 2;
  for (let m0 = 0; m0 < M; m0 += ROWS) {
    const rows = min(ROWS, M - m0);
    const x0 = X + <usize>m0 * rx;
    const y0 = dY + <usize>m0 * ry;
    for (let n = 0; n < N; n += 8) {
      const y = y0 + ((<usize>n) << 2);
      let c = dW + (((<usize>(n >> 3)) * (<usize>K)) << 5);
      for (let k = 0; k < K; k += 4) {
        outer4(rows, x0 + ((<usize>k) << 2), rx, y, ry, c);
        c += 128;
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function outer4(rows: i32, x: usize, rx: usize, y: usize, ry: usize, c: usize): void {
  let c00 = v128.load(c), c01 = v128.load(c, 16);
  let c10 = v128.load(c, 32), c11 = v128.load(c, 48);
  let c20 = v128.load(c, 64), c21 = v128.load(c, 80);
  let c30 = v128.load(c, 96), c31 = v128.load(c, 112);
  for (let m = 0; m < rows; m++) {
    const b0 = v128.load(y), b1 = v128.load(y, 16);
    let a = v128.load32_splat(x);
    c00 = f32x4.add(c00, f32x4.mul(a, b0)); c01 = f32x4.add(c01, f32x4.mul(a, b1));
    a = v128.load32_splat(x, 4);
    c10 = f32x4.add(c10, f32x4.mul(a, b0)); c11 = f32x4.add(c11, f32x4.mul(a, b1));
    a = v128.load32_splat(x, 8);
    c20 = f32x4.add(c20, f32x4.mul(a, b0)); c21 = f32x4.add(c21, f32x4.mul(a, b1));
    a = v128.load32_splat(x, 12);
    c30 = f32x4.add(c30, f32x4.mul(a, b0)); c31 = f32x4.add(c31, f32x4.mul(a, b1));
    x += rx; y += ry;
  }
  v128.store(c, c00); v128.store(c, c01, 16);
  v128.store(c, c10, 32); v128.store(c, c11, 48);
  v128.store(c, c20, 64); v128.store(c, c21, 80);
  v128.store(c, c30, 96); v128.store(c, c31, 112);
}

/** T = Wᵀ, both panel-major: W is K×N, T is N×K. Makes dX = dY·Wᵀ an ordinary `gemm`. K is a multiple of 8. */
export function transposePanels(K: i32, N: i32, W: usize, T: usize): void {
  for (let k = 0; k < K; k++) {
    const t = T + ((((<usize>(k >> 3)) * (<usize>N)) << 3) + (<usize>(k & 7)) << 2);
    for (let n = 0; n < N; n++) {
      const w = W + (((((<usize>(n >> 3)) * (<usize>K) + <usize>k) << 3) + <usize>(n & 7)) << 2);
      store<f32>(t + ((<usize>n) << 5), load<f32>(w));
    }
  }
}
