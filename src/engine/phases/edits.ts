/** Tasks edited by hand: waiting edits are journaled at the start of an epoch and apply from then on. */
import type { EventOf } from '../../shared/journal/events.ts';
import { overlayAfter, type TaskOverlay } from '../../shared/records/taskEdit.ts';
import type { Loop } from '../loop.ts';
import type { RunState } from '../state.ts';

type Edited = Pick<EventOf<'tasks.edited'>, 'author' | 'edits'>;

/**
 * One event a request; `settle` is called once it is durable. An edit that was journaled before a crash produces none.
 */
export async function* editsNow({
  ports,
  state,
}: Loop): AsyncGenerator<{ event: Edited; settle: () => Promise<void> }> {
  const { edits: port } = ports;
  if (port === undefined) return;
  const overlays = new Map(overlaysIn(state, Infinity));
  for (const { id, author, edits: asked } of await port.waiting()) {
    const settle = () => port.taken(id);
    const edits = asked.filter((edit) => {
      const before = overlays.get(edit.task);
      const after = overlayAfter(before, edit);
      overlays.set(edit.task, after);
      return !isSame(before, after);
    });
    if (edits.length === 0) await settle();
    else yield { event: { author, edits }, settle };
  }
}

const isSame = (a: TaskOverlay | undefined, b: TaskOverlay): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * The overlays over tasks in an epoch. An edit made during an epoch applies from the next one: a batch must not change
 * during its attempts.
 */
export function overlaysIn({ edits }: Pick<RunState, 'edits'>, epoch: number): ReadonlyMap<string, TaskOverlay> {
  const overlays = new Map<string, TaskOverlay>();
  for (const { epoch: from, edit } of edits) {
    if (from <= epoch) overlays.set(edit.task, overlayAfter(overlays.get(edit.task), edit));
  }
  return overlays;
}

/** Tasks that the environment wrote and that an attempt of a person put into the agent pool, in the order they came. */
export function admittedTo(
  overlays: ReadonlyMap<string, TaskOverlay>,
): { id: string; written: number; domain: string | undefined }[] {
  return [...overlays].flatMap(([id, { admitted = [] }]) => {
    const [first] = admitted;
    if (first === undefined || first.written === null) return [];
    return [{ id, written: first.written, domain: first.domain }];
  });
}
