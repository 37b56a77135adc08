/** The four losses, term by term, as Tinker defines them. q: logprob when sampled, p: logprob now, A: advantage. */
import type { Datum, Loss } from '../../../src/engine/ports.ts';

interface Term {
  /** The token's contribution to the summed loss. */
  value: number;
  /** Its derivative by p. */
  slope: number;
}

const nothing: Term = { value: 0, slope: 0 };

/** The contribution of token i of a datum, when its logprob under the weights being trained is p. */
export function termOf(loss: Loss, datum: Datum, i: number, p: number): Term {
  if (loss.name === 'cross_entropy') {
    const w = datum.weights?.[i] ?? 0;
    return w === 0 ? nothing : { value: -w * p, slope: -w };
  }
  const advantage = datum.advantages?.[i] ?? 0;
  if (advantage === 0) return nothing;
  const ratio = Math.exp(p - (datum.logprobs?.[i] ?? 0));
  if (loss.name === 'importance_sampling') return { value: -ratio * advantage, slope: -ratio * advantage };
  const clipped = Math.min(Math.max(ratio, loss.clipLow), loss.clipHigh);
  // The clipped ratio of CISPO is a constant weight on the logprob.
  if (loss.name === 'cispo') return { value: -clipped * advantage * p, slope: -clipped * advantage };
  return ratio * advantage <= clipped * advantage
    ? { value: -ratio * advantage, slope: -ratio * advantage }
    : { value: -clipped * advantage, slope: 0 };
}
