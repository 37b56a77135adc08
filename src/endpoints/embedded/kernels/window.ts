/**
 * The window-3 trick: a position's q, k and v are projected from the normalised vectors of itself and of the two
 * positions before it. Rows of `cat` are 3·d wide: own vector, previous, the one before; absent ones are zero.
 */

/** Fills the last two thirds of each row from the first thirds of rows `prev1[m]` and `prev2[m]` (−1: absent). */
export function windowGather(M: i32, d: i32, cat: usize, prev1: usize, prev2: usize): void {
  const third = (<usize>d) << 2;
  for (let m = 0; m < M; m++) {
    const row = cat + <usize>m * 3 * third;
    fill(row + third, cat, load<i32>(prev1 + ((<usize>m) << 2)), third);
    fill(row + 2 * third, cat, load<i32>(prev2 + ((<usize>m) << 2)), third);
  }
}

// @ts-ignore: decorator
@inline
function fill(at: usize, cat: usize, from: i32, third: usize): void {
  if (from < 0) memory.fill(at, 0, third);
  else memory.copy(at, cat + <usize>from * 3 * third, third);
}

/** Adds the gradients of the last two thirds to the first thirds of the rows they came from, rows ascending. */
export function windowBackward(M: i32, d: i32, dcat: usize, prev1: usize, prev2: usize): void {
  const third = (<usize>d) << 2;
  for (let m = 0; m < M; m++) {
    const row = dcat + <usize>m * 3 * third;
    addTo(dcat, load<i32>(prev1 + ((<usize>m) << 2)), row + third, third);
    addTo(dcat, load<i32>(prev2 + ((<usize>m) << 2)), row + 2 * third, third);
  }
}

// @ts-ignore: decorator
@inline
function addTo(dcat: usize, to: i32, from: usize, third: usize): void {
  if (to < 0) return;
  const at = dcat + <usize>to * 3 * third;
  for (let i: usize = 0; i < third; i += 16) v128.store(at + i, f32x4.add(v128.load(at + i), v128.load(from + i)));
}

/** Decoding: the two previous vectors come from each slot's history (2·d floats, newest first), which then moves on. */
export function windowCached(M: i32, d: i32, cat: usize, slots: usize, history: usize): void {
  const third = (<usize>d) << 2;
  for (let m = 0; m < M; m++) {
    const row = cat + <usize>m * 3 * third;
    const past = history + <usize>load<i32>(slots + ((<usize>m) << 2)) * 2 * third;
    memory.copy(row + third, past, 2 * third);
    memory.copy(past + third, past, third);
    memory.copy(past, row, third);
  }
}
