import { exp4, max4, sum4 } from './math';

/**
 * Causal attention with heads of width 16, an even number of them. A sequence's keys lie in two runs of rows, a shared prefix and its own, so that
 * completions of one prompt read (and, in training, differentiate through) one copy of it. Scores of both runs meet in one
 * contiguous row before the softmax, so the result does not depend on where the sequence was cut.
 */
const HEAD: i32 = 16;
const HEAD_BYTES: usize = 64;
const SCALE: f32 = 0.25; // 1/√16

/** dst[j] = (x0…x3)·row j for j < len; rows are `stride` bytes apart. Up to 3 rows and floats past the end are touched. */
// @ts-ignore: decorator
@inline
function dots(x0: v128, x1: v128, x2: v128, x3: v128, base: usize, len: i32, stride: usize, dst: usize): void {
  for (let j = 0; j < len; j += 4) {
    const a = dot(x0, x1, x2, x3, base);
    const b = dot(x0, x1, x2, x3, base + stride);
    const c = dot(x0, x1, x2, x3, base + 2 * stride);
    const d = dot(x0, x1, x2, x3, base + 3 * stride);
    const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
    const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7));
    v128.store(dst, f32x4.add(v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), v128.shuffle<f32>(ab, cd, 2, 3, 6, 7)));
    base += 4 * stride;
    dst += 16;
  }
}

// @ts-ignore: decorator
@inline
function dot(x0: v128, x1: v128, x2: v128, x3: v128, at: usize): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(x0, v128.load(at)), f32x4.mul(x1, v128.load(at, 16))),
    f32x4.add(f32x4.mul(x2, v128.load(at, 32)), f32x4.mul(x3, v128.load(at, 48))),
  );
}

/** s ← softmax of the n scores at s; 8 floats past the end are set to zero. */
// @ts-ignore: decorator
@inline
function softmax(s: usize, n: i32): void {
  const end = s + ((<usize>n) << 2);
  fill8(end, f32x4.splat(-1e30));
  let top = v128.load(s);
  for (let i = s + 16; i < end; i += 16) top = f32x4.pmax(top, v128.load(i));
  const highest = max4(top);
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  for (let i = s; i < end; i += 32) {
    const a = exp4(f32x4.sub(v128.load(i), highest));
    const b = exp4(f32x4.sub(v128.load(i, 16), highest));
    v128.store(i, a);
    v128.store(i, b, 16);
    even = f32x4.add(even, a);
    odd = f32x4.add(odd, b);
  }
  const norm = f32x4.div(f32x4.splat(1), sum4(f32x4.add(even, odd)));
  for (let i = s; i < end; i += 32) {
    const a = f32x4.mul(v128.load(i), norm);
    const b = f32x4.mul(v128.load(i, 16), norm);
    v128.store(i, a);
    v128.store(i, b, 16);
  }
  fill8(end, f32x4.splat(0));
}

// @ts-ignore: decorator
@inline
function fill8(at: usize, value: v128): void {
  v128.store(at, value);
  v128.store(at, value, 16);
}

/** Softmax of one head's scores of the query at `q`, into `s`. */
// @ts-ignore: decorator
@inline
function scores(
  q: usize, prefix: usize, prefixLen: i32, own: usize, ownLen: i32, stride: usize, s: usize,
): void {
  const scale = f32x4.splat(SCALE);
  const q0 = f32x4.mul(v128.load(q), scale);
  const q1 = f32x4.mul(v128.load(q, 16), scale);
  const q2 = f32x4.mul(v128.load(q, 32), scale);
  const q3 = f32x4.mul(v128.load(q, 48), scale);
  dots(q0, q1, q2, q3, prefix, prefixLen, stride, s);
  dots(q0, q1, q2, q3, own, ownLen, stride, s + ((<usize>prefixLen) << 2));
  softmax(s, prefixLen + ownLen);
}

