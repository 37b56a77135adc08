import { randomBytes } from 'node:crypto';

let masks = Buffer.alloc(0);

/** Four bytes, unpredictable as the protocol asks; taken from a thousand at a time, since each call of the generator takes a while. */
export function mask(): Buffer {
  if (masks.length === 0) masks = randomBytes(4096);
  const next = masks.subarray(0, 4);
  masks = masks.subarray(4);
  return next;
}
