import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Lines are gathered into pieces of this many characters. */
const pieceLength = 256 * 1024;

/**
 * Writes lines no faster than the stream takes them, and gives how many. The stream stays open; its own errors are its
 * owner's to hear. @throws what the lines' source throws, and the stream's error while waiting for it
 */
export async function writeLines(lines: AsyncIterable<string>, out: Writable): Promise<number> {
  let count = 0;
  let piece = '';
  const flush = async () => {
    const text = piece;
    piece = '';
    if (text !== '' && !out.write(text)) await once(out, 'drain');
  };
  for await (const line of lines) {
    piece += `${line}\n`;
    count += 1;
    if (piece.length >= pieceLength) await flush();
  }
  await flush();
  return count;
}
