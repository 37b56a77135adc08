/** A tool for agents: its words, its input as a schema, and an answer in Markdown. */
import * as z from 'zod';
import { firstIssue } from '../../../shared/firstIssue.ts';
import { AgentError } from './agentError.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

interface ToolWords {
  /** As protocols name it: `read_run`. */
  name: string;
  title: string;
  /** The description that an agent reads before a call. */
  description: string;
  /** `read`: changes nothing. `propose`: leaves a proposal for a person. `act`: acts on runs, where a setting allows it. */
  does: 'read' | 'propose' | 'act';
}

export interface Tool<C> extends ToolWords {
  input: z.ZodObject;
  /** @throws AgentError, and what reading a run throws */
  answer(context: C, input: unknown): Promise<string>;
}

/** Ties a tool’s answer to its schema: whatever calls it, its input is validated here. */
export function tool<C, S extends z.ZodObject>(
  spec: ToolWords & { input: S; answer: (context: C, input: z.output<S>) => Promise<string> },
): Tool<C> {
  const { input, answer } = spec;
  return {
    ...spec,
    answer: async (context, raw) => {
      const parsed = input.safeParse(raw ?? {});
      if (parsed.success) return answer(context, parsed.data);
      const { field, message } = firstIssue(parsed.error);
      const where = field === '' ? 'The input' : `The field "${field}"`;
      throw new AgentError(
        'bad-input',
        `${where} of ${spec.name} cannot be used: ${message}.`,
        'Correct it and call again.',
      );
    },
  };
}

/** The largest page: an agent’s window is small, and what is beyond is a call away. */
const mostRows = 100;

/** Fields of a tool that lists. */
export const page = {
  limit: z.int().min(1).max(mostRows).default(20).describe('Rows to show, 1 to 100.'),
  from: z.int().nonnegative().default(0).describe('Rows to skip: where the next page begins.'),
};

/** The part of a list that is shown, and a sentence on what is left. */
export function paged<T>(
  items: readonly T[],
  { limit, from }: { limit: number; from: number },
): { rows: T[]; rest: string[] } {
  const rows = items.slice(from, from + limit);
  return { rows, rest: restOf(items.length, { from, shown: rows.length }) };
}

/** The sentence on what of a list is left. */
export function restOf(all: number, { from, shown }: { from: number; shown: number }): string[] {
  const left = all - from - shown;
  if (left > 0) return [`${count(left)} more: call again with from=${from + shown}.`];
  return shown === 0 && all > 0 ? [`There are only ${count(all)}; from=${from} is beyond them.`] : [];
}
