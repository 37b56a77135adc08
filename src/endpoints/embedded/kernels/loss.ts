/** Loss kinds, as `lossCodes` in trainer.ts numbers them. */
const CROSS_ENTROPY: i32 = 0;
const IMPORTANCE_SAMPLING: i32 = 1;
const PPO: i32 = 2;
const CISPO: i32 = 3;

/**
 * The summed loss over n tokens, and g[i] = ∂loss/∂p[i]. p: current logprobs; q: sampling logprobs; a: weights for
 * cross_entropy, advantages otherwise. With r = exp(p − q):
 * cross_entropy −Σ a·p; importance_sampling −Σ r·a; ppo −Σ min(r·a, clip(r)·a); cispo −Σ stopgrad(clip(r))·p·a.
 */
export function lossGradient(kind: i32, n: i32, p: usize, q: usize, a: usize, low: f64, high: f64, g: usize): f64 {
  let loss: f64 = 0;
  for (let i = 0; i < n; i++) {
    const o = (<usize>i) << 2;
    const weight = <f64>load<f32>(a + o);
    const logprob = <f64>load<f32>(p + o);
    let slope: f64 = 0;
    // A token without weight contributes nothing, however large its ratio (0·∞ is not a number).
    if (weight != 0) {
      if (kind == CROSS_ENTROPY) {
        loss -= weight * logprob;
        slope = -weight;
      } else {
        const ratio = Math.exp(logprob - <f64>load<f32>(q + o));
        const clipped = min(max(ratio, low), high);
        if (kind == IMPORTANCE_SAMPLING) {
          loss -= ratio * weight;
          slope = -ratio * weight;
        } else if (kind == PPO) {
          const free = ratio * weight;
          const bound = clipped * weight;
          loss -= min(free, bound);
          slope = free <= bound ? -free : 0;
        } else if (kind == CISPO) {
          loss -= clipped * logprob * weight;
          slope = -clipped * weight;
        }
      }
    }
    store<f32>(g + o, <f32>slope);
  }
  return loss;
}