/**
 * One query of two neighbouring heads (two, because one head's sums would wait for each other): probabilities into `s` and
 * `s + lds`, the mixed values into `out`. Values lie `vOffset` after keys.
 */
function attend(
  q: usize, prefix: usize, prefixLen: i32, own: usize, ownLen: i32,
  stride: usize, vOffset: usize, s: usize, lds: usize, out: usize,
): void {
  scores(q, prefix, prefixLen, own, ownLen, stride, s);
  scores(q + HEAD_BYTES, prefix + HEAD_BYTES, prefixLen, own + HEAD_BYTES, ownLen, stride, s + lds);
  let a0 = f32x4.splat(0), a1 = f32x4.splat(0), a2 = f32x4.splat(0), a3 = f32x4.splat(0);
  let b0 = f32x4.splat(0), b1 = f32x4.splat(0), b2 = f32x4.splat(0), b3 = f32x4.splat(0);
  let v = prefix + vOffset;
  let end = s + ((<usize>prefixLen) << 2);
  for (; s < end; s += 4, v += stride) {
    const w = v128.load32_splat(s);
    a0 = f32x4.add(a0, f32x4.mul(w, v128.load(v)));
    a1 = f32x4.add(a1, f32x4.mul(w, v128.load(v, 16)));
    a2 = f32x4.add(a2, f32x4.mul(w, v128.load(v, 32)));
    a3 = f32x4.add(a3, f32x4.mul(w, v128.load(v, 48)));
    const x = v128.load32_splat(s + lds);
    b0 = f32x4.add(b0, f32x4.mul(x, v128.load(v, 64)));
    b1 = f32x4.add(b1, f32x4.mul(x, v128.load(v, 80)));
    b2 = f32x4.add(b2, f32x4.mul(x, v128.load(v, 96)));
    b3 = f32x4.add(b3, f32x4.mul(x, v128.load(v, 112)));
  }
  v = own + vOffset;
  end += (<usize>ownLen) << 2;
  for (; s < end; s += 4, v += stride) {
    const w = v128.load32_splat(s);
    a0 = f32x4.add(a0, f32x4.mul(w, v128.load(v)));
    a1 = f32x4.add(a1, f32x4.mul(w, v128.load(v, 16)));
    a2 = f32x4.add(a2, f32x4.mul(w, v128.load(v, 32)));
    a3 = f32x4.add(a3, f32x4.mul(w, v128.load(v, 48)));
    const x = v128.load32_splat(s + lds);
    b0 = f32x4.add(b0, f32x4.mul(x, v128.load(v, 64)));
    b1 = f32x4.add(b1, f32x4.mul(x, v128.load(v, 80)));
    b2 = f32x4.add(b2, f32x4.mul(x, v128.load(v, 96)));
    b3 = f32x4.add(b3, f32x4.mul(x, v128.load(v, 112)));
  }
  v128.store(out, a0);
  v128.store(out, a1, 16);
  v128.store(out, a2, 32);
  v128.store(out, a3, 48);
  v128.store(out, b0, 64);
  v128.store(out, b1, 80);
  v128.store(out, b2, 96);
  v128.store(out, b3, 112);
}

/**
 * Packed forward pass. `segments` holds 4 × i32 each: first row, length, prefix's first row, prefix's length. Rows of
 * `qkv` are 3·d floats; probabilities of (row, head) go to `P`, `ldp` floats each (longest context + 8); `out` is M×d.
 */
