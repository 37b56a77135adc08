/** Measurements of the run's kind of reward beside counts of successes, journaled as `signal`. */
import type { Curriculum } from '../../shared/experiment/schema.ts';
import type { FamilyScore } from '../../shared/journal/events.ts';
import { curriculumFamilies } from '../../shared/curricula/given.ts';
import type { Trace, Verdict } from '../../shared/records/trace.ts';
import { advantageOf } from '../rewardKinds/advantage.ts';
import { progressOf } from '../rewardKinds/progress.ts';
import { regretOf } from '../rewardKinds/regret.ts';
import type { Loop } from '../loop.ts';
import { wordingOf } from '../wording.ts';
import type { Group } from './attempts/attemptPlan.ts';
import { triesOf } from './groups.ts';
import { clusterShares } from './repetition.ts';
import type { Signals } from './score.ts';

type Judged = readonly { verdict: Pick<Verdict, 'reward' | 'success' | 'error'> }[];

/** By task; of those missing nothing is known. */
export async function signalsOf(loop: Loop, epoch: number, groups: readonly Group[]): Promise<Signals> {
  const { reward } = loop.experiment.curriculum;
  if (reward.kind === 'uncertainty' && reward.repetition > 0) return repetitionOf(loop, groups);
  if (reward.kind === 'file') return rewardsOfFile(loop, epoch, groups);
  if (reward.kind === 'progress') return progressSince(loop, groups);
  return signalsOfRewards(
    reward.kind,
    groups.map(({ task, traces }) => [task.id, traces]),
  );
}

/** Signals that attempts' rewards make by themselves; none of any other kind. */
export function signalsOfRewards(
  kind: Curriculum['reward']['kind'],
  attempts: Iterable<readonly [task: string, Judged]>,
): Signals {
  const measure = kind === 'regret' ? regretOf : kind === 'advantage' ? advantageOf : null;
  const signals = new Map<string, number>();
  if (measure === null) return signals;
  for (const [id, traces] of attempts) {
    const rewards = traces.filter(({ verdict }) => verdict.error === undefined).map(({ verdict }) => verdict.reward);
    if (rewards.length > 0) signals.set(id, measure(rewards));
  }
  return signals;
}

/** Those that were journaled. */
export const recordedSignals = (families: readonly Pick<FamilyScore, 'tasks'>[]): Signals =>
  new Map(
    families.flatMap(({ tasks }) => tasks.flatMap(({ id, signal }) => (signal === undefined ? [] : [[id, signal]]))),
  );

function repetitionOf({ ports }: Loop, groups: readonly Group[]): Signals {
  const tasks = groups.map(({ task }) => task).sort((a, b) => (a.id < b.id ? -1 : 1));
  const shares = clusterShares(tasks.map((task) => wordingOf(ports.domain, task)));
  return new Map(tasks.map(({ id }, i) => [id, shares[i] ?? 1]));
}

/** In an order that does not depend on when each task was written. @throws the file's error */
async function rewardsOfFile({ ports, experiment }: Loop, epoch: number, groups: readonly Group[]): Promise<Signals> {
  if (ports.rewardProgram === undefined) throw new Error('Unreachable: reward “file” was opened without its file.');
  const { alpha, beta, kMin } = experiment.curriculum;
  const tasks = groups.toSorted((a, b) => (a.task.id < b.task.id ? -1 : 1));
  if (tasks.length === 0) return new Map();
  const about = { epoch, alpha, beta, kMin, seed: experiment.seed };
  return ports.rewardProgram.rewards(curriculumFamilies(tasks), about);
}

/** Of a family against its seed's newest family before; the same for each of its tasks. */
function progressSince(loop: Loop, groups: readonly Group[]): Signals {
  const signals = new Map<string, number>();
  for (const own of Map.groupBy(groups, ({ task }) => task.family).values()) {
    const seed = own[0]?.task.seed ?? null;
    const { successes, attempts } = triesOf(own.flatMap(({ traces }): readonly Trace[] => traces));
    const now =
      attempts === 0
        ? null
        : { p: successes / attempts, version: loop.state.open?.attemptedBy ?? loop.agent.version.name };
    const change = progressOf(now, seed === null ? undefined : loop.state.seedRates.get(seed));
    if (change !== null) for (const { task } of own) signals.set(task.id, change);
  }
  return signals;
}
