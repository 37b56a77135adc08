/** The conditions that a record must be read for. */
import * as z from 'zod';
import { allSaid } from '../../../shared/records/conversations.ts';
import { messageSchema } from '../../../shared/records/message.ts';
import { branchSchema, traceSchema, verdictSchema } from '../../../shared/records/trace.ts';
import { taskSchema } from '../../../shared/records/task.ts';
import { lies } from '../contract/query.ts';
import { wildcard } from '../contract/wildcard.ts';
import type { Condition, TraceQuery } from '../contract/traceQuery.ts';
import { recordVersion } from '../../../runs/index/recordKind.ts';
import { escaped, type Said } from './matches.ts';

const saidSchema = z.object(messageSchema.pick({ role: true, content: true, reasoning: true, name: true }).shape);
const v = z.literal(recordVersion);

/** The searched part of a trace: reading tokens and logprobs too would take most of its time. */
export const searchedTraceSchema = z.object({
  v,
  ...traceSchema.pick({ id: true, purpose: true, task: true, family: true, domain: true, epoch: true, version: true })
    .shape,
  asked: z.array(saidSchema).optional(),
  messages: z.array(saidSchema),
  branches: z.array(branchSchema.extend({ messages: z.array(saidSchema) })).optional(),
  verdict: z.object(verdictSchema.pick({ success: true, reward: true, parts: true, error: true }).shape),
});
export type SearchedTrace = z.infer<typeof searchedTraceSchema>;

export const searchedTaskSchema = z.object({
  v,
  ...taskSchema.pick({ id: true, family: true, domain: true, epoch: true }).shape,
  prompt: z.array(saidSchema),
});
export type SearchedTask = z.infer<typeof searchedTaskSchema>;

/** Whether a record fits. */
export type Fits<T> = (record: T) => boolean;

/** @param marked ids of the traces with a note or label that fits, by condition */
export function traceFits(
  { conditions }: TraceQuery,
  marked: ReadonlyMap<Condition, ReadonlySet<string>>,
): Fits<SearchedTrace> {
  const tests = conditions.flatMap((condition): Fits<SearchedTrace>[] => {
    const test = traceTest(condition, marked.get(condition) ?? new Set());
    return test === null ? [] : [(trace) => test(trace) !== condition.negated];
  });
  return (trace) => tests.every((test) => test(trace));
}

/** Conditions that no task can fulfil were turned down before. */
export function taskFits({ conditions }: TraceQuery): Fits<SearchedTask> {
  const tests = conditions.flatMap((condition): Fits<SearchedTask>[] => {
    if (condition.kind !== 'name') return [];
    const named = wildcard(condition.pattern);
    const nameOf = (task: SearchedTask): string =>
      condition.of === 'domain' ? (task.domain ?? '') : condition.of === 'family' ? task.family : task.id;
    return [(task) => named(nameOf(task)) !== condition.negated];
  });
  return (task) => tests.every((test) => test(task));
}

function traceTest(condition: Condition, marked: ReadonlySet<string>): Fits<SearchedTrace> | null {
  switch (condition.kind) {
    case 'name': {
      const named = wildcard(condition.pattern);
      return (trace) => named((condition.of === 'trace' ? trace.id : trace[condition.of]) ?? '');
    }
    case 'tool': {
      const { tool } = condition;
      const called = new RegExp(`(?<![\\w.-])${escaped(tool)}(?![\\w-])`);
      return (trace) => allSaid(trace).some((message) => usesTool(message, tool, called));
    }
    case 'part': {
      const { part, interval } = condition;
      return ({ verdict: { parts = {} } }) =>
        Object.entries(parts).some(([name, value]) => name.toLowerCase() === part && lies(value, interval));
    }
    case 'note':
    case 'label':
      return ({ id }) => marked.has(id);
    default:
      return null;
  }
}

/** As documents mark calls: the name as a separate word in an agent's message, or as the author of an answer. */
const usesTool = ({ role, name, content }: Said, tool: string, called: RegExp): boolean =>
  role === 'assistant' ? called.test(content) : role === 'tool' && name === tool;
