/**
 * What the environment's update learns from: the kept instances of the last epochs with their weights ∝ exp(λR_env)
 * (D_env, paper §2.3–2.4), and base examples as an anchor.
 */
import type { FamilyScore } from '../../shared/journal/events.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Generation } from '../../shared/records/task.ts';
import type { Sequence } from '../../shared/records/trace.ts';
import type { Loop } from '../loop.ts';
import { effectiveSampleSize, environmentReward, keepShare, regressionWeights } from '../math/curriculum.ts';
import { estimateOf } from '../math/successRate.ts';
import type { TrainablePolicy } from '../ports.ts';
import { Rng } from '../random.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/** One sequence the environment learns from. `key` names it for caches of reference logprobs. */
export interface Instance {
  key: string;
  sequence: Pick<Sequence, 'tokens' | 'spans'>;
  /** Self-normalised over the set. */
  weight: number;
}

/** A text that was kept, with the conversation it was written in. */
interface Kept extends Instance {
  sequence: Generation;
}

export interface RegressionSet {
  instances: Kept[];
  /** Over instances. */
  effectiveSampleSize: number;
  families: number;
  /** Kept families of the newest epoch alone. */
  newest: number;
}

/** p̂ that decides for one task of a scored family, as phase `score` chose it. */
function decidingEstimate(loop: Loop, family: FamilyScore, task: { successes: number; attempts: number }): number {
  const { scope, estimate } = loop.experiment.curriculum;
  return scope === 'task' ? estimateOf(task.successes, task.attempts, estimate) : family.estimate;
}

/** The weighted set of the last `bufferEpochs` epochs. Rewards follow the settings in force now. */
export async function regressionSet(loop: Loop, epoch: number): Promise<RegressionSet> {
  const { curriculum, environment } = loop.experiment;
  const units: (Omit<Kept, 'weight'> & { reward: number; keep: number })[] = [];
  const families = new Set<string>();
  let newest = 0;
  for (let e = Math.max(1, epoch - environment.bufferEpochs + 1); e <= epoch; e++) {
    const filter = e <= curriculum.warmupEpochs ? 'off' : curriculum.filter;
    const tasks = new Map((await loop.tasksOf(e)).map((task) => [task.id, task]));
    for (const family of loop.state.scores.get(e) ?? []) {
      let kept = false;
      for (const count of family.tasks) {
        const generation = tasks.get(count.id)?.generation;
        const p = decidingEstimate(loop, family, count);
        const keep = count.attempts === 0 ? 0 : keepShare(p, filter, curriculum);
        if (generation === undefined || keep === 0) continue;
        kept = true;
        units.push({ key: count.id, sequence: generation, reward: environmentReward(p, curriculum), keep });
      }
      if (!kept) continue;
      families.add(family.id);
      if (e === epoch) newest += 1;
    }
  }
  const weights = regressionWeights(units, curriculum.lambda);
  return {
    instances: units.map(({ key, sequence }, i) => ({ key, sequence, weight: weights[i] ?? outOfRange() })),
    effectiveSampleSize: effectiveSampleSize(weights),
    families: families.size,
    newest,
  };
}

/** Base tasks as the environment would have written them: what keeps its form while its weights move. */
export function anchorTexts(
  loop: Loop,
  count: number,
  ...stream: (string | number)[]
): { key: string; messages: readonly Message[] }[] {
  const { domain } = loop.ports;
  if (domain.environmentExample === undefined) return [];
  const { seed, curriculum } = loop.experiment;
  const rng = Rng.from(seed, 'anchors', ...stream);
  const chosen: { key: string; messages: readonly Message[] }[] = [];
  for (const task of rng.pick(loop.base, count)) {
    const recentSuccess = rng.int(11) / 10;
    const messages = domain.environmentExample(task, { seed: task, recentSuccess, target: curriculum.alpha });
    if (messages !== null) chosen.push({ key: `${task.id}/s${recentSuccess}`, messages });
  }
  return chosen;
}

/** The same as training tokens. */
export async function anchors(
  loop: Loop,
  policy: TrainablePolicy,
  count: number,
  ...stream: (string | number)[]
): Promise<Instance[]> {
  const chosen: Instance[] = [];
  for (const { key, messages } of anchorTexts(loop, count, ...stream)) {
    chosen.push({ key, sequence: await policy.render(messages), weight: 1 / count });
  }
  return chosen;
}