export function attention(count: i32, segments: usize, d: i32, qkv: usize, P: usize, ldp: i32, out: usize): void {
  const width = (<usize>d) << 2;
  const stride = width * 3;
  const heads = d / HEAD;
  const lds = (<usize>ldp) << 2;
  for (let n = 0; n < count; n++, segments += 16) {
    const start = load<i32>(segments), len = load<i32>(segments, 4);
    const prefixStart = load<i32>(segments, 8), prefixLen = load<i32>(segments, 12);
    for (let h = 0; h < heads; h += 2) {
      const keys = qkv + width + <usize>h * HEAD_BYTES;
      const own = keys + <usize>start * stride;
      const prefix = keys + <usize>prefixStart * stride;
      for (let i = 0; i < len; i++) {
        const row = <usize>(start + i);
        attend(
          own + <usize>i * stride - width, prefix, prefixLen, own, i + 1, stride, width,
          P + (row * <usize>heads + <usize>h) * lds, lds, out + row * width + <usize>h * HEAD_BYTES,
        );
      }
    }
  }
}

/** Backward pass of `attention`: dqkv += … from dout, with the probabilities kept in P. `scratch` holds ldp floats. */
export function attentionBackward(
  count: i32, segments: usize, d: i32,
  qkv: usize, P: usize, ldp: i32, dout: usize, dqkv: usize, scratch: usize,
): void {
  const width = (<usize>d) << 2;
  const stride = width * 3;
  const heads = d / HEAD;
  for (let n = 0; n < count; n++, segments += 16) {
    const start = load<i32>(segments), len = load<i32>(segments, 4);
    const prefixStart = load<i32>(segments, 8), prefixLen = load<i32>(segments, 12);
    for (let h = 0; h < heads; h++) {
      const head = <usize>h * HEAD_BYTES;
      const own = <usize>start * stride + width + head;
      const prefix = <usize>prefixStart * stride + width + head;
      for (let i = 0; i < len; i++) {
        const row = <usize>(start + i);
        const p = P + (((row * <usize>heads + <usize>h) * <usize>ldp) << 2);
        const go = dout + row * width + head;
        const g0 = v128.load(go), g1 = v128.load(go, 16), g2 = v128.load(go, 32), g3 = v128.load(go, 48);
        dots(g0, g1, g2, g3, qkv + prefix + width, prefixLen, stride, scratch);
        dots(g0, g1, g2, g3, qkv + own + width, i + 1, stride, scratch + ((<usize>prefixLen) << 2));
        const bytes = (<usize>(prefixLen + i + 1)) << 2;
        fill8(scratch + bytes, f32x4.splat(0));
        let t = f32x4.splat(0);
        for (let k: usize = 0; k < bytes; k += 16) {
          t = f32x4.add(t, f32x4.mul(v128.load(p + k), v128.load(scratch + k)));
        }
        const mean = sum4(t);
        const scale = f32x4.splat(SCALE);
        for (let k: usize = 0; k < bytes; k += 32) {
          const a = f32x4.mul(v128.load(p + k), f32x4.sub(v128.load(scratch + k), mean));
          const b = f32x4.mul(v128.load(p + k, 16), f32x4.sub(v128.load(scratch + k, 16), mean));
          v128.store(scratch + k, f32x4.mul(a, scale));
          v128.store(scratch + k, f32x4.mul(b, scale), 16);
        }
        const q = own + <usize>i * stride - width;
        keyGradient(g0, g1, g2, g3, qkv, dqkv, q, prefix, prefixLen, stride, width, scratch, p);
        const after = (<usize>prefixLen) << 2;
        keyGradient(g0, g1, g2, g3, qkv, dqkv, q, own, i + 1, stride, width, scratch + after, p + after);
      }
    }
  }
}

