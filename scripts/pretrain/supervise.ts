import type { AdamParams, Datum } from '../../src/engine/ports.ts';
import { render } from '../../src/endpoints/embedded/render.ts';
import type { EmbeddedTrainer } from '../../src/endpoints/embedded/model/trainer.ts';
import type { Message } from '../../src/shared/records/message.ts';

export interface Schedule extends Pick<AdamParams, 'weightDecay' | 'gradClipNorm'> {
  steps: number;
  /** Sequences a step. */
  batch: number;
  /** Peak; linear warm-up over the first steps, then cosine decay to `floor` of it. */
  learningRate: number;
  warmup: number;
  floor: number;
}

const betas = { beta1: 0.9, beta2: 0.98, epsilon: 1e-8 };

function rate({ steps, learningRate, warmup, floor }: Schedule, step: number): number {
  if (step < warmup) return (learningRate * (step + 1)) / warmup;
  const progress = (step - warmup) / Math.max(1, steps - warmup);
  return learningRate * (floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * progress)));
}

/** A conversation as training data: cross-entropy on the assistant's turns alone. */
function datumOf(trainer: EmbeddedTrainer, conversation: readonly Message[]): { datum: Datum; tokens: number } {
  const { tokens, spans } = render(trainer.vocabulary, conversation);
  const weights = new Array<number>(tokens.length).fill(0);
  for (const [start, end] of spans) weights.fill(1, start, end);
  return { datum: { tokens, weights }, tokens: weights.reduce((sum, weight) => sum + weight, 0) };
}

/**
 * Supervised training, loss averaged over the assistant's tokens of a batch.
 * @param conversations an endless supply
 * @param onStep told of every step: its loss in nats per token
 */
export function supervise(
  trainer: EmbeddedTrainer,
  schedule: Schedule,
  conversations: Iterator<readonly Message[], never>,
  onStep: (step: number, loss: number) => void,
): void {
  for (let step = 0; step < schedule.steps; step++) {
    const batch = Array.from({ length: schedule.batch }, () => datumOf(trainer, conversations.next().value));
    const tokens = batch.reduce((sum, entry) => sum + entry.tokens, 0);
    const data = batch.map(({ datum: { tokens: ids, weights = [] } }) => ({
      tokens: ids,
      weights: weights.map((weight) => weight / tokens),
    }));
    const { loss } = trainer.accumulate(data, { name: 'cross_entropy' });
    const { weightDecay, gradClipNorm } = schedule;
    trainer.step({ ...betas, weightDecay, gradClipNorm, learningRate: rate(schedule, step) });
    onStep(step, loss);
  }
}
