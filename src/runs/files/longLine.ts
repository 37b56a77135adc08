/**
 * JSON of a very long line, parsed a piece at a time: one `families.scored` of ten thousand families would hold a thread
 * for longer than an extension host may be held.
 */
import { isObject } from '../../shared/experiment/resolve.ts';
import { parseOrUndefined } from '../../shared/json.ts';
import { Breather } from './breather.ts';

/** In bytes; shorter ones are parsed at once. A millisecond or two. */
const longBytes = 2 ** 18;
/** Of an array, parsed at once. */
const pieceBytes = 2 ** 17;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

export const isLong = (bytes: Buffer): boolean => bytes.byteLength > longBytes;

/** The result of JSON.parse, with turns of the event loop in between. @throws SyntaxError as JSON.parse does */
export async function parseLong(bytes: Buffer): Promise<unknown> {
  try {
    return await new Pieces(bytes).parse();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Its message should name the place in the line, not in a piece.
    return JSON.parse(bytes.toString());
  }
}

/** Whether a line of any length is valid JSON: the rest of a crashed writer is not. */
export async function isJson(bytes: Buffer): Promise<boolean> {
  if (!isLong(bytes)) return parseOrUndefined(bytes.toString()) !== undefined;
  try {
    await parseLong(bytes);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** An object whose long arrays are parsed apart from the rest. */
class Pieces {
  readonly #bytes: Buffer;
  readonly #breather = new Breather();
  /** The object's text without the elements of its long arrays, and these. */
  readonly #rest: string[] = [];
  readonly #arrays = new Map<string, unknown[]>();
  /** End of the consumed part of `rest`. */
  #taken = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  async parse(): Promise<unknown> {
    const bytes = this.#bytes;
    /** Position of the newest string at the object's own level: before a value, its name. */
    let name = { start: 0, end: 0 };
    let depth = 0;
    for (let at = 0; at < bytes.byteLength; at++) {
      const byte = bytes[at];
      if (byte === quote) {
        const end = endOfString(bytes, at);
        if (depth === 1) name = { start: at, end };
        at = end - 1;
      } else if (byte === openArray && depth === 1 && bytes[0] === openObject) {
        at = await this.#array(at, name);
      } else if (byte === openArray || byte === openObject) depth += 1;
      else if (byte === closeArray || byte === closeObject) depth -= 1;
    }
    const rest: unknown = JSON.parse(`${this.#rest.join('')}${bytes.toString('utf8', this.#taken)}`);
    if (isObject(rest)) for (const [key, elements] of this.#arrays) rest[key] = elements;
    return rest;
  }

  /** Parses an array that begins here when it is long. @returns where it ends */
  async #array(start: number, name: { start: number; end: number }): Promise<number> {
    const bytes = this.#bytes;
    const elements: unknown[] = [];
    let from = start + 1;
    let depth = 1;
    let at = from;
    for (; at < bytes.byteLength && depth > 0; at++) {
      const byte = bytes[at];
      if (byte === quote) at = endOfString(bytes, at) - 1;
      else if (byte === openArray || byte === openObject) depth += 1;
      else if (byte === closeArray || byte === closeObject) depth -= 1;
      else if (byte === comma && depth === 1 && at - from >= pieceBytes) {
        take(elements, bytes.toString('utf8', from, at));
        from = at + 1;
        await this.#breather.breathe();
      }
    }
    const end = at - 1;
    if (elements.length === 0) return end;
    take(elements, bytes.toString('utf8', from, end));
    this.#rest.push(bytes.toString('utf8', this.#taken, start + 1));
    this.#taken = end;
    this.#arrays.set(String(JSON.parse(bytes.toString('utf8', name.start, name.end))), elements);
    return end;
  }
}

/** Adds the elements of a text. An element after a comma may not be empty, so a null is put before it. */
function take(elements: unknown[], text: string): void {
  const parsed: unknown = JSON.parse(`[null,${text}]`);
  if (Array.isArray(parsed)) for (let i = 1; i < parsed.length; i++) elements.push(parsed[i]);
}

/** After the closing quote of the string that begins here. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.byteLength && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at + 1;
}
