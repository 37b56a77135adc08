/**
 * Where records, as they lie in their file, hold what was said: without parsing them. A quotation mark inside a JSON
 * string is escaped, so `"content":"` stands nowhere but before a value of that name.
 */

const keys = /"(?:content|reasoning|name|version)":"/g;
const quote = '"';
const backslash = 0x5c;

/**
 * Calls `found` with [start, end) of each string of what was said, tools called and versions named; in order.
 * @param text records as latin1, so that a place in it is a byte
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
