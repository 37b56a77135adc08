/** An attempt's last action, where it cannot have been right. */
import { parseSaid } from '../../../shared/json.ts';
import { isObject } from '../../../shared/experiment/resolve.ts';
import type { Trace } from '../../../shared/records/trace.ts';

/** `failed`: a tool answered with an error, and nothing came after it; `unreadable`; `another`: a call the gold has not. */
export type LastFault = 'failed' | 'unreadable' | 'another';

const errorWords = /^\s*(?:error\b|exception\b|traceback \(most recent|invalid\b|failed\b|failure\b)/i;

/** Null where nothing speaks against it. @param calls in the last turn, null where they cannot be read @param gold of the task */
export function lastFault(
  { messages }: Pick<Trace, 'messages'>,
  calls: readonly { name: string }[] | null,
  gold: string | null,
): LastFault | null {
  const said = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  const answered = messages.at(-1);
  if (answered !== undefined && answered.role !== 'assistant' && isError(answered.content)) return 'failed';
  if (!said.includes('<tool_call>')) return null;
  if (calls === null) return 'unreadable';
  const right = namesIn(gold);
  return right === null || calls.some(({ name }) => right.includes(name)) ? null : 'another';
}

function isError(text: string): boolean {
  if (errorWords.test(text)) return true;
  const value = parseSaid(text);
  if (!isObject(value)) return false;
  const { error = null, success, status } = value;
  return (error !== null && error !== false && error !== '') || success === false || status === 'error';
}

/** Names of the calls that a gold is; null where it is none. */
function namesIn(gold: string | null): string[] | null {
  const value = gold === null ? undefined : parseSaid(gold);
  const calls: unknown[] = Array.isArray(value) ? value : [value];
  const names = calls.map((call) => (isObject(call) && typeof call['name'] === 'string' ? call['name'] : null));
  const known = names.filter((name) => name !== null);
  return known.length > 0 && known.length === names.length ? known : null;
}
