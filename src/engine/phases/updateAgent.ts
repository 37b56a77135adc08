/**
 * The agent's update: GRPO (paper §2.4; cookbook recipe for the primitives). Group-relative advantages, constant groups
 * dropped and counted, optional KL to the initial agent, our own normalisation.
 */
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import type { Sequence, Trace } from '../../shared/records/trace.ts';
import { bothOrNeither, pauseIfAsked, timed, trainable, type Loop } from '../loop.ts';
import { groupAdvantages } from '../math/advantage.ts';
import { entropyAfter, klAfter, klV1, klV2, shapeAdvantages } from '../math/kl.ts';
import { advantageDatum, atSampled, recordedLoss, sampledCount } from '../math/sequence.ts';
import type { Datum, Loss, PolicyVersion, TrainablePolicy } from '../ports.ts';
import { Rng } from '../random.ts';
import type { Group } from './attempts/attemptPlan.ts';
import { sortGroups } from './groups.ts';
import { batchTrainer } from './byJob/jobs.ts';
import { sampledLogprobs } from './logprobs.ts';
import { roundNamed, roundStream, type Round } from './rounds.ts';
import { updateAgentByJob } from './byJob/updateAgentByJob.ts';
import { pricesTokens } from '../../shared/money/prices.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import { Publishing } from './updates/publishing.ts';

type Updated = Omit<EventOf<'agent.updated'>, 'v' | 'seq' | 'at' | 'epoch'>;
type Skipped = Omit<EventOf<'agent.skipped'>, 'v' | 'seq' | 'at' | 'epoch'>;

interface Example {
  sequence: Sequence;
  /** One per sampled token. */
  advantages: number[];
}

/** The sequences of groups that can teach, each with its advantage; a task's stay together. */
function examplesOf(teachable: readonly Trace[][], { agent, rollouts }: Experiment): Example[][] {
  return teachable.map((judged) => {
    const advantages = groupAdvantages(
      judged.map(({ verdict }) => verdict.reward),
      agent.advantageNorm,
    );
    return judged.flatMap(({ sequences }, i) =>
      sequences
        // A prompt that leaves no room for an answer counts as a failure, and is too long to learn from.
        .filter(({ tokens }) => tokens.length <= (rollouts.maxSequence ?? Infinity))
        .map((sequence) => ({
          sequence,
          advantages: new Array<number>(sampledCount(sequence)).fill(advantages[i] ?? outOfRange()),
        })),
    );
  });
}

/** One round's update of the agent on its own traces. */
export async function updateAgent(
  loop: Loop,
  epoch: number,
  round: Pick<Round, 'number' | 'last'>,
  groups: readonly Group[],
): Promise<Updated | Skipped> {
  const { agent } = loop;
  const role = 'agent';
  const batch = batchTrainer(agent, role);
  if (batch !== null) return updateAgentByJob(loop, epoch, round, batch, groups);
  const { counts, teachable } = sortGroups(groups);
  const examples = examplesOf(teachable, loop.experiment);
  if (examples.flat().length === 0) {
    return { type: 'agent.skipped', reason: whyNothing(counts), groups: counts, ...roundNamed(round) };
  }
  const policies = { policy: trainable(agent, role), initial: trainable(agent.initial, role) };
  const attempted = groups.flatMap(({ traces }) => traces.flatMap(({ sequences }) => sequences));
  const { result, seconds } = await timed(loop, () =>
    new AgentUpdate(loop, [epoch, ...roundStream(round)], policies, examples, attempted).run(),
  );
  return { type: 'agent.updated', groups: counts, ...result, seconds, ...roundNamed(round) };
}

function whyNothing({ solved, hopeless, broken }: Skipped['groups']): string {
  return (
    `No group teaches anything: ${solved} solved by every attempt, ${hopeless} by none, ` +
    `${broken} with fewer than two judged attempts.`
  );
}

class AgentUpdate {
  readonly #loop: Loop;
  /** The epoch, and from the second round on the round: names this update's random streams. */
  readonly #stream: readonly [epoch: number, ...round: number[]];
  readonly #policy: TrainablePolicy;
  readonly #initial: TrainablePolicy;
  #examples: readonly (readonly Example[])[];
  /** The sequences of every attempt of the round, for measurements. */
  readonly #attempted: readonly Sequence[];

  constructor(
    loop: Loop,
    stream: readonly [epoch: number, ...round: number[]],
    policies: { policy: TrainablePolicy; initial: TrainablePolicy },
    examples: readonly (readonly Example[])[],
    attempted: readonly Sequence[],
  ) {
    this.#loop = loop;
    this.#stream = stream;
    this.#policy = policies.policy;
    this.#initial = policies.initial;
    this.#examples = examples;
    this.#attempted = attempted;
  }

