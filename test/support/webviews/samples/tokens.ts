/** A page's state as tests show it. */
import type { ShownToken, ShownTokens } from '../../../../src/features/tokens/contract.ts';

const words = 'first set f3 rice 4 second get f1 milk third clear f7 beans <end>'.split(' ');
const ratios = [1, 0.97, 1.3, 1, 0.7, 1, 1, 1, 1.45, 1, 1, 0.99, 1, 1];

const token = (at: number, advantage: number): ShownToken => {
  const sampled = -[0, 0.01, 0.9, 0.2, 1.4, 0, 0.05, 0.3, 2.6, 0, 0, 0.1, 0.4, 0][at % 14]!;
  const ratio = ratios[at % ratios.length] ?? 1;
  const clip = advantage < 0 ? (ratio < 0.8 ? 'below' : 'free') : ratio > 1.2 ? 'above' : 'free';
  const now = sampled + Math.log(ratio);
  return {
    id: at,
    text: words[at % words.length] ?? '',
    sampled,
    entropy: 0.1 + (at % 5) / 4,
    now,
    ratio,
    advantage,
    clip,
  };
};

/** Two answers of the agent, all of which is known. */
export const tokens = (more: Partial<ShownTokens> = {}): ShownTokens => ({
  of: 'run',
  ...{ run: '/runs/one', runName: 'embedded demo', trace: 'e3/e3.f2.v1/r0', sampledBy: 'agent@2', other: 'agent@3' },
  ...{ versions: ['agent@4', 'agent@3', 'agent@2'], verdict: 'solved', reward: 1, loss: 'ppo' },
  ...{ clipLow: 0.8, clipHigh: 1.2, shaped: false, recomputed: 4.2e-7, without: null, why: {}, message: null },
  answers: [0, 2].map((turn) => ({ turn, tokens: words.map((_, at) => token(at, 1.5)) })),
  ...more,
});

/** As those of a server that returned tokens without log-probabilities, in an attempt that taught nothing. */
export const unknownTokens = (): ShownTokens => {
  const { answers } = tokens();
  const nothing = { text: null, sampled: null, entropy: null, now: null, ratio: null, advantage: null, clip: null };
  return tokens({
    ...{ other: null, versions: [], recomputed: null },
    answers: answers.map((answer) => ({ ...answer, tokens: answer.tokens.map(({ id }) => ({ id, ...nothing })) })),
    why: {
      ...{ text: 'no-words', sampled: 'no-logprobs', entropy: 'server', now: 'server' },
      ...{ advantage: 'hopeless', clip: 'no-ratio' },
    },
  });
};
