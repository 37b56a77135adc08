/**
 * D_train, the agent pool (paper §2.3), as JSON lines: the base tasks first, then every valid trace in the order
 * recorded. A line is one of
 * - `{"v":1,"kind":"base","task","family","prompt","tools"?,"evaluation","gold"}`: a human-authored task; `prompt` is
 *   the task's messages, `evaluation` how an answer is judged, `gold` the reference answer or null.
 * - `{"v":1,"kind":"trace","id","task","family","epoch","version","prompt","tools"?,"messages","reward","success"}`: one
 *   attempt in training whose answer was parsed, executed and judged; `version` is the agent that sampled it (`agent@3`),
 *   `messages` what was said after the prompt (an assistant turn carries its sampled token ids as `tokens`), `reward`
 *   0…1, `success` the binary verdict.
 * Attempts at validation and at ranking are never in it.
 */
import type { Message } from '../../shared/records/message.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { RunError } from '../runError.ts';

interface BaseLine {
  v: 1;
  kind: 'base';
  task: string;
  family: string;
  prompt: Message[];
  tools?: Task['tools'];
  evaluation: Task['evaluation'];
  gold: Task['gold'];
}

interface TraceLine {
  v: 1;
  kind: 'trace';
  id: string;
  task: string;
  family: string;
  epoch: number;
  version: string;
  prompt: Message[];
  tools?: Task['tools'];
  messages: Message[];
  reward: number;
  success: boolean;
}

export type AgentPoolLine = BaseLine | TraceLine;

/** The part of a run that the pool is a view of. */
export interface AgentPoolSource {
  readonly dir: string;
  traces(): AsyncIterable<Trace>;
  task(id: string): Promise<Task | undefined>;
}

/** Tasks met lately: attempts at one task lie close together. */
const tasksHeld = 4096;

/**
 * @param given tasks that the run did not write itself and so does not record: base tasks, and offline ones
 * @throws RunError `format` for a trace of a task that is neither given nor recorded, and what the source throws
 */
export async function* agentPool(source: AgentPoolSource, given: readonly Task[]): AsyncGenerator<AgentPoolLine> {
  const known = new Map(given.map((task) => [task.id, task]));
  for (const task of given) if (task.origin === 'base') yield baseLine(task);
  const held = new Map<string, Task>();
  for await (const trace of source.traces()) {
    if (!isPooled(trace)) continue;
    const task = known.get(trace.task) ?? held.get(trace.task) ?? (await source.task(trace.task));
    if (task === undefined) throw orphan(source, trace);
    held.set(task.id, task);
    for (const oldest of held.keys()) {
      if (held.size <= tasksHeld) break;
      held.delete(oldest);
    }
    yield traceLine(task, trace);
  }
}

/** Whether a trace is in the pool: an attempt in training whose answer was parsed, executed and judged. */
const isPooled = ({ purpose, verdict }: Trace): boolean =>
  purpose === 'train' && verdict.valid && verdict.error === undefined;

/** A base task's line. */
export function baseLine({ id, family, prompt, tools, evaluation, gold }: Task): BaseLine {
  return { v: 1, kind: 'base', task: id, family, prompt, ...(tools === undefined ? {} : { tools }), evaluation, gold };
}

/** A pooled trace's line. */
export function traceLine({ prompt, tools }: Task, trace: Trace): TraceLine {
  const { id, task, family, epoch, version, messages, verdict } = trace;
  return {
    v: 1,
    kind: 'trace',
    id,
    task,
    family,
    epoch,
    version,
    prompt,
    ...(tools === undefined ? {} : { tools }),
    messages,
    reward: verdict.reward,
    success: verdict.success,
  };
}

function orphan({ dir }: AgentPoolSource, trace: Trace): RunError {
  return new RunError('format', {
    path: dir,
    field: 'task',
    what: `trace "${trace.id}" attempts task "${trace.task}", which is neither recorded nor a base task`,
    remedy: 'Export with the base tasks that the run was started with, or restore tasks.jsonl from a copy.',
  });
}
