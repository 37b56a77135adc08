/** Bamboogle with a search tool, as ToolRL plays it: what a model's reply asks for, and what it is shown next. */
import { repr } from '../bfcl/python/text/repr.ts';
import { fromJson } from '../bfcl/python/value.ts';
import { parseLiteral } from '../python/literal.ts';
import { beforeFirst, strip } from '../python/text.ts';
import type { PythonValue } from '../python/value.ts';

/** Replies that a model may give; the results of a search that each may ask for. */
export const limits = { rounds: 4, results: 5 } as const;

export type Reply =
  /** A search, and how it stands in the history from now on. */
  | { kind: 'search'; query: string; shown: string }
  /** A tool call that cannot be read: the round is spent, and nothing is shown of it. */
  | { kind: 'lost' }
  /** The answer; an empty one counts as none. */
  | { kind: 'answer'; text: string };

/** A tool call goes before a response where a reply has both. */
export function readReply(reply: string): Reply {
  const text = strip(reply);
  if (text.includes('<tool_call>')) return searchIn(text);
  const response = inside(text, '<response>', '</response>');
  if (response !== null) return { kind: 'answer', text: response };
  const afterThought = text.split('</think>')[1];
  return { kind: 'answer', text: strip(afterThought ?? text) };
}

/** The first line in the first tag is read as a Python literal: JSON's `true` and `null` fail. */
function searchIn(text: string): Reply {
  const line = beforeFirst(inside(text, '<tool_call>', '</tool_call>') ?? '', '\n');
  const thought = inside(text, '<think>', '</think>') ?? strip(beforeFirst(text, '<tool_call>'));
  const call = literalOf(line);
  const query = call === undefined ? undefined : memberOf(memberOf(call, 'parameters'), 'query');
  if (call === undefined || typeof query !== 'string') return { kind: 'lost' };
  const shown = `<think> ${thought} </think>\n<tool_call>\n${repr(fromJson(call))}\n</tool_call>`;
  return { kind: 'search', query, shown };
}

/** The text between the first opening tag and the next closing one, or the end; null without an opening one. */
function inside(text: string, open: string, close: string): string | null {
  const after = text.split(open)[1];
  return after === undefined ? null : strip(beforeFirst(after, close));
}

function literalOf(line: string): PythonValue | undefined {
  try {
    return parseLiteral(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const memberOf = (value: PythonValue | undefined, name: string): PythonValue | undefined =>
  value instanceof Map ? value.get(name) : undefined;

/** The turn after the results in the history. @param round of the reply that asked for them, 1-based */
export const afterResults = (round: number): string =>
  round < limits.rounds - 1
    ? 'Please continue to search if needed. If you can obtain the answer, please do not call any tool and directly provide a succinct answer in the response.'
    : 'Do not make tool call any more. Please directly provide a succinct answer in your next response.';

/** The first user turn. */
export const firstRequest = (question: string): string =>
  `${question}\nPerform tool call if you are not sure about the answer. Make a plan to solve the problem step by step.`;

/** Results as the model reads them, the best first. */
export function shownResults(found: readonly { title: string; text: string }[]): string {
  const results = found.map(({ title, text }, at) => `${at + 1}. ${title}\n- Snippet: ${text}\n`);
  return `Search results for the first tool call query:\n${strip(results.join(''))}`;
}

/** A part of what was said so far. */
export interface Said {
  role: 'user' | 'obs' | 'assistant';
  content: string;
}

/** All that was said, as the one message that a model reads in every round. */
export function historyText(said: readonly Said[]): string {
  const parts = said.map(({ role, content }) =>
    role === 'assistant' ? `${content}\n` : `<${role}> ${content} </${role}>\n\n`,
  );
  return strip(`**Dialogue Records History**\n${parts.join('')}`);
}
