/** Tasks of a benchmark's records as a task file that an experiment can name (`domain.seeds`). */
import { exportFile } from '../../runs/export/exportFile.ts';
import { writeJsonLines } from '../../runs/export/writeJsonLines.ts';
import type { Adapter } from '../../shared/adapters/schema.ts';
import { checkAdapter, type CheckOptions } from './checkAdapter.ts';

export interface SeedTasks {
  tasks: number;
  /** Records that do not fit, and stay out. */
  leftOut: number;
}

/** The file is there when every record was read, or not at all. @throws DataError, RunError, and the signal's reason */
export async function writeSeedTasks(
  file: string,
  adapter: Adapter,
  folder: string,
  options: CheckOptions,
): Promise<SeedTasks> {
  let leftOut = 0;
  const tasks = await exportFile(file, async (out) => {
    const lines = async function* () {
      const found = new Set<string>();
      for await (const checked of checkAdapter(adapter, folder, options)) {
        if ('problem' in checked) leftOut += 1;
        else if (!found.has(checked.task.id)) {
          // A record of two splits is one task.
          found.add(checked.task.id);
          yield checked.task;
        }
      }
    };
    return writeJsonLines(lines(), out);
  });
  return { tasks, leftOut };
}
