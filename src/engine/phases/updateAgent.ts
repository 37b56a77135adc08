/**
 * The agent's update: GRPO (paper §2.4; cookbook recipe for the primitives). Group-relative advantages, constant groups
 * dropped and counted, optional KL to the initial agent, our own normalisation.
 */
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import type { Sequence, Trace } from '../../shared/records/trace.ts';
import { bothOrNeither, pauseIfAsked, timed, trainable, type Loop } from '../loop.ts';
import { groupAdvantages } from '../math/advantage.ts';
import { entropyOf, klV1, klV2, shapeAdvantages } from '../math/kl.ts';
import { advantageDatum, atSampled, recordedLoss, sampledCount } from '../math/sequence.ts';
import type { Datum, Loss, TrainablePolicy } from '../ports.ts';
import { Rng } from '../random.ts';
import type { Group } from './attempt.ts';
import { sortGroups } from './groups.ts';
import { batchTrainer } from './jobs.ts';
import { updateAgentByJob } from './updateAgentByJob.ts';

type Updated = Omit<EventOf<'agent.updated'>, 'v' | 'seq' | 'at' | 'epoch'>;
type Skipped = Omit<EventOf<'agent.skipped'>, 'v' | 'seq' | 'at' | 'epoch'>;

/** How many sequences the KL probes score. */
const probeSize = 64;

interface Example {
  sequence: Sequence;
  /** One per sampled token. */
  advantages: number[];
}

/** The sequences of groups that can teach, each with its advantage. */
function examplesOf(teachable: readonly Trace[][], { advantageNorm }: Experiment['agent']): Example[] {
  return teachable.flatMap((judged) => {
    const advantages = groupAdvantages(
      judged.map(({ verdict }) => verdict.reward),
      advantageNorm,
    );
    return judged.flatMap(({ sequences }, i) =>
      sequences.map((sequence) => ({
        sequence,
        advantages: new Array<number>(sampledCount(sequence)).fill(advantages[i] ?? 0),
      })),
    );
  });
}

/** One epoch's update of the agent on its own traces. */
export async function updateAgent(loop: Loop, epoch: number, groups: readonly Group[]): Promise<Updated | Skipped> {
  const { agent: settings, rollouts } = loop.experiment;
  const { agent } = loop;
  const batch = batchTrainer(agent, 'agent');
  if (batch !== null) return updateAgentByJob(loop, epoch, batch, groups);
  const { counts, teachable } = sortGroups(groups, agent.updates - rollouts.maxStaleness);
  const examples = examplesOf(teachable, settings);
  if (examples.length === 0) {
    return { type: 'agent.skipped', reason: whyNothing(counts), groups: counts };
  }
  const policy = trainable(agent, 'agent');
  const { result, seconds } = await timed(loop, () => new AgentUpdate(loop, epoch, policy, examples).run());
  return { type: 'agent.updated', groups: counts, ...result, seconds };
}

function whyNothing({ solved, hopeless, stale, broken }: Skipped['groups']): string {
  return (
    `No group teaches anything: ${solved} solved by every attempt, ${hopeless} by none, ${stale} too old, ` +
    `${broken} with fewer than two judged attempts.`
  );
}

class AgentUpdate {
  readonly #loop: Loop;
  readonly #epoch: number;
  readonly #policy: TrainablePolicy;
  #examples: readonly Example[];

  constructor(loop: Loop, epoch: number, policy: TrainablePolicy, examples: readonly Example[]) {
    this.#loop = loop;
    this.#epoch = epoch;
    this.#policy = policy;
    this.#examples = examples;
  }

  async run(): Promise<Omit<Updated, 'type' | 'groups' | 'seconds'>> {
    const { agent, ports } = this.#loop;
    const reference = await this.#shapeByReference();
    const probe = Rng.from(this.#loop.experiment.seed, 'agent-probe', this.#epoch).pick(this.#examples, probeSize);
    const trained = await this.#train();
    const name = `agent@${agent.updates + 1}`;
    const version = await this.#policy.publish(name);
    const checkpoint = await this.#policy.checkpoint(name);
    const after = await this.#logprobs(this.#policy, version, probe);
    const initial =
      reference === null ? await this.#logprobs(agent.initial.policy, agent.initial.version, probe) : null;
    const sampled = probe.flatMap(({ sequence }) => sequence.logprobs);
    const all = this.#examples.flatMap(({ sequence }) => sequence.logprobs);
    ports.log.info(`Agent update ${name}: ${trained.steps} steps on ${this.#examples.length} sequences.`);
    return {
      version,
      checkpoint,
      steps: trained.steps,
      sequences: this.#examples.length,
      tokens: all.length,
      loss: recordedLoss(trained.loss),
      entropy: entropyOf(all),
      gradNorm: trained.gradNorm,
      kl: {
        sampleTrainV1: trained.sampleTrainV1,
        sampleTrainV2: trained.sampleTrainV2,
        prePost: after === null ? 0 : klV2(sampled, after),
        reference: reference ?? (initial === null ? null : klV1(sampled, initial)),
      },
    };
  }

  /** KL to the initial agent as shaping of the advantages; returns the estimate, null when it is switched off. */
  async #shapeByReference(): Promise<number | null> {
    const { klCoefficient } = this.#loop.experiment.agent;
    if (klCoefficient === 0) return null;
    const { initial } = this.#loop.agent;
    const full = await trainable(initial, 'agent').score(
      initial.version,
      this.#examples.map(({ sequence }) => sequence.tokens),
      this.#loop.ports.signal,
    );
    const reference = this.#examples.map(({ sequence }, i) => atSampled(sequence, full[i] ?? []));
    const shaped = shapeAdvantages(
      this.#examples.map(({ advantages }) => advantages),
      this.#examples.map(({ sequence }) => sequence.logprobs),
      reference,
      klCoefficient,
    );
    this.#examples = this.#examples.map((example, i) => ({ ...example, advantages: shaped.advantages[i] ?? [] }));
    return shaped.kl;
  }

  async #train() {
    const { agent, seed } = this.#loop.experiment;
    const loss: Loss =
      agent.loss === 'importance_sampling'
        ? { name: agent.loss }
        : { name: agent.loss, clipLow: agent.clipLow, clipHigh: agent.clipHigh };
    const adam = { ...agent.adam, learningRate: agent.learningRate };
    let steps = 0;
    let total = 0;
    let gradNorm: number | null = 0;
    let fresh: { v1: number; v2: number } | null = null;
    const perPass = Math.ceil(this.#examples.length / agent.minibatch);
    for (let pass = 0; pass < agent.passes; pass++) {
      const order = Rng.from(seed, 'agent-order', this.#epoch, pass).shuffle(this.#examples);
      for (let start = 0; start < order.length; start += agent.minibatch) {
        pauseIfAsked(this.#loop);
        const minibatch = order.slice(start, start + agent.minibatch);
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
          phase: 'update agent',
          epoch: this.#epoch,
          done: steps,
          total: perPass * agent.passes,
          tokens: 0,
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

  async #logprobs(policy: Loop['agent']['policy'], version: Updated['version'], probe: readonly Example[]) {
    if (policy.score === undefined) return null;
    const tokens = probe.map(({ sequence }) => sequence.tokens);
    const full = await policy.score(version, tokens, this.#loop.ports.signal);
    return probe.flatMap(({ sequence }, i) => atSampled(sequence, full[i] ?? []));
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
