/** D_train as lines of this project's own form: base tasks, then every valid trace in the order recorded. */
import * as z from 'zod';
import { promptOf } from '../../shared/records/asked.ts';
import { messageSchema, type Message } from '../../shared/records/message.ts';
import { labelEventSchema, type PersonLabel } from '../../shared/records/label.ts';
import { taskSchema, type Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { defined } from '../../shared/defined.ts';
import { readLabels } from '../records/labelsFile.ts';
import { runPaths } from '../store/runPaths.ts';
import { agentItems, type AgentItem } from './agentItems.ts';
import type { PoolSource } from './poolSource.ts';

const { evaluation, gold, tools, domain } = taskSchema.shape;

export const baseLineSchema = z.strictObject({
  v: z.literal(1).describe('version of this form'),
  kind: z.literal('base').describe('a task written by people'),
  task: z.string().describe('its id'),
  family: z.string().describe('its family'),
  prompt: z.array(messageSchema).describe('its messages'),
  tools: tools.describe('what it may call; absent without any'),
  evaluation: evaluation.describe('how an answer is judged'),
  gold: gold.describe('the reference answer; null without one'),
  domain: domain.describe('which of several domains it is of; absent of a run with one'),
});

export const traceLineSchema = z.strictObject({
  v: z.literal(1).describe('version of this form'),
  kind: z.literal('trace').describe('one attempt in training whose answer was parsed, executed and judged'),
  id: z.string().describe('of the attempt'),
  task: z.string().describe('of the task attempted'),
  family: z.string().describe('of the task'),
  epoch: z.int().describe('of the attempt'),
  version: z
    .string()
    .describe('the agent that sampled it, `agent@3`; `person:NAME` of a person’s attempt that was added'),
  prompt: z.array(messageSchema).describe('the messages that the agent read first'),
  tools: tools.describe('what it may call; absent without any'),
  messages: z
    .array(messageSchema)
    .describe('what was said then; an assistant turn carries its sampled ids as `tokens`'),
  reward: z.number().describe('0 … 1'),
  success: z.boolean().describe('the binary verdict'),
  labels: z
    .array(labelEventSchema.pick({ author: true, verdict: true, labels: true }))
    .optional()
    .describe('verdicts and labels of people, one entry a person; absent without any'),
});

export type AgentPoolLine = z.infer<typeof baseLineSchema> | z.infer<typeof traceLineSchema>;

/** @throws RunError as `agentItems` does */
export async function* agentPool(source: PoolSource, given: readonly Task[]): AsyncGenerator<AgentPoolLine> {
  const labels = await labelsOf(source);
  for await (const item of agentItems(source, given)) yield agentLine(item, labels, promptOf);
}

type Labels = ReadonlyMap<string, readonly PersonLabel[]>;

/** People's labels on the attempts of a pool. @throws RunError `unreadable` */
export const labelsOf = async ({ dir }: Pick<PoolSource, 'dir'>): Promise<Labels> =>
  (await readLabels(runPaths(dir).attemptLabels)).attempts;

/** @param prompt of an attempt at a task */
export function agentLine(
  item: AgentItem,
  labels: Labels,
  prompt: (trace: Trace, task: Task) => readonly Message[],
): AgentPoolLine {
  if (item.kind === 'base') return baseLine(item.task);
  const { trace, task } = item;
  return traceLine(task, trace, { labels: labels.get(trace.id), prompt: prompt(trace, task) });
}

/** A base task's line. */
export function baseLine({ id, family, prompt, tools: specs, ...task }: Task): AgentPoolLine {
  const { evaluation: judged, gold: reference, domain: of } = task;
  const line = { v: 1, kind: 'base', task: id, family, prompt, ...withTools(specs) } as const;
  return { ...line, evaluation: judged, gold: reference, ...defined({ domain: of }) };
}

interface TraceLineParts {
  labels?: readonly PersonLabel[] | undefined;
  /** The agent's prompt; as recorded when absent. */
  prompt?: readonly Message[];
}

/** A pooled trace's line. */
export function traceLine(
  attempted: Task,
  trace: Trace,
  { labels, prompt = promptOf(trace, attempted) }: TraceLineParts = {},
): AgentPoolLine {
  const { id, task, family, epoch, version, messages, verdict } = trace;
  const { reward, success } = verdict;
  const head = { id, task, family, epoch, version };
  return {
    v: 1,
    kind: 'trace',
    ...head,
    prompt: [...prompt],
    ...withTools(attempted.tools),
    messages,
    reward,
    success,
    ...defined({ labels: labels?.slice() }),
  };
}

const withTools = (specs: Task['tools']) => (specs === undefined ? {} : { tools: specs });
