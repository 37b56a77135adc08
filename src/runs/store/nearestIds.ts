import { editDistance } from '../../shared/experiment/problems/nearest.ts';

/** Up to three ids similar to `text`: those that contain it first, then by edits. */
export function nearestIds(text: string, ids: readonly string[]): string[] {
  const rank = (id: string): number => {
    if (text !== '' && id.includes(text)) return 0;
    // A start of an id, mistyped, is as near as a whole one.
    return Math.min(editDistance(text, id), editDistance(text, id.slice(0, text.length)) + 1);
  };
  return ids
    .map((id) => ({ id, rank: rank(id) }))
    .sort((a, b) => a.rank - b.rank || (a.id < b.id ? 1 : -1))
    .slice(0, 3)
    .map(({ id }) => id);
}
