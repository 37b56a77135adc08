/**
 * The environment's update: reward-weighted regression on its own kept texts (paper §2.4), or the kind that
 * `environment.update` names. A KL term to the initial simulator, and a cap on the KL, enforced by small sub-steps that
 * stop at it.
 */
import { pricesTokens } from '../../../shared/money/prices.ts';
import type { EventOf } from '../../../shared/journal/events.ts';
import type { Sequence } from '../../../shared/records/trace.ts';
import { textsCountedIn } from '../../late/textsCounted.ts';
import { bothOrNeither, pauseIfAsked, timed, type Loop } from '../../loop.ts';
import { entropyAfter, klAfter, klV2 } from '../../math/kl.ts';
import { recordedLoss } from '../../math/sequence.ts';
import { updateEnvironmentByJob } from '../byJob/updateEnvironmentByJob.ts';
import { batchTrainer } from '../byJob/jobs.ts';
import { compareTexts, Comparison } from './comparison.ts';
import { Simulators, type Teacher } from './lesson.ts';
import { Regression } from './regression.ts';
import { regressionSet, type RegressionSet } from './regressionSet.ts';
import { Publishing } from '../updates/publishing.ts';

type Updated = Omit<EventOf<'environment.updated'>, 'v' | 'seq' | 'at' | 'epoch'>;
type Skipped = Omit<EventOf<'environment.skipped'>, 'v' | 'seq' | 'at' | 'epoch'>;

/** One epoch's update of the environment policy, or why there is none. */
export async function updateEnvironment(loop: Loop, epoch: number): Promise<Updated | Skipped> {
  const { minFamilies, update } = loop.experiment.environment;
  const set = await regressionSet(loop, epoch);
  const scores = loop.state.scores.get(epoch) ?? [];
  const families = scores.length;
  const skipped = (reason: string): Skipped => ({
    type: 'environment.skipped',
    reason,
    familiesKept: set.newest,
    families,
  });
  if (update === 'none') return skipped('The environment is not trained (environment.update).');
  if (families === 0) return skipped('No task of this epoch was accepted, so there is no family to learn from.');
  if (set.newest === 0 && scores.every(({ successRate }) => successRate.p === null))
    return skipped(`No attempt at the tasks of ${families} families was judged in this epoch.`);
  if (set.newest === 0) return skipped(`None of ${families} families passed the difficulty filter in this epoch.`);
  if (set.families < minFamilies) {
    return skipped(`${set.families} kept in the buffer, fewer than environment.minFamilies = ${minFamilies}.`);
  }
  const batch = batchTrainer(loop.environment, 'environment');
  if (batch !== null) {
    const { result, seconds } = await timed(loop, () => updateEnvironmentByJob(loop, epoch, batch, set));
    return { type: 'environment.updated', ...result, seconds };
  }
  const compared =
    update === 'grpo' ? compareTexts(set, await textsCountedIn(loop, epoch), loop.experiment.environment) : null;
  if (compared?.effectiveSampleSize === 0) {
    const { groups, alike } = compared.counts;
    return skipped(`No two texts of one context were rewarded differently: ${groups} groups of them, ${alike} alike.`);
  }
  const simulators = new Simulators(loop);
  const teacher =
    compared === null
      ? new Regression(loop, epoch, simulators, set)
      : new Comparison(loop, epoch, simulators, compared);
  const learned = compared === null ? set : { ...set, effectiveSampleSize: compared.effectiveSampleSize };
  const { result, seconds } = await timed(loop, () =>
    new EnvironmentUpdate(loop, epoch, simulators, learned, teacher).run(),
  );
  if (result === null)
    return skipped('Its KL to the initial simulator is past totalKlCap and it has no anchors to return by.');
  const { measured, ...told } = result;
  return {
    ...{ type: 'environment.updated', ...told },
    ...(compared !== null && { compared: compared.counts }),
    ...{ measured, seconds },
  };
}

/** Every text of the epoch: the KL is measured on these. */
interface Written {
  sequences: Pick<Sequence, 'tokens' | 'spans'>[];
  /** Sampled tokens' logprobs before the update, and under the initial simulator. */
  before: number[];
  initial: number[];
}

class EnvironmentUpdate {
  readonly #loop: Loop;
  readonly #epoch: number;
  readonly #simulators: Simulators;
  readonly #set: Pick<RegressionSet, 'families' | 'effectiveSampleSize'>;
  readonly #teacher: Teacher;

  constructor(
    loop: Loop,
    epoch: number,
    simulators: Simulators,
    set: Pick<RegressionSet, 'families' | 'effectiveSampleSize'>,
    teacher: Teacher,
  ) {
    this.#loop = loop;
    this.#epoch = epoch;
    this.#simulators = simulators;
    this.#set = set;
    this.#teacher = teacher;
  }

  /** Null when there was nothing to take a step on. */
  async run(): Promise<Omit<Updated, 'type' | 'seconds'> | null> {
    const { environment: settings } = this.#loop.experiment;
    const learner = this.#loop.environment;
    const { policy } = this.#simulators;
    const name = `environment@${learner.updates + 1}`;
    const publishing = new Publishing('environment', this.#loop, policy);
    const written = await this.#written();
    let version = learner.version;
    let initialKl = klAfter(written.before, written.before, written.initial);
    let [updateKl, entropy] = [0, 0];
    let stoppedBy: Updated['stoppedBy'] = 'end';
    let gradNorm: number | null = 0;
    let [loss, steps, sequences, tokens, trained] = [0, 0, 0, 0, 0];
    while (steps < settings.steps && stoppedBy === 'end') {
      pauseIfAsked(this.#loop);
      // Beyond the total cap only the anchors are trained: the way back to the initial simulator.
      const beyond = settings.totalKlCap !== null && initialKl > settings.totalKlCap;
      const lesson = await this.#teacher.lesson(version, steps, beyond);
      if (lesson === null) break;
      const [metrics, stepped] = await bothOrNeither(
        policy.accumulate(lesson.data, lesson.loss),
        policy.step({ ...settings.adam, learningRate: settings.learningRate }),
      );
      ({ gradNorm } = stepped);
      version = await publishing.publish(name);
      const after = (await this.#simulators.logprobs(version, written.sequences)).flat();
      entropy = entropyAfter(written.before, after);
      updateKl = klV2(written.before, after);
      initialKl = klAfter(written.before, after, written.initial);
      loss = metrics.loss;
      steps += 1;
      sequences += lesson.data.length;
      tokens += lesson.tokens;
      trained += lesson.data.reduce((sum, datum) => sum + datum.tokens.length, 0);
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
    const checkpoint = await policy.checkpoint(name);
    return {
      version,
      checkpoint,
      families: this.#set.families,
      sequences,
      tokens,
      ...(pricesTokens(this.#loop.experiment.endpoints) && { trained }),
      steps,
      stoppedBy,
      effectiveSampleSize: this.#set.effectiveSampleSize,
      loss: recordedLoss(loss),
      entropy,
      gradNorm,
      kl: { update: updateKl, initial: initialKl },
      measured: { sequences: written.sequences.length, tokens: written.before.length },
      ...publishing.event,
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
      initial: (await this.#simulators.initialLogprobs(sequences)).flat(),
    };
  }
}
