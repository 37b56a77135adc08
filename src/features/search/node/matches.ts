/** The places of a query's words in a conversation. */
import type { Message } from '../../../shared/records/message.ts';
import type { SearchMatch } from '../contract/searchHit.ts';
import type { TraceQuery } from '../contract/traceQuery.ts';

export type Said = Pick<Message, 'role' | 'content' | 'reasoning' | 'name'>;

/** Maximum for one record; opening it shows all. */
const mostMatches = 8;
/** Characters around a match. */
const before = 40;
const after = 100;

export const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/**
 * Ignores case, but matches no similar letters: without `u`, so that ſ is no s and the text index, which folds only
 * ASCII, misses nothing.
 */
const wordsAs = (text: string): RegExp => new RegExp(escaped(text), 'gi');

/** The words of a query, ready to be looked for. */
export class WantedTexts {
  readonly #wanted: readonly { pattern: RegExp; negated: boolean }[];

  constructor({ texts }: Pick<TraceQuery, 'texts'>) {
    this.#wanted = texts.map(({ text, negated }) => ({ pattern: wordsAs(text), negated }));
  }

  /** Null when the conversation does not match. */
  find(messages: readonly Said[]): { matches: SearchMatch[]; more: number } | null {
    const matches: SearchMatch[] = [];
    let all = 0;
    for (const { pattern, negated } of this.#wanted) {
      const earlier = all;
      for (const [turn, { content, reasoning }] of messages.entries()) {
        for (const [of, text] of [
          ['reasoning', reasoning],
          ['content', content],
        ] as const) {
          for (const { 0: words, index: start } of (text ?? '').matchAll(pattern)) {
            all += 1;
            if (negated) return null;
            if (all - earlier > mostMatches) continue;
            const end = start + words.length;
            matches.push({ turn, of, start, end, snippet: snippetOf(text ?? '', start, end) });
          }
        }
      }
      if (all === earlier && !negated) return null;
    }
    matches.sort(
      (a, b) => a.turn - b.turn || Number(a.of === 'content') - Number(b.of === 'content') || a.start - b.start,
    );
    const shown = matches.slice(0, mostMatches);
    return { matches: shown, more: all - shown.length };
  }
}

function snippetOf(text: string, start: number, end: number): SearchMatch['snippet'] {
  const from = Math.max(0, start - before);
  const to = Math.min(text.length, Math.max(end, start + after));
  const line = (part: string): string => part.replaceAll(/\s+/g, ' ');
  const head = `${from > 0 ? '…' : ''}${line(text.slice(from, start)).trimStart()}`;
  const match = line(text.slice(start, end));
  const tail = `${line(text.slice(end, to)).trimEnd()}${to < text.length ? '…' : ''}`;
  return { text: head + match + tail, start: head.length, end: head.length + match.length };
}
