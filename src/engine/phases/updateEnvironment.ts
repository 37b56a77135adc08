/**
 * The environment's update: reward-weighted regression on its own kept texts (paper §2.4), a KL penalty to the initial
 * simulator, and a cap on the KL that is kept by small sub-steps that stop at it.
 */
import type { EventOf } from '../../shared/journal/events.ts';
import type { Sequence } from '../../shared/records/trace.ts';
import { bothOrNeither, pauseIfAsked, timed, trainable, type Loop } from '../loop.ts';
import { klAfter, klV2 } from '../math/kl.ts';
import { recordedLoss, sampledCount, weightDatum } from '../math/sequence.ts';
import type { Datum, PolicyVersion, TrainablePolicy } from '../ports.ts';
import { Rng } from '../random.ts';
import { batchTrainer } from './byJob/jobs.ts';
import { sampledLogprobs } from './logprobs.ts';
import { anchors, regressionSet, type Instance, type RegressionSet } from './regressionSet.ts';
import { updateEnvironmentByJob } from './byJob/updateEnvironmentByJob.ts';

type Updated = Omit<EventOf<'environment.updated'>, 'v' | 'seq' | 'at' | 'epoch'>;
type Skipped = Omit<EventOf<'environment.skipped'>, 'v' | 'seq' | 'at' | 'epoch'>;

/** One epoch's update of the environment policy, or why there is none. */
export async function updateEnvironment(loop: Loop, epoch: number): Promise<Updated | Skipped> {
  const set = await regressionSet(loop, epoch);
  const { minFamilies } = loop.experiment.environment;
  const families = loop.state.scores.get(epoch)?.length ?? 0;
  const skipped = (reason: string): Skipped => ({
    type: 'environment.skipped',
    reason,
    familiesKept: set.newest,
    families,
  });
  if (families === 0) return skipped('No task of this epoch was accepted, so there is no family to learn from.');
  if (set.newest === 0) return skipped(`None of ${families} families passed the difficulty filter in this epoch.`);
  if (set.families < minFamilies) {
    return skipped(`${set.families} kept in the buffer, fewer than environment.minFamilies = ${minFamilies}.`);
  }
  const { environment } = loop;
  const role = 'environment';
  const batch = batchTrainer(environment, role);
  const { result, seconds } = await timed(loop, () =>
    batch === null
      ? new EnvironmentUpdate(
          loop,
          epoch,
          trainable(environment, role),
          trainable(environment.initial, role),
          set,
        ).run()
      : updateEnvironmentByJob(loop, epoch, batch, set),
  );
  if (result === null)
    return skipped('Its KL to the initial simulator is past totalKlCap and it has no anchors to return by.');
  return { type: 'environment.updated', ...result, seconds };
}

/** Every text of the epoch: what the KL is measured on. */
interface Written {
  sequences: Pick<Sequence, 'tokens' | 'spans'>[];
  /** Sampled tokens' logprobs before the update, and under the initial simulator. */
  before: number[];
  initial: number[];
}

class EnvironmentUpdate {
  readonly #loop: Loop;
  readonly #epoch: number;
  readonly #policy: TrainablePolicy;
  readonly #initial: TrainablePolicy;
  readonly #set: RegressionSet;
  /** Logprobs under the initial simulator by instance key: they never change. */
  readonly #reference = new Map<string, number[]>();

  constructor(loop: Loop, epoch: number, policy: TrainablePolicy, initial: TrainablePolicy, set: RegressionSet) {
    this.#loop = loop;
    this.#epoch = epoch;
    this.#policy = policy;
    this.#initial = initial;
    this.#set = set;
  }

  /** Null when there was nothing to take a step on. */
  async run(): Promise<Omit<Updated, 'type' | 'seconds'> | null> {
    const { environment: settings } = this.#loop.experiment;
    const learner = this.#loop.environment;
    const name = `environment@${learner.updates + 1}`;
    const written = await this.#written();
    let version = learner.version;
    let initialKl = klAfter(written.before, written.before, written.initial);
    let updateKl = 0;
    let stoppedBy: Updated['stoppedBy'] = 'end';
    let gradNorm: number | null = 0;
    let [loss, steps, sequences, tokens] = [0, 0, 0, 0];
    while (steps < settings.steps && stoppedBy === 'end') {
      pauseIfAsked(this.#loop);
      // Beyond the total cap only the anchors are trained: the way back to the initial simulator.
      const beyond = settings.totalKlCap !== null && initialKl > settings.totalKlCap;
      const minibatch = await this.#minibatch(steps, beyond);
      if (minibatch.length === 0) break;
      const data = await this.#datums(version, minibatch);
      const [metrics, stepped] = await bothOrNeither(
        this.#policy.accumulate(data, { name: 'cross_entropy' }),
        this.#policy.step({ ...settings.adam, learningRate: settings.learningRate }),
      );
      ({ gradNorm } = stepped);
      version = await this.#policy.publish(name);
      const after = (await this.#logprobs(version, written.sequences)).flat();
      updateKl = klV2(written.before, after);
      initialKl = klAfter(written.before, after, written.initial);
      loss = metrics.loss;
      steps += 1;
      sequences += data.length;
      tokens += minibatch.reduce((sum, { sequence }) => sum + sampledCount(sequence), 0);
      if (settings.updateKlCap !== null && updateKl > settings.updateKlCap) stoppedBy = 'update-cap';
      else if (beyond || (settings.totalKlCap !== null && initialKl > settings.totalKlCap)) stoppedBy = 'total-cap';
      this.#loop.ports.onProgress?.({
        phase: 'update environment',
        epoch: this.#epoch,
        done: steps,
        total: settings.steps,
        tokens,
      });
    }
    if (steps === 0) return null;
    const checkpoint = await this.#policy.checkpoint(name);
    return {
      version,
      checkpoint,
      families: this.#set.families,
      sequences,
      tokens,
      steps,
      stoppedBy,
      effectiveSampleSize: this.#set.effectiveSampleSize,
      loss: recordedLoss(loss),
      gradNorm,
      kl: { update: updateKl, initial: initialKl },
      measured: { sequences: written.sequences.length, tokens: written.before.length },
    };
  }

