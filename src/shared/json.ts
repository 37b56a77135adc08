import * as l10n from '@vscode/l10n';
import { LongInteger } from './longInteger.ts';

declare global {
  interface JSON {
    /** `source`: the letters of a number, text, true, false or null (ECMAScript's "JSON.parse source text access"). */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** Parsed JSON, or undefined for text that is cut or is not JSON (JSON itself has no undefined). */
export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Maximum nesting of lists and objects in foreign JSON, so that recursive code stays within the stack. */
export const deepest = 200;

export const tooDeep = (): string => l10n.t('it is nested more than {0} levels deep', deepest);

/** `parseOrUndefined` for foreign text: values nested more than 200 levels deep are undefined. */
export const parseSaid = (text: string): unknown => (isTooDeep(text) ? undefined : parseOrUndefined(text));

/** The same with integers that no double holds as `LongInteger`, not rounded. */
export function parseExactly(text: string): unknown {
  const value = parseSaid(text);
  if (value === undefined || !/[0-9]{16}/.test(text)) return value;
  return JSON.parse(text, (_, inner, { source = '' }) =>
    typeof inner === 'number' && longInteger.test(source) && !Number.isSafeInteger(inner)
      ? new LongInteger(source)
      : inner,
  );
}

const longInteger = /^-?[1-9][0-9]{15,}$/;

const [quote, backslash] = [0x22, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether lists and objects are nested more than 200 levels deep, in a text that need not be JSON. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === openList || code === openObject) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (code === closeList || code === closeObject) depth -= 1;
    else if (code === quote) i = endOfText(text, i);
  }
  return false;
}

/** Of the quote that ends the text which begins at `start`; the end where none does. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