  async run(): Promise<Omit<Updated, 'type' | 'groups' | 'seconds'>> {
    const { agent, ports } = this.#loop;
    const { passes } = this.#loop.experiment.agent;
    await this.#shapeByReference();
    const trained = await this.#train();
    const name = `agent@${agent.updates + 1}`;
    const publishing = new Publishing('agent', this.#loop, this.#policy);
    const version = await publishing.publish(name);
    const checkpoint = await this.#policy.checkpoint(name);
    const learned = this.#examples.flat();
    ports.log.info(`Agent update ${name}: ${trained.steps} steps on ${learned.length} sequences.`);
    return {
      version,
      checkpoint,
      steps: trained.steps,
      sequences: learned.length,
      tokens: learned.reduce((sum, { advantages }) => sum + advantages.length, 0),
      ...(pricesTokens(this.#loop.experiment.endpoints) && {
        trained: learned.reduce((sum, { sequence }) => sum + sequence.tokens.length * passes, 0),
      }),
      loss: recordedLoss(trained.loss),
      gradNorm: trained.gradNorm,
      ...(await this.#measure(version, trained)),
      ...publishing.event,
    };
  }

  /** KL to the initial agent as shaping of the advantages. */
  async #shapeByReference(): Promise<void> {
    const { klCoefficient } = this.#loop.experiment.agent;
    if (klCoefficient === 0) return;
    const examples = this.#examples.flat();
    const reference = await this.#initialLogprobs(examples.map(({ sequence }) => sequence));
    const shaped = shapeAdvantages(
      examples.map(({ advantages }) => advantages),
      examples.map(({ sequence }) => sequence.logprobs),
      reference,
      klCoefficient,
    );
    let next = 0;
    this.#examples = this.#examples.map((group) =>
      group.map((example) => ({ ...example, advantages: shaped.advantages[next++] ?? [] })),
    );
  }

  async #train() {
    const { agent, seed } = this.#loop.experiment;
    const loss: Loss =
      agent.loss === 'importance_sampling'
        ? { name: agent.loss }
        : { name: agent.loss, clipLow: agent.clipLow, clipHigh: agent.clipHigh };
    const adam = { ...agent.adam, learningRate: agent.learningRate };
    const [epoch, ...round] = this.#stream;
    // The units of a minibatch: single sequences, or all sequences of a task.
    const units = agent.minibatchUnit === 'task' ? this.#examples : this.#examples.flat().map((example) => [example]);
    let steps = 0;
    let total = 0;
    let gradNorm: number | null = 0;
    let fresh: { v1: number; v2: number } | null = null;
    const perPass = Math.ceil(units.length / agent.minibatch);
    for (let pass = 0; pass < agent.passes; pass++) {
      const order = Rng.from(seed, 'agent-order', epoch, pass, ...round).shuffle(units);
      for (let start = 0; start < order.length; start += agent.minibatch) {
        pauseIfAsked(this.#loop);
        const minibatch = order.slice(start, start + agent.minibatch).flat();
        // Sent together: an endpoint runs them in this order, and a remote one loses no turn between them.
        const [metrics, stepped] = await bothOrNeither(
          this.#policy.accumulate(normalised(minibatch, agent.normalisation), loss),
          this.#policy.step(adam),
        );
        // Before the first step the trainer's logprobs should be the sampler's: how far they are off is the mismatch.
        fresh ??= mismatch(minibatch, metrics.logprobs);
        ({ gradNorm } = stepped);
        total += metrics.loss;
        steps += 1;
        this.#loop.ports.onProgress?.({
          ...{ phase: 'update agent', epoch, done: steps, total: perPass * agent.passes, tokens: 0 },
        });
      }
    }
    return {
      steps,
      loss: total / steps,
      gradNorm,
      sampleTrainV1: fresh?.v1 ?? 0,
      sampleTrainV2: fresh?.v2 ?? 0,
    };
  }

  /**
   * Measures the updated agent on everything that it said before the update, and its distance from the initial policy.
   */
  async #measure(
    version: PolicyVersion,
    { sampleTrainV1, sampleTrainV2 }: { sampleTrainV1: number; sampleTrainV2: number },
  ): Promise<Pick<Updated, 'entropy' | 'kl' | 'measured'>> {
    const [after, first] = await Promise.all([
      sampledLogprobs(this.#policy, version, this.#attempted, this.#loop.ports.signal),
      this.#initialLogprobs(this.#attempted),
    ]);
    const before = this.#attempted.flatMap(({ logprobs }) => logprobs);
    const now = after.flat();
    return {
      entropy: entropyAfter(before, now),
      kl: {
        sampleTrainV1,
        sampleTrainV2,
        prePost: klV2(before, now),
        reference: klAfter(before, now, first.flat()),
      },
      measured: { sequences: this.#attempted.length, tokens: now.length },
    };
  }

  #initialLogprobs(sequences: readonly Sequence[]): Promise<number[][]> {
    const { agent, ports } = this.#loop;
    return sampledLogprobs(this.#initial, agent.initial.version, sequences, ports.signal);
  }
}

/**
 * Datums whose advantages are divided by our constant, so that a SUM is a mean: over the sequences of the optimiser step
 * (`seq-mean`: mean over sequences of token sums) or over its sampled tokens (`token-mean`).
 */
function normalised(minibatch: readonly Example[], normalisation: 'seq-mean' | 'token-mean'): Datum[] {
  const divisor =
    normalisation === 'seq-mean'
      ? minibatch.length
      : minibatch.reduce((sum, { advantages }) => sum + advantages.length, 0);
  return minibatch.map(({ sequence, advantages }) =>
    advantageDatum(
      sequence,
      advantages.map((advantage) => advantage / divisor),
    ),
  );
}

function mismatch(minibatch: readonly Example[], logprobs: readonly (readonly number[])[]): { v1: number; v2: number } {
  const q = minibatch.flatMap(({ sequence }) => sequence.logprobs);
  const p = minibatch.flatMap(({ sequence }, i) => atSampled(sequence, logprobs[i] ?? []));
  return { v1: klV1(q, p), v2: klV2(q, p) };
}
