/** Calls of tools in a text: a tool's name as a separate word, followed by its arguments in brackets. */
import type { ToolSpec } from '../../../shared/records/task.ts';
import type { InLine } from './line.ts';

/** Longer arguments are marked up to here. */
const longest = 2000;

/** Calls in the order they stand. A name inside another word or another call's arguments is none. */
export function toolCalls(text: string, tools: readonly ToolSpec[]): InLine[] {
  if (tools.length === 0) return [];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  // The longest first: `get_user` must not be found as `get`.
  const names = [...byName.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const found: InLine[] = [];
  for (const match of text.matchAll(new RegExp(`(?<![\\w.-])(?:${names.join('|')})(?![\\w-])`, 'g'))) {
    const tool = byName.get(match[0]);
    const start = match.index;
    if (tool === undefined || start < (found.at(-1)?.end ?? 0)) continue;
    found.push({ start, end: endOfCall(text, start + match[0].length), means: { kind: 'call', tool } });
  }
  return found;
}

/** The end of the brackets that open at a place; the place itself where none do, or they never close. */
function endOfCall(text: string, from: number): number {
  if (text[from] !== '(') return from;
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + longest); at++) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return from;
}
