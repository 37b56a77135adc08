/** Unsaved edits over a file that something else wrote meanwhile: three versions of each task, merged field by field. */
import { isSame, pick, valueNames, type TaskPart, type TaskValues, type ValueName } from '../taskValues.ts';

/** The unsaved edits of one task. */
export interface MadeEdit {
  row: number;
  /** As people call it. */
  id: string;
  /** Its name in every reading: its id, or a digest of its line where it has none. */
  key: string;
  /** Its line before the edits; null where too many were edited at once to keep them. */
  text: string | null;
  /** Keys of the tasks before it then, the nearest first; none of the first one. */
  follows?: readonly string[];
  /** The same parts, as the file had them and as they were left. */
  before: TaskPart;
  after: TaskPart;
  /** Parts that both changed at an earlier merge, and that are undecided still. */
  undecided: readonly ValueName[];
}

/** One task's edits over the file as it is now. */
export interface MergedEdit {
  /** As the file has the parts now; equal edits are left out. */
  before: TaskPart;
  /** As they are left: mine where only mine changed, and for now where both did. */
  after: TaskPart;
  /** Parts that both changed, and not to the same. */
  undecided: ValueName[];
}

/**
 * A part that only one side changed is that side's. Tags are merged one by one. The plan belongs to the prompt: who changed
 * that has it.
 */
export function mergeEdit(
  { before, after, undecided }: Pick<MadeEdit, 'before' | 'after' | 'undecided'>,
  theirs: TaskValues,
): MergedEdit {
  const merged: MergedEdit = { before: {}, after: {}, undecided: [] };
  const keep = (names: readonly ValueName[], mine: TaskPart): void => {
    merged.before = { ...merged.before, ...pick(theirs, names) };
    merged.after = { ...merged.after, ...pick(mine, names) };
  };
  for (const name of valueNames) {
    if (!(name in after) || name === 'plan') continue;
    const own = name === 'prompt' && 'plan' in after ? (['prompt', 'plan'] as const) : [name];
    if (name === 'tags') {
      const tags = mergedTags(before.tags ?? [], after.tags ?? [], theirs.tags);
      if (!isSame(tags, theirs.tags)) keep(own, { tags });
    } else if (!isSame(theirs[name], after[name])) {
      keep(own, after);
      if (!isSame(theirs[name], before[name]) || undecided.includes(name)) merged.undecided.push(name);
    }
  }
  // Of its own a plan is edited by no one.
  if ('plan' in after && !('prompt' in after) && !isSame(theirs.plan, after.plan)) keep(['plan'], after);
  return merged;
}

/** Theirs, with the tags that I added and without those that I removed. */
function mergedTags(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  if (isSame(base, theirs)) return [...mine];
  const removed = base.filter((tag) => !mine.includes(tag));
  const added = mine.filter((tag) => !base.includes(tag) && !theirs.includes(tag));
  return [...theirs.filter((tag) => !removed.includes(tag)), ...added];
}

/**
 * Where tasks stand in a file that was written anew: at the same line where it still has the key, else at the first line
 * with that key which no other one has; null where it is gone.
 * @param keyOf the key of each of `count` rows
 */
export function placesNow(
  edits: readonly Pick<MadeEdit, 'row' | 'key'>[],
  { count, keyOf }: { count: number; keyOf: (row: number) => string | undefined },
): (number | null)[] {
  const stays = ({ row, key }: Pick<MadeEdit, 'row' | 'key'>): boolean => row < count && keyOf(row) === key;
  const taken = new Set(edits.filter(stays).map(({ row }) => row));
  const wanted = new Set(edits.map(({ key }) => key));
  const free = new Map<string, number[]>();
  for (let row = 0; row < count; row++) {
    const key = keyOf(row);
    if (key === undefined || !wanted.has(key) || taken.has(row)) continue;
    const rows = free.get(key);
    if (rows === undefined) free.set(key, [row]);
    else rows.push(row);
  }
  // Read from its beginning without moving the rest: thousands may share a key.
  const next = new Map<string, number>();
  return edits.map((edit) => {
    if (stays(edit)) return edit.row;
    const at = next.get(edit.key) ?? 0;
    next.set(edit.key, at + 1);
    return free.get(edit.key)?.[at] ?? null;
  });
}
