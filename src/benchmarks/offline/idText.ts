/** The id of a case as its line writes it, so that it is carried over as it is: 5.0, 2^60 and lists are ids too. */

const quote = 0x22;
const backslash = 0x5c;
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const [comma, colon] = [0x2c, 0x3a];
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** JSON text of the member `id` of the object that a line holds, the first if there are several; `null` without one. */
export function idText(line: string): string {
  let depth = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === openObject || code === openArray) depth += 1;
    else if (code === closeObject || code === closeArray) depth -= 1;
    else if (code === quote) {
      const end = endOfString(line, at);
      const value = afterColon(line, end);
      if (depth === 1 && value !== -1 && line.slice(at, end) === '"id"') return textOrNull(line, value);
      at = end - 1;
    }
  }
  return 'null';
}

/** After the closing quote of the string that begins here; the end of the line when it has none. */
function endOfString(line: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = line.indexOf('"', at);
    if (at === -1) return line.length;
    let slashes = 0;
    while (line.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** Where the value of a member begins whose name ends here; -1 when that was no name. */
function afterColon(line: string, end: number): number {
  let at = end;
  while (isSpace(line.charCodeAt(at))) at += 1;
  if (line.charCodeAt(at) !== colon) return -1;
  at += 1;
  while (isSpace(line.charCodeAt(at))) at += 1;
  return at;
}

/** As nearly all ids are: JSON without a need to read it. */
const plainString = /^"[^"\\\u0000-\u001f]*"$/;

function textOrNull(line: string, start: number): string {
  const text = line.slice(start, endOfValue(line, start)).trim();
  if (plainString.test(text)) return text;
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    if (error instanceof SyntaxError) return 'null';
    throw error;
  }
}

function endOfValue(line: string, start: number): number {
  let depth = 0;
  for (let at = start; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === quote) at = endOfString(line, at) - 1;
    else if (code === openObject || code === openArray) depth += 1;
    else if (depth === 0 && (code === comma || code === closeObject || code === closeArray)) return at;
    else if (code === closeObject || code === closeArray) depth -= 1;
  }
  return line.length;
}
