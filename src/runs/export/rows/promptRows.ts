/** Rows to reinforce on: one a task of the agent pool, as verl's RL trainer and TRL's GRPO read them. */
import * as z from 'zod';
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { AgentItem } from '../agentItems.ts';
import type { Prompts } from '../prompts.ts';
import { plain, plainMessageSchema, toolsText } from './messages.ts';

/** A task of the pool, and what the agent reads first of it. */
interface PromptedTask {
  task: Task;
  prompt: readonly Message[];
}

const facts = {
  task_id: z.string().describe('of the task'),
  family: z.string().describe('its family'),
  epoch: z.int().describe('that wrote it; 0 for a base task'),
  origin: z.string().describe('`base`, `generated` or `offline`'),
  domain: z.string().nullable().describe('which of several domains it is of; null of a run with one'),
};

export const verlPromptSchema = z.strictObject({
  data_source: z.string().describe('`genenv/` and the rule that judges: what verl chooses a reward by'),
  ability: z.string().describe('`task`'),
  prompt: z.array(plainMessageSchema).describe('what the agent reads'),
  reward_model: z
    .strictObject({ style: z.literal('rule'), ground_truth: z.string() })
    .describe('`ground_truth` is JSON text: `{"task","evaluation","gold"}`'),
  extra_info: z
    .strictObject({ split: z.literal('train'), index: z.int(), ...facts, tools: z.string().nullable() })
    .describe('where the task comes from; `tools` is JSON text or null'),
});

export const trlPromptSchema = z.strictObject({
  prompt: z.array(plainMessageSchema).describe('what the agent reads'),
  ground_truth: z.string().nullable().describe('the reference answer; null where the evaluation needs none'),
  evaluation: z.string().describe('how an answer is judged, as JSON text'),
  tools: z.string().nullable().describe('tool schemas as JSON text; null without any'),
  ...facts,
});

export const verlPrompt = ({ task, prompt }: PromptedTask, index: number): z.infer<typeof verlPromptSchema> => ({
  data_source: `genenv/${task.evaluation.kind}`,
  ability: 'task',
  prompt: plain(prompt),
  reward_model: {
    style: 'rule',
    ground_truth: JSON.stringify({ task: task.id, evaluation: task.evaluation, gold: task.gold }),
  },
  extra_info: { split: 'train', index, ...factsOf(task), tools: toolsText(task) },
});

export const trlPrompt = ({ task, prompt }: PromptedTask): z.infer<typeof trlPromptSchema> => ({
  prompt: plain(prompt),
  ground_truth: task.gold,
  evaluation: JSON.stringify(task.evaluation),
  tools: toolsText(task),
  ...factsOf(task),
});

const factsOf = ({ id, family, epoch, origin, domain }: Task) => ({
  task_id: id,
  ...{ family, epoch, origin, domain: domain ?? null },
});

/** Each task of the pool once, as people left it: base tasks, and those that a valid trace attempted. */
export async function* promptRows<Row>(
  items: AsyncIterable<AgentItem>,
  prompts: Prompts,
  rowOf: (prompted: PromptedTask, index: number) => Row,
): AsyncGenerator<Row> {
  const seen = new Set<string>();
  for await (const item of items) {
    const task = item.kind === 'base' ? item.task : item.now;
    if (seen.has(task.id)) continue;
    const prompt = prompts.ofTask({ task, ...(item.kind === 'trace' && { by: item }) });
    yield rowOf({ task, prompt }, seen.size);
    seen.add(task.id);
  }
}
