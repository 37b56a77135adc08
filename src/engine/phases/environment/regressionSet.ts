/**
 * The data of the environment's update: the kept instances of the last epochs with their weights (D_env, paper
 * §2.3–2.4: ∝ exp(λR_env); for rejection fine-tuning the best share, equally weighted), and base examples as an anchor.
 */
import { weighingOf } from '../../../shared/journal/curriculum.ts';
import type { Curriculum } from '../../../shared/experiment/schema.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Generation, Task } from '../../../shared/records/task.ts';
import type { Sequence } from '../../../shared/records/trace.ts';
import { textsCountedIn } from '../../late/textsCounted.ts';
import { mean, type Loop } from '../../loop.ts';
import { rewardKind } from '../../rewardKinds/kinds.ts';
import { effectiveSampleSize, keepShare } from '../../math/curriculum.ts';
import { scoreEpoch, updateWeights } from '../../math/scoring.ts';
import { estimateOf } from '../../math/successRate.ts';
import type { TrainablePolicy } from '../../ports.ts';
import { Rng } from '../../random.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { toldSuccess } from '../families.ts';
import { columnsOf } from '../score.ts';

/** One sequence the environment learns from. `key` names it for caches of reference logprobs. */
export interface Instance {
  key: string;
  sequence: Pick<Sequence, 'tokens' | 'spans'>;
  /** Self-normalised over the set. */
  weight: number;
}

/** A text that was kept, with the conversation it was written in. */
export interface Kept extends Instance {
  sequence: Generation;
  family: string;
  reward: number;
  /** Share that the difficulty filter keeps, above 0. */
  keep: number;
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

/**
 * R_env of an epoch's tasks by the settings in force now; null where p̂ alone decides. Tasks with an unknown reward are
 * missing.
 */
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
  const units: Omit<Kept, 'weight'>[] = [];
  // Advantages are of the policy that wrote the texts.
  const buffer = environment.update === 'grpo' ? 1 : environment.bufferEpochs;
  const families = new Set<string>();
  let newest = 0;
  for (let e = Math.max(1, epoch - buffer + 1); e <= epoch; e++) {
    const filter = e <= curriculum.warmupEpochs ? 'off' : curriculum.filter;
    const tasks = new Map((await textsCountedIn(loop, e)).map((task) => [task.id, task]));
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
        units.push({ key: count.id, family: family.id, sequence: generation, reward, keep });
      }
      if (!kept) continue;
      families.add(family.id);
      if (e === epoch) newest += 1;
    }
  }
  const weights = updateWeights(units, weighingOf(loop.experiment));
  return {
    instances: units
      .map((unit, i) => ({ ...unit, weight: weights[i] ?? outOfRange() }))
      .filter(({ weight }) => weight > 0),
    effectiveSampleSize: effectiveSampleSize(weights),
    families: families.size,
    newest,
  };
}

/** Number of families of nearest complexity whose mean p̂ stands for a base task's own. */
const nearest = 5;

interface AnchorText {
  key: string;
  messages: readonly Message[];
}

/**
 * Base tasks as the environment would have written them: they keep its form while its weights change. Their context
 * states the success rate that this epoch's families were given. With `environment.anchors: target` they are tasks that
 * the agent probably solves at a rate inside the band, so that anchors do not pull difficulty to that of base data.
 */
export function anchorTexts(loop: Loop, epoch: number, step: number, count: number): AnchorText[] {
  const { domain } = loop.ports;
  const { seed, curriculum } = loop.experiment;
  // Of several domains some may have none: a task without one would be missing from what was drawn.
  const examples = new Map<Task, AnchorText>();
  for (const task of count === 0 ? [] : loop.base) {
    const recentSuccess = toldSuccess(loop, task);
    const messages = domain.environmentExample?.(task, { seed: task, recentSuccess, target: curriculum.alpha }) ?? null;
    if (messages !== null) examples.set(task, { key: `${task.id}/s${recentSuccess}`, messages });
  }
  const rng = Rng.from(seed, 'anchors', epoch, step);
  return rng
    .pick(anchorTasks(loop, [...examples.keys()], epoch, count), count)
    .map((task) => examples.get(task) ?? outOfRange());
}

/** Tasks of `base` that anchors are drawn from: at least `count` where there are as many. */
function anchorTasks(loop: Loop, base: readonly Task[], epoch: number, count: number): readonly Task[] {
  const { environment, curriculum } = loop.experiment;
  if (environment.anchors === 'any') return base;
  const measured = Array.from({ length: environment.bufferEpochs }, (_, i) => epoch - i)
    .flatMap((e) => loop.state.scores.get(e) ?? [])
    .filter(({ successRate }) => successRate.attempts > 0);
  const distance = distanceTo(measured);
  const byMiss = base
    .map((task) => {
      const near = measured
        .map((family) => ({ p: family.successRate.p ?? curriculum.alpha, away: distance(task, family) }))
        .sort((a, b) => a.away - b.away)
        .slice(0, nearest);
      const likely = mean(near.map(({ p }) => p)) ?? curriculum.alpha;
      return { task, miss: Math.abs(likely - curriculum.alpha) };
    })
    .sort((a, b) => a.miss - b.miss);
  const inside = byMiss.filter(({ miss }) => miss <= curriculum.kMin).length;
  return byMiss.slice(0, Math.max(inside, count)).map(({ task }) => task);
}

/** Distance in the domain's own measures, each in units of its spread over the families. */
function distanceTo(families: readonly FamilyScore[]): (task: Task, family: FamilyScore) => number {
  const names = [...new Set(families.flatMap(({ complexity }) => Object.keys(complexity)))];
  const spreads = names.map((name) => {
    const values = families.map(({ complexity }) => complexity[name] ?? 0);
    const centre = mean(values) ?? 0;
    return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)) ?? 0);
  });
  return (task, family) =>
    names.reduce((sum, name, i) => {
      const spread = spreads[i] ?? 0;
      const apart = (task.complexity[name] ?? 0) - (family.complexity[name] ?? 0);
      return spread === 0 ? sum : sum + (apart / spread) ** 2;
    }, 0);
}

/** The same as training tokens, with weights that sum to 1, however many there are. */
export async function anchors(
  loop: Loop,
  policy: TrainablePolicy,
  epoch: number,
  step: number,
  count: number,
): Promise<Instance[]> {
  const chosen: Instance[] = [];
  const texts = anchorTexts(loop, epoch, step, count);
  for (const { key, messages } of texts) {
    chosen.push({ key, sequence: await policy.render(messages), weight: 1 / texts.length });
  }
  return chosen;
}
