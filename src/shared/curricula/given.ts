/** Arguments and result of a curriculum file's `rewards(families, epoch)`: plain JSON, without token ids. */
import * as z from 'zod';
import type { Task } from '../records/task.ts';
import type { Trace } from '../records/trace.ts';
import { rewardTask, rewardTaskSchema } from '../rewards/given.ts';
import { defined } from '../defined.ts';

/** R_env that a file may give: beyond it exp(λR_env) of one text leaves nothing for the others. */
export const largestReward = 10;

const attemptSchema = z.strictObject({
  /** Null where the attempt was not judged. */
  success: z.boolean().nullable(),
  /** 0…1; null where the attempt was not judged. */
  reward: z.number().min(0).max(1).nullable(),
  parts: z.record(z.string(), z.number()).optional(),
  /** The last assistant turn's text, '' without one. */
  answer: z.string(),
  stopReason: z.enum(['stop', 'length', 'turns']),
});

export const curriculumTaskSchema = rewardTaskSchema.extend({
  /** Named measures of how hard it is, of its domain. */
  difficulty: z.record(z.string(), z.number()),
  attempts: z.array(attemptSchema),
});
type CurriculumTask = z.infer<typeof curriculumTaskSchema>;

/** Tasks that were written from one seed in one epoch, with their attempts. */
export interface CurriculumFamily {
  id: string;
  /** Id of the task that they vary. */
  seed: string | null;
  plan: string;
  /** Of judged attempts at all its tasks. */
  successes: number;
  judged: number;
  tasks: CurriculumTask[];
}

export const curriculumEpochSchema = z.strictObject({
  /** From 1. */
  epoch: z.int().positive(),
  alpha: z.number(),
  beta: z.number(),
  kMin: z.number(),
  /** The run's: chance that depends on it and on the epoch alone makes the same run again. */
  seed: z.int().nonnegative(),
});
export type CurriculumEpoch = z.infer<typeof curriculumEpochSchema>;

type Attempt = Pick<Trace, 'messages' | 'stopReason'> & {
  verdict: Pick<Trace['verdict'], 'success' | 'reward' | 'error' | 'parts'>;
};

const attemptOf = ({ messages, stopReason, verdict }: Attempt): z.infer<typeof attemptSchema> => {
  const judged = verdict.error === undefined;
  return {
    success: judged ? verdict.success : null,
    reward: judged ? verdict.reward : null,
    ...defined({ parts: judged ? verdict.parts : undefined }),
    answer: messages.findLast(({ role }) => role === 'assistant')?.content ?? '',
    stopReason,
  };
};

/** Families in the order of their first task; tasks and attempts in the order of the record. */
export function curriculumFamilies(groups: readonly { task: Task; traces: readonly Attempt[] }[]): CurriculumFamily[] {
  return [...Map.groupBy(groups, ({ task }) => task.family)].map(([id, own]) => {
    const tasks = own.map(({ task, traces }) => ({
      ...rewardTask(task),
      difficulty: task.complexity,
      attempts: traces.map(attemptOf),
    }));
    return familyOf({ id, seed: own[0]?.task.seed ?? null, plan: own[0]?.task.plan ?? '', tasks });
  });
}

/** With its counts. */
export function familyOf(family: Omit<CurriculumFamily, 'successes' | 'judged'>): CurriculumFamily {
  const judged = family.tasks.flatMap(({ attempts }) => attempts.filter(({ success }) => success !== null));
  const { id, seed, plan, tasks } = family;
  return {
    id,
    seed,
    plan,
    successes: judged.filter(({ success }) => success === true).length,
    judged: judged.length,
    tasks,
  };
}
