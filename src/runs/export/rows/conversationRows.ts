/** Whole conversations to learn to imitate, as supervised trainers read them (TRL's SFT, verl's SFT). */
import * as z from 'zod';
import type { Rng } from '../../../engine/random.ts';
import { conversationsOf } from '../../../shared/records/conversations.ts';
import type { AgentItem } from '../agentItems.ts';
import type { EnvironmentItem } from '../environmentItems.ts';
import type { Leave } from '../leftOut.ts';
import type { Prompts } from '../prompts.ts';
import { plain, plainMessageSchema, toolsText } from './messages.ts';

const messages = z.array(plainMessageSchema);

export const attemptSchema = z.strictObject({
  messages: messages.describe('what the agent read first, and everything said then'),
  tools: z.string().nullable().describe('tool schemas as JSON text; null without any'),
  id: z.string().describe('of the attempt'),
  branch: z.int().describe('0: the conversation that was answered last; k: the k-th branch of a program’s attempt'),
  task_id: z.string().describe('of the task'),
  family: z.string().describe('of the task'),
  epoch: z.int().describe('of the attempt'),
  version: z.string().describe('the agent that sampled it'),
  reward: z.number().describe('0 … 1'),
});

/** The attempts that solved their task. */
export async function* attemptRows(
  items: AsyncIterable<AgentItem>,
  prompts: Prompts,
  leave: Leave,
): AsyncGenerator<z.infer<typeof attemptSchema>> {
  for await (const item of items) {
    if (item.kind === 'base') leave('base', item.task.id);
    else if (!item.success) leave('unsolved', item.trace.id);
    else {
      const { task, trace } = item;
      const { id, family, epoch, version, verdict } = trace;
      // A program starts its own conversations; the task's prompt is in them only where the program sent it.
      const conversations =
        trace.branches === undefined ? [[...prompts.ofTrace(trace, task), ...trace.messages]] : conversationsOf(trace);
      for (const [branch, said] of conversations.entries()) {
        const head = { messages: plain(said), tools: toolsText(task) };
        yield { ...head, id, branch, task_id: task.id, family, epoch, version, reward: verdict.reward };
      }
    }
  }
}

export const writingSchema = z.strictObject({
  messages: messages.describe('what the environment policy read, and as the last turn what it wrote'),
  task_id: z.string().describe('of the task that this became'),
  family: z.string().describe('its family'),
  seed: z.string().nullable().describe('the seed task it varies'),
  epoch: z.int().describe('that scored it'),
  version: z.string().describe('the environment that wrote it'),
});

export const weightedWritingSchema = writingSchema.extend({
  weight: z.number().describe('∝ exp(λR_env), filter included; the mean of an epoch is 1'),
});

/** The environment's texts with their weights. */
export async function* writingRows(
  items: AsyncIterable<EnvironmentItem>,
  leave: Leave,
): AsyncGenerator<z.infer<typeof weightedWritingSchema>> {
  for await (const { epoch, family, task, generation, weight } of items) {
    const { context, text, version } = generation;
    if (context === undefined) leave('no-context', task.id);
    else {
      const said = plain([...context, { role: 'assistant', content: text }]);
      yield { messages: said, task_id: task.id, family: family.id, seed: task.seed, epoch, version, weight };
    }
  }
}

/**
 * Rows repeated in proportion to their weights, in all about as many as there were (systematic resampling: each is
 * there ⌊w⌋ or ⌈w⌉ times, w times in expectation). A trainer that knows no weights then learns as if it did.
 */
export async function* resampled<Row extends { weight: number; task_id: string }>(
  rows: AsyncIterable<Row>,
  rng: Rng,
  leave: Leave,
): AsyncGenerator<Omit<Row, 'weight'>> {
  let passed = 0;
  let next = rng.next();
  for await (const { weight, ...row } of rows) {
    passed += weight;
    if (next >= passed) leave('undrawn', row.task_id);
    for (; next < passed; next++) yield row;
  }
}
