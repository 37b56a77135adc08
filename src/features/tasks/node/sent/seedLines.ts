/** Tasks as further lines of a file of seed tasks. */
import { idInFile } from '../../../../shared/records/idInFile.ts';
import { taskContent } from '../../../../shared/records/taskContent.ts';
import { codeOf } from '../../../../shared/systemError.ts';
import type { NowTask } from '../editedTasks.ts';
import { lineOf, readFileLine } from '../fileLine.ts';
import { freeId, TakenIds } from './takenIds.ts';
import { TaskFile } from '../taskFile.ts';

export interface SeedLines {
  lines: string[];
  /** Tasks that the file has already. */
  there: number;
  /** Tasks that cannot be seeds. */
  left: number;
}

/** Rejected texts and damaged lines are no tasks; people took out excluded ones; measurement tasks are not for training. */
const isSeed = ({ task, now, damaged }: NowTask): boolean =>
  damaged === null && now.excluded === null && task.cause === undefined && task.origin !== 'validation';

/**
 * The lines to add to a file, under ids that it does not have.
 * @param path of a file that need not exist
 * @param variation whether they are variations of themselves, with another id
 * @throws RunError, Error of the file system
 */
export async function seedLines(path: string, given: readonly NowTask[], variation: boolean): Promise<SeedLines> {
  const seeds = given.filter(isSeed);
  const contents = new Set(variation ? [] : seeds.map(({ task }) => taskContent(task)));
  const { taken, known } = await heldIn(path, contents);
  const lines: string[] = [];
  for (const { task, now } of seeds) {
    const content = taskContent(task);
    if (!variation && known.has(content)) continue;
    known.add(content);
    const own = idInFile(task);
    const id = freeId(variation ? `${own}.copy` : own, taken);
    taken.add(id);
    const seed = variation ? own : task.seed === null ? null : idInFile({ ...task, id: task.seed });
    // A seed task begins its own family.
    const family = variation ? idInFile({ ...task, id: task.family }) : id;
    lines.push(lineOf({ task: { ...task, id, family, seed }, excluded: null, tags: now.tags }));
  }
  return { lines, there: seeds.length - lines.length, left: given.length - seeds.length };
}

/** The ids of a file's lines, and which of these contents its tasks have. */
async function heldIn(path: string, contents: ReadonlySet<string>): Promise<{ taken: TakenIds; known: Set<string> }> {
  const taken = new TakenIds();
  const known = new Set<string>();
  let file;
  try {
    file = await TaskFile.open(path);
  } catch (error) {
    if (error instanceof Error && codeOf(error.cause) === 'ENOENT') return { taken, known };
    throw error;
  }
  try {
    const rows = Array.from({ length: file.table.columns.count }, (_, row) => row);
    for await (const { row, text } of file.table.texts(rows)) {
      const { task, damaged } = readFileLine(text, file.lineOf(row));
      taken.add(task.id);
      if (damaged !== null || task.status === 'rejected') continue;
      const content = taskContent(task);
      if (contents.has(content)) known.add(content);
    }
  } finally {
    await file.table.close();
  }
  return { taken, known };
}
