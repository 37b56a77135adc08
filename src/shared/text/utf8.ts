/** Bytes of files that others wrote, as text. Other encodings are refused: decoded all the same, their letters would become replacement characters. */
import * as l10n from '@vscode/l10n';

/** Its message is a clause. */
export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8';
  readonly reason = 'not-utf8';
  /** The first line that is not, from 1. */
  readonly line: number;
  readonly remedy = l10n.t('Save it as UTF-8.');

  constructor(line: number, message = l10n.t('it is not UTF-8')) {
    super(message);
    this.line = line;
  }
}

const newline = 0x0a;

/** A mark of UTF-8 at the beginning is kept. @param errorOf the caller's own error for other bytes @throws NotUtf8, or that error */
export function utf8Text(bytes: Uint8Array, errorOf: (refusal: NotUtf8) => Error = (refusal) => refusal): string {
  try {
    refuseUtf16(bytes);
    return decoded(bytes, 1);
  } catch (error) {
    throw error instanceof NotUtf8 ? errorOf(error) : error;
  }
}

/** The same of bytes that arrive in pieces. @param chunks each a Uint8Array, as files are read. @throws NotUtf8 */
export async function* utf8Pieces(chunks: AsyncIterable<unknown>): AsyncGenerator<string> {
  let rest = new Uint8Array();
  let line = 1;
  let first = true;
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('Unreachable: files are read as bytes.');
    const bytes = new Uint8Array(rest.length + chunk.length);
    bytes.set(rest);
    bytes.set(chunk, rest.length);
    if (first) refuseUtf16(bytes);
    first = false;
    const end = bytes.length - begunAtEnd(bytes);
    rest = bytes.slice(end);
    const text = decoded(bytes.subarray(0, end), line);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line += 1;
    yield text;
  }
  if (rest.length > 0) throw new NotUtf8(line);
}

/** @param line of the first byte */
function decoded(bytes: Uint8Array, line: number): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new NotUtf8(line + goodLines(bytes));
  }
}

/** Whole lines before the first that is not UTF-8. */
function goodLines(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 0;
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return lines;
    }
    lines += 1;
    start = end + 1;
  }
  return lines;
}

/** How many bytes at the end begin a character whose others are still to come: 0 to 3. */
function begunAtEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** By the mark that editors put before the first character. */
function refuseUtf16([one, two]: Uint8Array): void {
  if ((one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff))
    throw new NotUtf8(1, l10n.t('it is UTF-16, not UTF-8'));
}
