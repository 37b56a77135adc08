/** How much an epoch's tasks can teach: p̂ near ½ may be a mixture of tasks that are always and never solved. */
import { rewardKind, taskReward } from '../rewardKinds/kinds.ts';
import type { Teaching } from '../../shared/report/teaching.ts';
import type { RewardSettings } from '../rewardKinds/reward.ts';

/** Judged attempts at one task of a family. */
interface Attempted {
  successes: number;
  attempts: number;
  signal?: number | undefined;
  /** Absent where the counts say it. */
  teaches?: boolean | undefined;
}

const fewestFamilies = 8;

/** Whether some attempts at a task solved it and some did not. */
export const endDifferently = ({ successes, attempts }: Pick<Attempted, 'successes' | 'attempts'>): boolean =>
  successes > 0 && successes < attempts;

const teaches = (task: Attempted): boolean => task.teaches ?? endDifferently(task);

/** Null when no task has enough attempts to tell. */
export function teaching(
  families: readonly { tasks: readonly Attempted[] }[],
  settings: RewardSettings,
): Teaching | null {
  let [tasks, mixed, learnability] = [0, 0, 0];
  for (const family of families) {
    for (const task of family.tasks) {
      const { successes: k, attempts: n } = task;
      if (n < 2) continue;
      tasks += 1;
      if (teaches(task)) mixed += 1;
      learnability += (k * (n - k)) / (n * (n - 1));
    }
  }
  if (tasks === 0) return null;
  const reliability = splitReliability(families, settings);
  return { tasks, mixed: mixed / tasks, learnability: learnability / tasks, reliability };
}

function splitReliability(
  families: readonly { tasks: readonly Attempted[] }[],
  settings: RewardSettings,
): number | null {
  const pairs = families.flatMap(({ tasks }): [number, number][] => {
    const judged = tasks.filter(({ attempts }) => attempts > 0);
    const half = (odd: number): number | null =>
      rewardOf(
        judged.filter((_, i) => i % 2 === odd),
        settings,
      );
    const [a, b] = [half(0), half(1)];
    return a === null || b === null ? [] : [[a, b]];
  });
  if (pairs.length < fewestFamilies) return null;
  const mean = (side: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;
  const [left, right] = [mean(0), mean(1)];
  let [xx, yy, xy] = [0, 0, 0];
  for (const [a, b] of pairs) {
    xx += (a - left) ** 2;
    yy += (b - right) ** 2;
    xy += (a - left) * (b - right);
  }
  if (xx < 1e-12 || yy < 1e-12) return null;
  const r = xy / Math.sqrt(xx * yy);
  // A half's reliability is r; twice as many tasks have 2r/(1 + r), which means nothing below 0.
  return r <= 0 ? r : (2 * r) / (1 + r);
}

/** R_env of some tasks of a family; null where it is unknown. */
function rewardOf(tasks: readonly Attempted[], settings: RewardSettings): number | null {
  const attempts = tasks.reduce((sum, task) => sum + task.attempts, 0);
  if (attempts === 0) return null;
  const kind = rewardKind(settings);
  if (kind.of === 'rate') {
    return kind.reward(tasks.reduce((sum, { successes }) => sum + successes, 0) / attempts, settings);
  }
  // A family's change is one number: its halves would only repeat it. So may a file's reward be.
  if (kind.of === 'change' || kind.of === 'file') return null;
  const known = tasks.flatMap(
    ({ signal, ...counts }) => taskReward({ ...counts, signal: signal ?? null }, settings) ?? [],
  );
  return known.length === 0 ? null : known.reduce((sum, reward) => sum + reward, 0) / known.length;
}
