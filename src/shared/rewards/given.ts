/** The arguments of a person's own reward function: plain JSON, without token ids. */
import * as z from 'zod';
import { taskSchema, type Task } from '../records/task.ts';
import { traceSchema, type Trace } from '../records/trace.ts';
import { toolCallSchema, toolCallsOf } from './toolCalls.ts';
import { defined } from '../defined.ts';

const saidSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  name: z.string().optional(),
});
type Said = z.infer<typeof saidSchema>;

/** The task that was attempted. */
export const rewardTaskSchema = z.strictObject({
  id: z.string(),
  family: z.string(),
  epoch: z.int().nonnegative(),
  /** The agent's prompt. */
  prompt: z.array(saidSchema),
  tools: taskSchema.shape.tools,
  evaluation: taskSchema.shape.evaluation,
  gold: taskSchema.shape.gold,
  /** Id of the task that it varies. */
  seed: z.string().nullable(),
  plan: z.string(),
});
export type RewardTask = z.infer<typeof rewardTaskSchema>;

/** The attempt that is judged. */
export const rewardTraceSchema = z.strictObject({
  id: z.string(),
  /** The messages after the prompt: assistant turns and observations. */
  messages: z.array(saidSchema),
  /** Of a program's attempt: its other conversations, each from where it leaves `messages` (0) or a branch before it. */
  branches: z
    .array(z.strictObject({ of: z.int().nonnegative(), after: z.int().nonnegative(), messages: z.array(saidSchema) }))
    .optional(),
  /** The last assistant turn's text, '' without one. */
  answer: z.string(),
  /** Calls in the answer as `<tool_call>` JSON; null where it holds none, or one that cannot be read. */
  toolCalls: z.array(toolCallSchema).nullable(),
  stopReason: traceSchema.shape.stopReason,
  /** An OpenEnv server's answers, of its reset first; absent where none plays. */
  steps: traceSchema.shape.steps,
  /** Policy version that answered. */
  version: z.string(),
});
export type RewardTrace = z.infer<typeof rewardTraceSchema>;

/** One attempt to judge. */
export interface RewardCall {
  task: RewardTask;
  trace: RewardTrace;
}

const said = ({ role, content, name }: Trace['messages'][number]): Said => ({
  role,
  content,
  ...defined({ name }),
});

/** A task as a reward function sees it. */
export const rewardTask = ({ id, family, epoch, prompt, tools, evaluation, gold, seed, plan }: Task): RewardTask => ({
  ...{ id, family, epoch, prompt: prompt.map(said) },
  ...defined({ tools }),
  ...{ evaluation, gold, seed, plan },
});

/** An attempt at a task as a reward function sees it. */
export function rewardCall(
  task: Task,
  {
    id,
    messages,
    branches,
    stopReason,
    steps,
    version,
  }: Pick<Trace, 'id' | 'messages' | 'branches' | 'stopReason' | 'steps' | 'version'>,
): RewardCall {
  const answer = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  return {
    task: rewardTask(task),
    trace: {
      ...{ id, messages: messages.map(said), answer, toolCalls: toolCallsOf(answer), stopReason, version },
      ...(branches !== undefined &&
        branches.length > 0 && { branches: branches.map((one) => ({ ...one, messages: one.messages.map(said) })) }),
      ...defined({ steps }),
    },
  };
}

/** The known part of an attempt before it is made: the rest is the agent's messages. */
export interface RewardAsk {
  task: RewardTask;
  trace: Pick<RewardTrace, 'id' | 'version'>;
}
