/**
 * The agent's update: GRPO (paper §2.4; cookbook recipe for the primitives). Group-relative advantages, constant groups
 * dropped and counted, optional KL to the initial agent, our own normalisation.
 */
import type { EventOf } from '../../shared/journal/events.ts';
import { pricesTokens } from '../../shared/money/prices.ts';
import type { Sequence } from '../../shared/records/trace.ts';
import { bothOrNeither, trainable, type Loop } from '../loop.ts';
import { entropyAfter, klAfter, klV2 } from '../math/kl.ts';
import { recordedLoss } from '../math/sequence.ts';
import type { PolicyVersion, TrainablePolicy } from '../ports.ts';
import { Rng } from '../random.ts';
import type { Group } from './attempts/attemptPlan.ts';
import { batchTrainer } from './byJob/jobs.ts';
import { updateAgentByJob } from './byJob/updateAgentByJob.ts';
import { sortGroups } from './groups.ts';
import { sampledLogprobs } from './logprobs.ts';
import { roundNamed, roundStream, type Round } from './rounds.ts';
import { AgentSteps } from './updates/agentSteps.ts';
import { examplesOf, shapedByReference, unitsOf, type Example } from './updates/examples.ts';
import { Publishing } from './updates/publishing.ts';
import { Reference } from './updates/reference.ts';
import type { StreamedPass } from './updates/streamedPass.ts';

type Updated = Omit<EventOf<'agent.updated'>, 'v' | 'seq' | 'at' | 'epoch'>;
type Skipped = Omit<EventOf<'agent.skipped'>, 'v' | 'seq' | 'at' | 'epoch'>;

/** One round's update of the agent on its own traces. @param stream its first pass, where that began beside the attempts */
export async function updateAgent(
  loop: Loop,
  epoch: number,
  round: Pick<Round, 'number' | 'last'>,
  groups: readonly Group[],
  stream: StreamedPass | null = null,
): Promise<Updated | Skipped> {
  const batch = batchTrainer(loop.agent, 'agent');
  if (batch !== null) return updateAgentByJob(loop, epoch, round, batch, groups);
  const { counts, teachable } = sortGroups(groups);
  const experiment = stream?.experiment ?? loop.experiment;
  const examples = teachable.map((judged) => examplesOf(judged, experiment)).filter(({ length }) => length > 0);
  if (examples.length === 0) {
    return { type: 'agent.skipped', reason: whyNothing(counts), groups: counts, ...roundNamed(round) };
  }
  const update = new AgentUpdate(
    { ...loop, experiment },
    [epoch, ...roundStream(round)],
    groups,
    stream?.reference ?? new Reference(loop),
  );
  return { type: 'agent.updated', groups: counts, ...(await update.run(examples, stream)), ...roundNamed(round) };
}

function whyNothing({ solved, hopeless, broken }: Skipped['groups']): string {
  return (
    `No group teaches anything: ${solved} solved by every attempt, ${hopeless} by none, ` +
    `${broken} with fewer than two judged attempts.`
  );
}

type Units = readonly (readonly Example[])[];

class AgentUpdate {
  readonly #loop: Loop;
  /** The epoch, and from the second round on the round: names this update's random streams. */
  readonly #stream: readonly [epoch: number, ...round: number[]];
  readonly #policy: TrainablePolicy;
  readonly #reference: Reference;
  readonly #groups: readonly Group[];

  constructor(
    loop: Loop,
    stream: readonly [epoch: number, ...round: number[]],
    groups: readonly Group[],
    reference: Reference,
  ) {
    this.#loop = loop;
    this.#stream = stream;
    this.#policy = trainable(loop.agent, 'agent');
    this.#groups = groups;
    this.#reference = reference;
  }

  /** @param examples of each group that teaches */
  async run(examples: Units, stream: StreamedPass | null): Promise<Omit<Updated, 'type' | 'groups'>> {
    const [updated] = await bothOrNeither(
      this.#update(examples, stream),
      // Only where samplers answer beside the update anyway: on GPUs that sampler and trainer share in turns, each request would
      // make them change over.
      this.#loop.experiment.rollouts.staleness > 0 ? this.#reference.of(this.#attempted()) : null,
    );
    return updated;
  }

  async #update(examples: Units, stream: StreamedPass | null): Promise<Omit<Updated, 'type' | 'groups'>> {
    const { agent, ports } = this.#loop;
    const { passes } = this.#loop.experiment.agent;
    const begun = ports.clock.now();
    const { steps, units, from } = stream === null ? await this.#first(examples) : await stream.finish(this.#groups);
    for (let pass = 1; pass < passes; pass++) await this.#pass(steps, units, pass);
    const name = `agent@${agent.updates + 1}`;
    const publishing = new Publishing('agent', this.#loop, this.#policy);
    const version = await publishing.publish(name);
    const checkpoint = await this.#policy.checkpoint(name);
    const learned = units.flat();
    ports.log.info(`Agent update ${name}: ${steps.count} steps on ${learned.length} sequences.`);
    return {
      version,
      checkpoint,
      steps: steps.count,
      sequences: learned.length,
      tokens: learned.reduce((sum, { advantages }) => sum + advantages.length, 0),
      ...(pricesTokens(this.#loop.experiment.endpoints) && {
        trained: learned.reduce((sum, { sequence }) => sum + sequence.tokens.length * passes, 0),
      }),
      loss: recordedLoss(steps.loss),
      gradNorm: steps.gradNorm,
      ...(await this.#measure(version, steps)),
      ...publishing.event,
      seconds: (ports.clock.now() - (from ?? begun)) / 1000,
    };
  }

  /** The first pass over all that was attempted. */
  async #first(examples: Units) {
    const units = await shapedByReference(this.#loop, this.#reference, unitsOf(examples, this.#loop.experiment.agent));
    const steps = new AgentSteps(this.#loop, this.#policy);
    await this.#pass(steps, units, 0);
    return { steps, units, from: null };
  }

  async #pass(steps: AgentSteps, units: Units, pass: number): Promise<void> {
    const { agent, seed } = this.#loop.experiment;
    const [epoch, ...round] = this.#stream;
    const order = Rng.from(seed, 'agent-order', epoch, pass, ...round).shuffle(units);
    for (let start = 0; start < order.length; start += agent.minibatch) {
      await steps.take(order.slice(start, start + agent.minibatch).flat());
      this.#loop.ports.onProgress?.({
        ...{ phase: 'update agent', epoch, done: steps.count, tokens: 0 },
        total: Math.ceil(units.length / agent.minibatch) * agent.passes,
      });
    }
  }

  /**
   * Measures the updated agent on everything that it said before the update, and its distance from the initial policy.
   */
  async #measure(
    version: PolicyVersion,
    { mismatch }: Pick<AgentSteps, 'mismatch'>,
  ): Promise<Pick<Updated, 'entropy' | 'kl' | 'measured'>> {
    const attempted = this.#attempted();
    const [after, first] = await Promise.all([
      sampledLogprobs(this.#policy, version, attempted, this.#loop.ports.signal),
      this.#reference.of(attempted),
    ]);
    const before = attempted.flatMap(({ logprobs }: Sequence) => logprobs);
    const now = after.flat();
    return {
      entropy: entropyAfter(before, now),
      kl: { ...mismatch, prePost: klV2(before, now), reference: klAfter(before, now, first.flat()) },
      measured: { sequences: attempted.length, tokens: now.length },
    };
  }

  #attempted(): readonly Sequence[] {
    return this.#groups.flatMap(({ traces }) => traces.flatMap(({ sequences }) => sequences));
  }
}
