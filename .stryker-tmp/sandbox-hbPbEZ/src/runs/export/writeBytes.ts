import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes pieces, no faster than the stream takes them, which stays open. @throws as `writeJsonLines` does */
export async function writeBytes(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  out: Writable,
): Promise<void> {
  for await (const piece of pieces) {
    if (!out.write(piece)) await once(out, 'drain');
  }
}
