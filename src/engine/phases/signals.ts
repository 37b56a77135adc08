/** What the run's kind of reward measures of an epoch's tasks beside counts of successes: journaled, as `signal`. */
import type { Curriculum } from '../../shared/experiment/schema.ts';
import type { FamilyScore } from '../../shared/journal/events.ts';
import type { Trace, Verdict } from '../../shared/records/trace.ts';
import { advantageOf } from '../curricula/advantage.ts';
import { progressOf } from '../curricula/progress.ts';
import { regretOf } from '../curricula/regret.ts';
import type { Loop } from '../loop.ts';
import { wordingOf } from '../wording.ts';
import type { Group } from './attempts/attempt.ts';
import { triesOf } from './groups.ts';
import { clusterShares } from './repetition.ts';
import type { Signals } from './score.ts';

type Judged = readonly { verdict: Pick<Verdict, 'reward' | 'success' | 'error'> }[];

/** By task; of those missing nothing is known. */
export function signalsOf(loop: Loop, groups: readonly Group[]): Signals {
  const { reward } = loop.experiment.curriculum;
  if (reward.kind === 'uncertainty' && reward.repetition > 0) return repetitionOf(loop, groups);
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

/** Of a family against its seed's newest family before; the same for each of its tasks. */
function progressSince(loop: Loop, groups: readonly Group[]): Signals {
  const signals = new Map<string, number>();
  for (const own of Map.groupBy(groups, ({ task }) => task.family).values()) {
    const seed = own[0]?.task.seed ?? null;
    const { successes, attempts } = triesOf(own.flatMap(({ traces }): readonly Trace[] => traces));
    const now = attempts === 0 ? null : { p: successes / attempts, version: loop.agent.version.name };
    const change = progressOf(now, seed === null ? undefined : loop.state.seedRates.get(seed));
    if (change !== null) for (const { task } of own) signals.set(task.id, change);
  }
  return signals;
}
