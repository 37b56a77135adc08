/**
 * The environment's update: reward-weighted regression on its own kept texts (paper §2.4), or the kind that
 * `environment.update` names. A KL term to the initial simulator, and a cap on the KL, enforced by small sub-steps that
 * stop at it.
 */
import { pricesTokens } from '../../../shared/money/prices.ts';
import { notTrained } from '../../../shared/journal/untrained.ts';
import type { EventOf } from '../../../shared/journal/events.ts';
import { textsCountedIn } from '../../late/textsCounted.ts';
import { timed, type Loop } from '../../loop.ts';
import { recordedLoss } from '../../math/sequence.ts';
import { updateEnvironmentByJob } from '../byJob/updateEnvironmentByJob.ts';
import { batchTrainer } from '../byJob/jobs.ts';
import { compareTexts, Comparison } from './comparison.ts';
import { Simulators, type Teacher } from './lesson.ts';
import { Regression } from './regression.ts';
import { regressionSet, type RegressionSet } from './regressionSet.ts';
import { TrainedSteps } from './trainedSteps.ts';
import { leadBack } from './wayBack.ts';
import { writtenIn } from './written.ts';

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
  if (update === 'none') return skipped(notTrained);
  if (families === 0) return skipped('No task of this epoch was accepted, so there is no family to learn from.');
  if (set.newest === 0 && scores.every(({ successRate }) => successRate.p === null))
    return skipped(`No attempt at the tasks of ${families} families was judged in this epoch.`);
  if (set.newest === 0 && scores.every(({ environmentReward }) => environmentReward === null))
    return skipped(`R_env of none of ${families} families is known in this epoch.`);
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
  const { measured, ...told } = result;
  return {
    ...{ type: 'environment.updated', ...told },
    ...(compared !== null && { compared: compared.counts }),
    ...{ measured, seconds },
  };
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

  async run(): Promise<Omit<Updated, 'type' | 'seconds'>> {
    const { experiment } = this.#loop;
    const { policy } = this.#simulators;
    const name = `environment@${this.#loop.environment.updates + 1}`;
    const written = await writtenIn(this.#loop, this.#epoch, this.#simulators);
    const steps = new TrainedSteps(this.#loop, this.#simulators, written, name);
    const { steps: learned, stoppedBy, loss, gradNorm } = await this.#learn(steps);
    const back = await leadBack(steps, written, experiment, this.#epoch);
    const checkpoint = await policy.checkpoint(name);
    const { sequences, tokens, whole } = steps.trained;
    return {
      version: steps.version,
      checkpoint,
      families: this.#set.families,
      ...{ sequences, tokens },
      ...(pricesTokens(experiment.endpoints) && { trained: whole }),
      ...{ steps: learned, stoppedBy },
      ...(back !== null && { back }),
      effectiveSampleSize: this.#set.effectiveSampleSize,
      ...{ loss, entropy: steps.entropy, gradNorm, kl: steps.kl },
      measured: { sequences: written.sequences.length, tokens: written.sampled.length },
      ...steps.publishing.event,
    };
  }

  /** One step at least, and more until a cap is passed. */
  async #learn(steps: TrainedSteps): Promise<Pick<Updated, 'steps' | 'stoppedBy' | 'loss' | 'gradNorm'>> {
    const { adam, learningRate, steps: most, updateKlCap, totalKlCap } = this.#loop.experiment.environment;
    for (let taken = 1; ; taken++) {
      const lesson = await this.#teacher.lesson(steps.version, taken - 1);
      const { loss, gradNorm } = await steps.take(lesson, { ...adam, learningRate });
      this.#loop.ports.onProgress?.({
        phase: 'update environment',
        epoch: this.#epoch,
        done: taken,
        total: most,
        tokens: steps.trained.tokens,
      });
      const learned = { steps: taken, loss: recordedLoss(loss), gradNorm };
      if (updateKlCap !== null && steps.kl.update > updateKlCap) return { ...learned, stoppedBy: 'update-cap' };
      if (totalKlCap !== null && steps.kl.initial > totalKlCap) return { ...learned, stoppedBy: 'total-cap' };
      if (taken === most) return { ...learned, stoppedBy: 'end' };
    }
  }
}
