/** x[m] = table[tokens[m]]; rows of d floats. */
export function embed(M: i32, d: i32, tokens: usize, table: usize, x: usize): void {
  gatherRows(M, d, tokens, table, d, x);
}

/** dtable[tokens[m]] += dx[m], rows in ascending order. */
export function embedBackward(M: i32, d: i32, tokens: usize, dx: usize, dtable: usize): void {
  const bytes = (<usize>d) << 2;
  for (let m = 0; m < M; m++) {
    const t = dtable + <usize>load<i32>(tokens + ((<usize>m) << 2)) * bytes;
    for (let i: usize = 0; i < bytes; i += 16) v128.store(t + i, f32x4.add(v128.load(t + i), v128.load(dx + i)));
    dx += bytes;
  }
}

/** y[m] = x[index[m]] for rows of `width` floats that lie `ldx` apart in x and `width` apart in y. */
export function gatherRows(M: i32, width: i32, index: usize, x: usize, ldx: i32, y: usize): void {
  const bytes = (<usize>width) << 2;
  const row = (<usize>ldx) << 2;
  for (let m = 0; m < M; m++) {
    memory.copy(y, x + <usize>load<i32>(index + ((<usize>m) << 2)) * row, bytes);
    y += bytes;
  }
}