  /** The newest texts, rejected ones included: an unbiased sample of the simulator before this update. */
  async #written(): Promise<Written> {
    const sequences = (await this.#loop.tasksOf(this.#epoch)).flatMap(({ generation }) =>
      generation ? [generation] : [],
    );
    return {
      sequences,
      before: sequences.flatMap(({ logprobs }) => logprobs),
      initial: (await this.#initialLogprobs(sequences)).flat(),
    };
  }

  /** Kept instances with weights summing to 1 − baseShare, anchors with the rest. */
  async #minibatch(step: number, anchorsOnly: boolean): Promise<Instance[]> {
    const { baseShare, minibatch: size } = this.#loop.experiment.environment;
    const share = anchorsOnly ? 1 : baseShare;
    const anchored = await anchors(this.#loop, this.#policy, Math.round(size * share), this.#epoch, step);
    if (anchorsOnly) return anchored;
    const rng = Rng.from(this.#loop.experiment.seed, 'regression', this.#epoch, step);
    const own = rng.pick(this.#set.instances, size - anchored.length);
    const total = own.reduce((sum, { weight }) => sum + weight, 0);
    const kept = anchored.length === 0 ? 1 : 1 - share;
    return [
      ...own.map((instance) => ({ ...instance, weight: (instance.weight / total) * kept })),
      ...anchored.map((instance) => ({ ...instance, weight: instance.weight * share })),
    ];
  }

  /**
   * Cross-entropy datums. Token weight = w (or w/|y|) + (κ/N)(b − p): the second part is the score-function gradient of
   * −κ·KL(π‖initial) on the sample's tokens; p is refreshed before every sub-step, the sign may make a weight negative.
   */
  async #datums(version: PolicyVersion, minibatch: readonly Instance[]): Promise<Datum[]> {
    const { tokenWeights, klCoefficient } = this.#loop.experiment.environment;
    const current = klCoefficient === 0 ? [] : await this.#logprobs(version, sequencesOf(minibatch));
    const reference = klCoefficient === 0 ? [] : await this.#referenceOf(minibatch);
    return minibatch.map(({ sequence, weight }, i) => {
      const count = sampledCount(sequence);
      const each = tokenWeights === 'instance' ? weight / Math.max(1, count) : weight;
      const pull = klCoefficient / minibatch.length / (tokenWeights === 'instance' ? Math.max(1, count) : 1);
      const weights = Array.from({ length: count }, (_, t) => {
        const [p, b] = [current[i]?.[t] ?? 0, reference[i]?.[t] ?? 0];
        return each + pull * (b - p);
      });
      return weightDatum(sequence, weights);
    });
  }

  async #referenceOf(minibatch: readonly Instance[]): Promise<number[][]> {
    const missing = minibatch.filter(({ key }) => !this.#reference.has(key));
    const scored = await this.#initialLogprobs(sequencesOf(missing));
    for (const [i, { key }] of missing.entries()) this.#reference.set(key, scored[i] ?? []);
    return minibatch.map(({ key }) => this.#reference.get(key) ?? []);
  }

  #logprobs(version: PolicyVersion, sequences: Written['sequences']): Promise<number[][]> {
    return sampledLogprobs(this.#policy, version, sequences, this.#loop.ports.signal);
  }

  #initialLogprobs(sequences: Written['sequences']): Promise<number[][]> {
    const { environment, ports } = this.#loop;
    return sampledLogprobs(this.#initial, environment.initial.version, sequences, ports.signal);
  }
}

const sequencesOf = (instances: readonly Instance[]): Instance['sequence'][] =>
  instances.map(({ sequence }) => sequence);
