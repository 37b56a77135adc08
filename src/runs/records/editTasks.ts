/** Edits of a run's tasks: journaled at once while the run has no writer, else left in its inbox. */
import { StateFold, type RunState } from '../../engine/state.ts';
import type { Clock } from '../../engine/ports.ts';
import { overlayAfter, type TaskEdit, type TaskOverlay } from '../../shared/records/taskEdit.ts';
import { inForceFrom } from '../journal/editsReach.ts';
import { RunError } from '../store/runError.ts';
import type { RunReader } from '../store/runReader.ts';
import type { RunStore } from '../store/runStore.ts';
import type { RunWriter } from '../store/runWriter.ts';

/**
 * `journaled`: applies from `epoch` on. `waiting`: the run's writer takes it at the start of its next epoch; the first one that
 * is sampled from then on sees it.
 */
export type EditOutcome = { state: 'journaled'; epoch: number } | { state: 'waiting' };

/** @throws RunError `not-found`, `format`, `disk-full`, `unwritable` */
export async function editTasks(
  store: RunStore,
  id: string,
  made: { edits: readonly TaskEdit[]; author: string; clock: Clock },
): Promise<EditOutcome> {
  const { author, clock } = made;
  const edits = [...made.edits];
  const writer = await writerOrNull(store, id);
  if (writer === null) {
    const reader = await store.openReader(id);
    try {
      await reader.inbox.post({ type: 'edit', author, edits });
      return { state: 'waiting' };
    } finally {
      await reader.close();
    }
  }
  try {
    const fold = new StateFold();
    for await (const event of writer.events()) fold.add(event);
    const { state } = fold;
    const epoch = nextEpoch(state);
    await writer.append({ v: 1, seq: state.seq, at: clock.now(), type: 'tasks.edited', epoch, author, edits });
    return { state: 'journaled', epoch: inForceFrom(writer.manifest, epoch) };
  } finally {
    await writer.close();
  }
}

/**
 * Every edit of a run's tasks, oldest first: journaled ones, including those for later epochs, and waiting ones.
 * @throws RunError
 */
export async function editsOver(reader: RunReader, { edits }: Pick<RunState, 'edits'>): Promise<TaskEdit[]> {
  const waiting = (await reader.inbox.waiting()).flatMap(({ request }) =>
    request.type === 'edit' ? request.edits : [],
  );
  return [...edits.map(({ edit }) => edit), ...waiting];
}

/** The overlays over a run's tasks, by id. @throws RunError */
export async function overlaysOf(
  reader: RunReader,
  state: Pick<RunState, 'edits'>,
): Promise<ReadonlyMap<string, TaskOverlay>> {
  const overlays = new Map<string, TaskOverlay>();
  for (const edit of await editsOver(reader, state))
    overlays.set(edit.task, overlayAfter(overlays.get(edit.task), edit));
  return overlays;
}

/** The one that an edit is journaled for: a running epoch continues with its original tasks. */
const nextEpoch = ({ open, summaries }: RunState): number => (open?.epoch ?? summaries.length) + 1;

async function writerOrNull(store: RunStore, id: string): Promise<RunWriter | null> {
  try {
    return await store.openWriter(id);
  } catch (error) {
    if (RunError.is(error, 'in-use')) return null;
    throw error;
  }
}