/** dq += Σ ds[j]·k[j]; dk[j] += ds[j]·q; dv[j] += p[j]·dout. `q` and `k` are offsets in both qkv and dqkv. */
// @ts-ignore: decorator
@inline
function keyGradient(
  g0: v128, g1: v128, g2: v128, g3: v128,
  qkv: usize, dqkv: usize, q: usize, key: usize, len: i32, stride: usize, vOffset: usize, ds: usize, p: usize,
): void {
  const dq = dqkv + q;
  const q0 = v128.load(qkv + q), q1 = v128.load(qkv + q, 16), q2 = v128.load(qkv + q, 32), q3 = v128.load(qkv + q, 48);
  let s0 = v128.load(dq), s1 = v128.load(dq, 16), s2 = v128.load(dq, 32), s3 = v128.load(dq, 48);
  let k = qkv + key;
  let dk = dqkv + key;
  for (let j = 0; j < len; j++, ds += 4, p += 4, k += stride, dk += stride) {
    const w = v128.load32_splat(ds);
    s0 = f32x4.add(s0, f32x4.mul(w, v128.load(k)));
    s1 = f32x4.add(s1, f32x4.mul(w, v128.load(k, 16)));
    s2 = f32x4.add(s2, f32x4.mul(w, v128.load(k, 32)));
    s3 = f32x4.add(s3, f32x4.mul(w, v128.load(k, 48)));
    add4(dk, w, q0, q1, q2, q3);
    add4(dk + vOffset, v128.load32_splat(p), g0, g1, g2, g3);
  }
  v128.store(dq, s0);
  v128.store(dq, s1, 16);
  v128.store(dq, s2, 32);
  v128.store(dq, s3, 48);
}

/** The 16 floats at `at` += w·(x0…x3). All are read before any is written, so that 256-bit pairs can be made. */
// @ts-ignore: decorator
@inline
function add4(at: usize, w: v128, x0: v128, x1: v128, x2: v128, x3: v128): void {
  const y0 = f32x4.add(v128.load(at), f32x4.mul(w, x0));
  const y1 = f32x4.add(v128.load(at, 16), f32x4.mul(w, x1));
  const y2 = f32x4.add(v128.load(at, 32), f32x4.mul(w, x2));
  const y3 = f32x4.add(v128.load(at, 48), f32x4.mul(w, x3));
  v128.store(at, y0);
  v128.store(at, y1, 16);
  v128.store(at, y2, 32);
  v128.store(at, y3, 48);
}

/** Copies k and v (2·d floats) of `count` packed rows into a cache block. */
export function copyKeys(count: i32, d: i32, qkv: usize, block: usize): void {
  const width = (<usize>d) << 2;
  for (let i = 0; i < count; i++) {
    memory.copy(block, qkv + width, 2 * width);
    qkv += 3 * width;
    block += 2 * width;
  }
}

/**
 * Decoding. `cells` holds 4 × i32 a row: address of the prefix block, its length, address of the row's own block, its
 * length; `layer` is the byte offset of this layer inside every block. Writes row m's k and v at the end of its own block.
 */
export function storeKeys(M: i32, d: i32, cells: usize, layer: usize, qkv: usize): void {
  const width = (<usize>d) << 2;
  for (let m = 0; m < M; m++, cells += 16, qkv += 3 * width) {
    const at = <usize>load<i32>(cells, 8) + layer + <usize>load<i32>(cells, 12) * 2 * width;
    memory.copy(at, qkv + width, 2 * width);
  }
}

/** Attention of one query a row over its cached keys; `fresh` more keys than its length says stand in its own block.
 * `scratch` holds 2·ldp floats. */
export function attendCached(
  M: i32, d: i32, cells: usize, layer: usize, fresh: i32,
  qkv: usize, scratch: usize, ldp: i32, out: usize,
): void {
  const width = (<usize>d) << 2;
  const heads = d / HEAD;
  for (let m = 0; m < M; m++, cells += 16, qkv += 3 * width, out += width) {
    const prefix = <usize>load<i32>(cells) + layer;
    const own = <usize>load<i32>(cells, 8) + layer;
    for (let h = 0; h < heads; h += 2) {
      const head = <usize>h * HEAD_BYTES;
      attend(
        qkv + head, prefix + head, load<i32>(cells, 4), own + head, load<i32>(cells, 12) + fresh,
        2 * width, width, scratch, (<usize>ldp) << 2, out + head,
      );
    }
  }
}
