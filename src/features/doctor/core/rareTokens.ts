/**
 * Whether tokens that a model finds improbable are drawn as often as it says, or a min_p or top_p leaves them out. Pure.
 *
 * A place is one sampled token with the log-probabilities of the likeliest ones there. For a cut h and place i, qᵢ is the
 * probability of the tokens that h would leave out. As long as none of them was drawn, Π 1 / (1 − qᵢ) is a martingale with
 * mean 1 where nothing is cut (qᵢ counts as 0 where the list is too short to tell it), whatever the model and whenever one stops; it is 0 from the first one on. So is the mean over
 * all cuts, and by Ville's inequality it ever reaches 1/ε with a probability of at most ε.
 */
import { outOfRange } from '../../../shared/outOfRange.ts';

export interface Place {
  /** Of the sampled token. */
  logprob: number;
  /** Of the likeliest tokens; the sampled one may be among them, or beside them. */
  likeliest: readonly number[];
}

/** How many likeliest tokens a server is asked for. The last of them is not used: some give up its place to the sampled one. */
export const listed = 20;

/** How often a server that cuts nothing is said to cut, at most. */
export const falseAlarms = 1 / 1000;

/** `min_p`: tokens below this share of the likeliest one; `top_p`: tokens beyond those that first add up to this. */
type Cut = { kind: 'min_p' | 'top_p'; at: number };

/** Usual values are 0.1, 0.05, 0.02 and 0.7, 0.8, 0.9, 0.95: a little off them, rounding does not decide. */
const cuts: readonly Cut[] = [
  ...[0.09, 0.045, 0.018, 0.01].map((at) => ({ kind: 'min_p' as const, at })),
  ...[0.72, 0.82, 0.91, 0.955, 0.98].map((at) => ({ kind: 'top_p' as const, at })),
];

/** Servers compute in 16 bits, and some do not show the token that ends a turn: so much of qᵢ is believed. */
const believed = 0.9;

/** Log-probabilities below are those of tokens that cannot be drawn: vLLM has −9999. */
const never = -1000;

/** One cut: expected draws that it would not allow, and those that there were. */
export interface Tried extends Cut {
  expected: number;
  seen: number;
}

export class RareTokens {
  /** Places with a list that is long enough. */
  places = 0;
  /** Places where the server itself says that one of the likeliest cannot be drawn. */
  barred = 0;
  /** Least share of the likeliest one that a sampled token had. */
  least = 1;
  readonly #tried: Tried[] = cuts.map((cut) => ({ ...cut, expected: 0, seen: 0 }));
  /** ln of the product, of each cut. */
  readonly #logs = cuts.map(() => 0);

  add({ logprob, likeliest }: Place): void {
    if (likeliest.length < listed - 1) return;
    const sorted = likeliest.toSorted((a, b) => b - a).slice(0, listed - 1);
    const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
    this.places += 1;
    if (last < never) {
      this.barred += 1;
      return;
    }
    this.least = Math.min(this.least, Math.exp(logprob - first));
    for (const [i, tried] of this.#tried.entries()) {
      const threshold = thresholdOf(tried, sorted);
      if (threshold === null) continue;
      tried.seen += logprob < threshold ? 1 : 0;
      // Else tokens that are not listed may be among those that the cut allows.
      if (last >= threshold) continue;
      const allowed = sorted.reduce((sum, value) => (value >= threshold ? sum + Math.exp(value) : sum), 0);
      const left = believed * Math.min(1, Math.max(0, 1 - allowed));
      tried.expected += left;
      this.#logs[i] = (this.#logs[i] ?? outOfRange()) - Math.log1p(-left);
    }
  }

  /** How much likelier this is where something is cut. Reaches 1/ε by chance with a probability of at most ε. */
  get evidence(): number {
    const each = this.#tried.map(({ seen }, i) => (seen > 0 ? 0 : Math.exp(this.#logs[i] ?? outOfRange())));
    return each.reduce((sum, value) => sum + value, 0) / each.length;
  }

  /** The server cuts. */
  get cut(): boolean {
    return this.barred > 0 || this.evidence >= 1 / falseAlarms;
  }

  /** Tokens were drawn that none of the cuts allows. */
  get whole(): boolean {
    return this.barred === 0 && this.#tried.every(({ seen }) => seen > 0);
  }

  /** The cut that most draws were expected against, and none was seen; null where each has some. */
  get clearest(): Tried | null {
    const open = this.#tried.filter(({ seen }) => seen === 0);
    return open.reduce<Tried | null>((best, one) => (best === null || one.expected > best.expected ? one : best), null);
  }
}

/** Log-probability from which on a cut allows a token; null where the list does not reach so far. */
function thresholdOf({ kind, at }: Cut, sorted: readonly number[]): number | null {
  if (kind === 'min_p') return Math.log(at) + (sorted[0] ?? outOfRange());
  let sum = 0;
  for (const value of sorted) {
    sum += Math.exp(value);
    if (sum >= at) return value;
  }
  return null;
}
