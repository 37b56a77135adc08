/**
 * The way back under the total KL cap: steps along the gradient of KL(π ‖ initial) itself, on the texts it is measured
 * on. It is estimated by mean (p/q)(ln p − ln b) (`klAfter`), whose gradient is mean (p/q)(ln p − ln b + c)∇ln p for any
 * c, as (p/q)∇ln p is 0 in expectation; c makes the mean 0. The cap is ours, the paper names none (§2.4).
 */
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { pullBack } from '../../math/kl.ts';
import { sampledCount, weightDatum } from '../../math/sequence.ts';
import { Rng } from '../../random.ts';
import type { Lesson } from './lesson.ts';
import type { TrainedSteps } from './trainedSteps.ts';
import type { Written } from './written.ts';

/** Most steps back in one update; where they do not suffice, the next update begins with more. */
const mostSteps = 8;

/** Share of a gradient and of a rate at which a step moves no weight that counts. */
const still = 1e-6;

/**
 * Steps back until the KL is at the cap or below, none of which leads far: Adam moves a weight whose gradient is new by up
 * to 1/√(1 − β₂) times its rate, so the first rate is √(1 − β₂) of the learning rate; it doubles up to the learning rate
 * while the KL falls, and is quartered where it rises. They have no momentum, as that of the steps before leads away; a
 * last step clears theirs, or the next update would begin with a long step further back.
 *
 * @returns steps back, and the KL before the first, in nats per token; null where the KL is not past the cap
 */
export async function leadBack(
  steps: TrainedSteps,
  written: Written,
  { environment, seed }: Experiment,
  epoch: number,
): Promise<{ steps: number; from: number } | null> {
  const { adam, learningRate, minibatch, totalKlCap: cap } = environment;
  const from = steps.kl.initial;
  if (cap === null || from <= cap) return null;
  const lesson = (step: number, scale: number): Lesson =>
    lessonBack(written, steps.now, Rng.from(seed, 'way-back', epoch, step), { minibatch, scale });
  let rate = learningRate * Math.sqrt(1 - adam.beta2);
  let taken = 0;
  while (taken < mostSteps && steps.kl.initial > cap) {
    const before = steps.kl.initial;
    await steps.take(lesson(taken, 1), { ...adam, beta1: 0, learningRate: rate });
    rate = steps.kl.initial < before ? Math.min(2 * rate, learningRate) : rate / 4;
    taken += 1;
  }
  await steps.take(lesson(taken, still), { ...adam, beta1: 0, learningRate: learningRate * still });
  return { steps: taken, from };
}

function lessonBack(
  written: Written,
  now: readonly number[],
  rng: Rng,
  { minibatch, scale }: { minibatch: number; scale: number },
): Lesson {
  let at = 0;
  const texts = written.sequences.map((sequence) => {
    const part = [at, at + sampledCount(sequence)] as const;
    [, at] = part;
    const of = (all: readonly number[]): number[] => all.slice(...part);
    return { sequence, sampled: of(written.sampled), now: of(now), initial: of(written.initial) };
  });
  const drawn = rng.pick(texts, minibatch);
  const pulls = pullBack(drawn);
  return {
    data: drawn.map(({ sequence }, i) => {
      const weights = pulls[i] ?? outOfRange();
      return weightDatum(
        sequence,
        weights.map((weight) => weight * scale),
      );
    }),
    loss: { name: 'cross_entropy' },
    tokens: drawn.reduce((sum, { sampled }) => sum + sampled.length, 0),
  };
}
