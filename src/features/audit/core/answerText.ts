/** An answer's text as the audit compares it. */
import { parseSaid } from '../../../shared/json.ts';
import { allSaid } from '../../../shared/records/conversations.ts';
import type { Trace } from '../../../shared/records/trace.ts';

const marks =
  /<\/?[a-z_][^<>\n]{0,80}>|```\w*|\\boxed|\b(?:action(?: input)?|thought|final answer|answer|observation)\s*:/gi;

/** Whether there is something in a text: a letter or a digit. */
export const hasContent = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * Whether a text has no content: it is empty, or only tags, fences, brackets, marks of ReAct, punctuation, or JSON
 * without a value in it, whatever its keys are.
 */
export function isFormOnly(text: string): boolean {
  const bare = text.replace(marks, ' ').trim();
  if (!hasContent(bare)) return true;
  const value = /^[{[]/.test(bare) ? parseSaid(bare) : undefined;
  return value !== undefined && !hasValue(value);
}

function hasValue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasValue);
  return typeof value === 'string' ? hasContent(value) : value !== null;
}

/** The whole conversation, literally. */
export const transcript = (trace: Pick<Trace, 'messages' | 'branches'>): string =>
  allSaid(trace)
    .map(({ role, content }) => `${role}\n${content}`)
    .join('\n\n');

/** A text without differences that seldom change an answer: case, blanks, quotes, emphasis, final punctuation. */
export const nearly = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[*_`"'“”‘’]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[.,;:!?]+(?= |$)/g, '')
    .trim();
