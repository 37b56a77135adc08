/** `genenv edit RUN --task ID …`: one task of a run, excluded, brought back, or given another gold. */
import { userInfo } from 'node:os';
import { editedTask, goldEdit } from '../../../launch/taskEdits.ts';
import { editTasks } from '../../../runs/records/editTasks.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { TaskEdit } from '../../../shared/records/taskEdit.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { UsageError } from '../../../cli/usageError.ts';

export async function edit(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given } = context;
  const task = given.text('task');
  if (task === null) throw new UsageError('"genenv edit" needs --task ID.', 'Ids stand in “genenv show”.');
  const reader = await store.openReader(given.target);
  try {
    const edits = await wanted(reader, task, context);
    const author = userInfo().username;
    const outcome = edits.length === 0 ? null : await editTasks(store, reader.id, { edits, author, clock: terminal });
    if (given.has('json')) writeJson(terminal, { id: reader.id, edits, outcome });
    else if (outcome === null) terminal.out.write('Nothing changes: the task is so already.\n');
    else if (outcome.state === 'waiting') {
      terminal.out.write('The edit takes effect with the next epoch that is not sampled yet.\n');
    } else terminal.out.write(`Journaled. It holds from epoch ${outcome.epoch} on.\n`);
    return exitCode.done;
  } finally {
    await reader.close();
  }
}

async function wanted(run: RunReader, task: string, { arguments: given, dist }: Context): Promise<TaskEdit[]> {
  const [reason, gold] = [given.text('exclude'), given.text('gold')];
  if ([reason !== null, given.has('restore'), gold !== null].filter(Boolean).length !== 1) {
    throw new UsageError('"genenv edit" makes one edit.', 'Give one of --exclude REASON, --restore, --gold TEXT.');
  }
  if (gold !== null) return [await goldEdit(run, task, gold, dist)].filter((made) => made !== null);
  const { overlay } = await editedTask(run, task);
  const excluded = overlay?.excluded ?? null;
  if (reason !== null) return reason === excluded ? [] : [{ action: 'exclude', task, reason }];
  return excluded === null ? [] : [{ action: 'restore', task }];
}
