/**
 * The places of conversation texts in records as stored, without parsing. A quotation mark inside a JSON string is
 * escaped, so `"content":"` occurs only before a value of that name.
 */

const keys = /"(?:content|reasoning|name|version)":"/g;
const quote = '"';
const backslash = 0x5c;

/**
 * Calls `found` with [start, end) of each string of the conversations, called tools and named versions, in order.
 * @param text records as latin1, so that an index is a byte offset
 */
export function eachSaid(text: string, found: (start: number, end: number) => void): void {
  keys.lastIndex = 0;
  while (keys.test(text)) {
    const start = keys.lastIndex;
    const end = endOfString(text, start);
    found(start, end);
    keys.lastIndex = end;
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf(quote, start); end !== -1; end = text.indexOf(quote, end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Whether a record is written as our writers write: no space after a colon. Others cannot be searched without parsing.
 * @param text a record, or its start
 */
export const isCompact = (text: string): boolean => /^\{"[^"\\]*":[^\s]/.test(text);
