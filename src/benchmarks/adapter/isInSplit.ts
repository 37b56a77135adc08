/** Whether a record belongs to a split, by what it says and by its share. */
import type { AdapterSplit } from '../../shared/adapters/data.ts';
import { rounded } from '../../shared/longInteger.ts';
import { sourceText } from './mapRecord.ts';
import { valueAt, type Scope } from './scope.ts';

/** @throws RecordFault when a share is asked for and the record has no id */
export function isInSplit({ where, share }: AdapterSplit, id: string, scope: Scope): boolean {
  const fits = Object.entries(where ?? {}).every(([pointer, allowed]) => {
    // An adapter's own numbers are rounded, as all of its JSON.
    const value = rounded(valueAt(scope.values, pointer));
    return allowed.some((one) => one === value);
  });
  if (!fits || share === undefined) return fits;
  const place = hashed(sourceText(id, scope));
  return place >= share.from && (place < share.to || share.to === 1);
}

/** FNV-1a with a last mixing (murmur3's), in [0, 1): near ids lie far apart. */
function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
