/** Unsaved edits over a file that something else wrote meanwhile: three versions of each task, merged field by field. */
import { isSame, pick, valueNames, type TaskPart, type TaskValues, type ValueName } from './taskValues.ts';

/** The unsaved edits of one task. */
export interface MadeEdit {
  row: number;
  id: string;
  /** Its line before the edits; null where too many were edited at once to keep them. */
  text: string | null;
  /** Ids of the tasks before it then, the nearest first; none of the first one. */
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
  { before, after, undecided }: Omit<MadeEdit, 'row' | 'id' | 'text'>,
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
 * Where tasks stand in a file that was written anew: at the same line where it still has the id, else at the first line
 * with that id which no other one has; null where it is gone.
 */
export function placesNow(edits: readonly Pick<MadeEdit, 'row' | 'id'>[], ids: readonly string[]): (number | null)[] {
  const taken = new Set<number>();
  for (const { row, id } of edits) if (ids[row] === id) taken.add(row);
  const wanted = new Set(edits.map(({ id }) => id));
  const free = new Map<string, number[]>();
  for (const [row, id] of ids.entries()) {
    if (!wanted.has(id) || taken.has(row)) continue;
    const rows = free.get(id);
    if (rows === undefined) free.set(id, [row]);
    else rows.push(row);
  }
  return edits.map(({ row, id }) => (ids[row] === id ? row : (free.get(id)?.shift() ?? null)));
}
