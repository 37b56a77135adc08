/** Training rows in verl's forms (verl-ray.md §1, §4). */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { AgentJob, EnvironmentJob, JobTask } from '../../../engine/ports.ts';
import { largest } from '../../../shared/extremes.ts';
import type { Message } from '../../../shared/records/message.ts';
import { parquetBytes } from '../../../shared/parquet/parquetBytes.ts';

/**
 * The reward file's `ground_truth`, as text: mixed types break Arrow's schemas. The task's id is in it, because a dump
 * has the ground truth and nothing else of a row.
 */
export const groundTruthSchema = z.object({
  task: z.string(),
  evaluation: z.looseObject({ kind: z.string() }),
  gold: z.string().nullable(),
});

const messageSchema = z.strictObject({ role: z.string(), content: z.string() });
const conversationSchema = z.strictObject({ messages: z.array(messageSchema) });

/** GRPO rows, one JSON object a line. verl of any age reads that from a file called `.json`. */
export const agentRows = (tasks: readonly JobTask[]): string =>
  tasks.map((task, index) => `${JSON.stringify(agentRow(task, index))}\n`).join('');

const agentRow = ({ id: task, messages, evaluation, gold, asked }: JobTask, index: number) => ({
  data_source: `genenv/${evaluation.kind}`,
  ability: 'task',
  prompt: plain(messages),
  reward_model: { style: 'rule', ground_truth: JSON.stringify({ task, evaluation, gold }) },
  // A dump does not tell it, so that prompts are not written once more for every attempt.
  extra_info: { split: 'train', index, task, ...(asked !== undefined && { asked: JSON.stringify(asked) }) },
});

/** Supervised rows as a parquet file: verl's supervised trainer reads nothing else. */
export async function environmentRows(examples: EnvironmentJob['examples']): Promise<Uint8Array> {
  const rows = examples.map((messages) => ({ messages: plain(messages) }));
  return Buffer.concat(await Array.fromAsync(parquetBytes(conversationSchema, rows)));
}

const plain = (messages: readonly Message[]): z.infer<typeof messageSchema>[] =>
  messages.map(({ role, content }) => ({ role, content }));

/**
 * Tokens that a conversation has at most: no tokenizer makes more of a text than it has bytes, and a template adds a few
 * to each turn. Without the model's own tokenizer nothing nearer is known.
 */
export const mostTokens = (conversations: readonly (readonly Message[])[]): number =>
  largest(
    conversations.map((messages) =>
      messages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + perTurn, perTurn),
    ),
  );

const perTurn = 32;

/** The feature of a task that rows cannot express, as a clause; null when there is none. */
export function noPlaceFor({ tasks }: Pick<AgentJob, 'tasks'>): string | null {
  const armed = tasks.find(({ tools }) => tools !== undefined && tools.length > 0);
  return armed === undefined
    ? null
    : l10n.t('task {0} has tools of its own, which a row of verl cannot carry', armed.id);
}
