/**
 * What the environment's update learns from: the kept instances of the last epochs with their weights ∝ exp(λR_env)
 * (D_env, paper §2.3–2.4), and base examples as an anchor.
 */
import type { Curriculum } from '../../shared/experiment/schema.ts';
import type { FamilyScore } from '../../shared/journal/events.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Generation } from '../../shared/records/task.ts';
import type { Sequence } from '../../shared/records/trace.ts';
import type { Loop } from '../loop.ts';
import { rewardKind } from '../curricula/kinds.ts';
import { effectiveSampleSize, keepShare, regressionWeights } from '../math/curriculum.ts';
import { scoreEpoch } from '../math/scoring.ts';
import { estimateOf } from '../math/successRate.ts';
import type { TrainablePolicy } from '../ports.ts';
import { Rng } from '../random.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import { columnsOf } from './score.ts';

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

function rewardOnRate(p: number, curriculum: Curriculum): number | null {
  const kind = rewardKind(curriculum);
  return kind.of === 'rate' ? kind.reward(p, curriculum) : null;
}

/** R_env of an epoch's tasks by the settings in force now; null where p̂ alone decides. What cannot be known is missing. */
function rewardsByTask(curriculum: Curriculum, families: readonly FamilyScore[]): ReadonlyMap<string, number> | null {
  if (rewardKind(curriculum).of === 'rate') return null;
  const { scope, estimate, reward } = curriculum;
  const how = { from: 0, to: families.length, scope, estimate, filter: 'off' as const, signalOf: reward.kind };
  const { tasks } = scoreEpoch(columnsOf(families.map((family) => family.tasks)), how, curriculum);
  const ids = families.flatMap((family) => family.tasks.map(({ id }) => id));
  return new Map(
    ids.flatMap((id, i): [string, number][] => {
      const unit = tasks[i];
      return unit === undefined || unit.keep === 0 ? [] : [[id, unit.reward]];
    }),
  );
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
    const scored = loop.state.scores.get(e) ?? [];
    const rewards = rewardsByTask(curriculum, scored);
    for (const family of scored) {
      let kept = false;
      for (const count of family.tasks) {
        const generation = tasks.get(count.id)?.generation;
        const p = decidingEstimate(loop, family, count);
        const reward = rewards === null ? rewardOnRate(p, curriculum) : rewards.get(count.id);
        const keep = count.attempts === 0 || reward == null ? 0 : keepShare(p, filter, curriculum);
        if (generation === undefined || reward == null || keep === 0) continue;
        kept = true;
        units.push({ key: count.id, sequence: generation, reward, keep });
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
