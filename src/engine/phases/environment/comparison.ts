/**
 * GRPO over the environment's texts (R-Zero, arXiv 2508.05004; prime-rl's hierarchical GRPO of proposers and solvers):
 * texts written after the same words are compared, and the loss, clip and KL are those of the agent's GRPO. Texts that
 * became no task take part with their own reward.
 */
import type { Generation, Task } from '../../../shared/records/task.ts';
import type { EventOf } from '../../../shared/journal/events.ts';
import { largest } from '../../../shared/extremes.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Loop } from '../../loop.ts';
import { effectiveSampleSize } from '../../math/curriculum.ts';
import { shapeAdvantages } from '../../math/kl.ts';
import { prefixAdvantages, type Advantages } from '../../math/prefixAdvantages.ts';
import { advantageDatum, sampledCount } from '../../math/sequence.ts';
import type { Datum, Loss, PolicyVersion } from '../../ports.ts';
import { Rng } from '../../random.ts';
import type { Lesson, Simulators, Teacher } from './lesson.ts';
import { anchors, type Kept, type RegressionSet } from './regressionSet.ts';

/** A text with its reward. */
interface Text {
  id: string;
  family: string;
  sequence: Generation;
  reward: number;
  /** The share of its advantage after the difficulty filter. */
  keep: number;
}

export interface Compared {
  texts: readonly Text[];
  /** By text and sampled span. */
  advantages: Advantages['advantages'];
  counts: NonNullable<EventOf<'environment.updated'>['compared']>;
  /** Of the texts' shares of all advantages. */
  effectiveSampleSize: number;
}

/** An epoch's kept texts, and those that became no task, each grouped with the texts sampled after the same words. */
export function compareTexts(
  { instances }: Pick<RegressionSet, 'instances'>,
  tasks: readonly Pick<Task, 'id' | 'family' | 'status' | 'generation'>[],
  { advantageNorm, invalidReward }: Loop['experiment']['environment'],
): Compared {
  const kept = instances.map(({ key, family, sequence, reward, keep }: Kept): Text => {
    return { id: key, family, sequence, reward, keep };
  });
  const invalid = tasks.flatMap(({ id, family, status, generation }): Text[] =>
    status === 'accepted' || generation === undefined || invalidReward === null
      ? []
      : [{ id, family, sequence: generation, reward: invalidReward, keep: 1 }],
  );
  const texts = [...kept, ...invalid].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { advantages, groups, alike } = prefixAdvantages(
    texts.map(({ family, sequence, reward }) => ({ family, ...sequence, reward })),
    advantageNorm,
  );
  const sizes = advantages.map((spans, i) => (texts[i]?.keep ?? 0) * largest([0, ...spans.map(Math.abs)]));
  return {
    texts,
    advantages,
    counts: { groups, alike, texts: texts.length, invalid: invalid.length },
    effectiveSampleSize: effectiveSampleSize(sizes),
  };
}

export class Comparison implements Teacher {
  readonly #loop: Loop;
  readonly #epoch: number;
  readonly #simulators: Simulators;
  readonly #compared: Compared;
  /** Per sampled token, with the KL to the initial simulator in them; filled before the first step. */
  #shaped: { sequence: Generation; advantages: number[] }[] | null = null;

  constructor(loop: Loop, epoch: number, simulators: Simulators, compared: Compared) {
    this.#loop = loop;
    this.#epoch = epoch;
    this.#simulators = simulators;
    this.#compared = compared;
  }

  async lesson(version: PolicyVersion, step: number): Promise<Lesson> {
    const { environment } = this.#loop.experiment;
    const { baseShare, minibatch: size, tokenWeights } = environment;
    const wanted = Math.round(size * baseShare);
    const anchored = await anchors(this.#loop, this.#simulators.policy, this.#epoch, step, wanted);
    const own = this.#part(await this.#examples(), step, Math.max(1, size - anchored.length));
    const left = anchored.length === 0 ? 1 : 1 - baseShare;
    const per = (sequence: Pick<Generation, 'spans'>): number =>
      tokenWeights === 'instance' ? Math.max(1, sampledCount(sequence)) : 1;
    const data = own.map(({ sequence, advantages }) =>
      advantageDatum(
        sequence,
        advantages.map((advantage) => (advantage * left) / own.length / per(sequence)),
      ),
    );
    // At a ratio of 1 a policy gradient is that of cross-entropy: anchors share the batch and the loss.
    const current = await this.#simulators.logprobs(
      version,
      anchored.map(({ sequence }) => sequence),
    );
    const anchorData = anchored.map(({ sequence, weight }, i): Datum => {
      const each = (weight * baseShare) / per(sequence);
      const logprobs = current[i] ?? outOfRange();
      return advantageDatum({ ...sequence, logprobs }, new Array<number>(sampledCount(sequence)).fill(each));
    });
    return {
      data: [...data, ...anchorData],
      loss: lossOf(environment),
      tokens: [...own, ...anchored].reduce((sum, { sequence }) => sum + sampledCount(sequence), 0),
    };
  }

  /** Step by step through all texts in a new order, then again. */
  #part<T>(examples: readonly T[], step: number, size: number): T[] {
    const perPass = Math.ceil(examples.length / size);
    const [pass, part] = [Math.floor(step / perPass), step % perPass];
    const order = Rng.from(this.#loop.experiment.seed, 'environment-order', this.#epoch, pass).shuffle(examples);
    return order.slice(part * size, (part + 1) * size);
  }

  async #examples(): Promise<{ sequence: Generation; advantages: number[] }[]> {
    if (this.#shaped !== null) return this.#shaped;
    const { texts, advantages } = this.#compared;
    const { klCoefficient } = this.#loop.experiment.environment;
    const each = texts.map(({ sequence, keep }, i) => spread(sequence, advantages[i] ?? [], keep));
    const sequences = texts.map(({ sequence }) => sequence);
    const shaped =
      klCoefficient === 0
        ? each
        : shapeAdvantages(
            each,
            sequences.map(({ logprobs }) => logprobs),
            await this.#simulators.initialLogprobs(sequences),
            klCoefficient,
          ).advantages;
    this.#shaped = sequences.map((sequence, i) => ({ sequence, advantages: shaped[i] ?? outOfRange() }));
    return this.#shaped;
  }
}

/** A span's advantage on each of its tokens. */
const spread = ({ spans }: Generation, advantages: readonly number[], keep: number): number[] =>
  spans.flatMap(([start, end], i) => new Array<number>(end - start).fill((advantages[i] ?? outOfRange()) * keep));

const lossOf = ({ loss, clipLow, clipHigh }: Loop['experiment']['environment']): Loss =>
  loss === 'importance_sampling' ? { name: loss } : { name: loss, clipLow, clipHigh };
