/** Edits by hand, groups that fell out, late and unfinished ones: how a run’s pools differ from its records. */
import { overlaysIn } from '../../engine/phases/edits.ts';
import { editsSeenBy } from '../journal/editsReach.ts';
import type { RunState } from '../../engine/state.ts';
import { append } from '../../shared/append.ts';
import { withOverlay, type TaskOverlay } from '../../shared/records/taskEdit.ts';
import type { Task } from '../../shared/records/task.ts';
import type { PoolSource } from './poolSource.ts';

type Overlays = ReadonlyMap<string, TaskOverlay>;

export class PoolEdits {
  readonly #edits: RunState['edits'];
  /** Null where no epoch’s own tasks are asked for. */
  readonly #run: PoolSource['manifest'] | null;
  readonly #now: Overlays;
  readonly #at = new Map<number, Overlays>();
  /** `epoch task` of groups that fell out (`rollouts.spare`). */
  readonly #dropped: ReadonlySet<string>;
  /** Tasks whose groups were late (`rollouts.late`) and have not counted, by the epoch that attempted them. */
  readonly #late: ReadonlyMap<number, ReadonlySet<string>>;
  /** Epochs by which the pools grew. */
  readonly #grown: ReadonlySet<number>;

  private constructor(
    run: PoolSource['manifest'] | null,
    edits: RunState['edits'],
    dropped: ReadonlySet<string>,
    late: ReadonlyMap<number, ReadonlySet<string>>,
    grown: ReadonlySet<number>,
  ) {
    this.#run = run;
    this.#edits = edits;
    this.#dropped = dropped;
    this.#late = late;
    this.#grown = grown;
    this.#now = overlaysIn({ edits }, Infinity);
  }

  static async read(source: Pick<PoolSource, 'events'> & Partial<Pick<PoolSource, 'manifest'>>): Promise<PoolEdits> {
    const edits: RunState['edits'][number][] = [];
    const dropped = new Set<string>();
    const late = new Map<number, ReadonlySet<string>>();
    const grown = new Set<number>();
    for await (const event of source.events()) {
      if (event.type === 'rollouts.finished') {
        for (const { task } of event.dropped?.groups ?? []) dropped.add(`${event.epoch} ${task}`);
        if (event.late !== undefined) late.set(event.epoch, new Set(event.late));
      }
      if (event.type === 'pools.grown') {
        late.delete(event.epoch - 1);
        grown.add(event.epoch);
      }
      if (event.type !== 'tasks.edited') continue;
      append(
        edits,
        event.edits.map((edit) => ({ epoch: event.epoch, edit })),
      );
    }
    return new PoolEdits(source.manifest ?? null, edits, dropped, late, grown);
  }

  get isEmpty(): boolean {
    return this.#now.size === 0;
  }

  /** Whether the task's group fell out of that epoch. */
  isDropped(task: string, epoch: number): boolean {
    return this.#dropped.has(`${epoch} ${task}`);
  }

  /** Whether the task's group of that epoch was late, and has not counted in the next. */
  isLate(task: string, epoch: number): boolean {
    return this.#late.get(epoch)?.has(task) === true;
  }

  /** Whether the pools have not grown by that epoch: its groups may be parts. */
  isUnfinished(epoch: number): boolean {
    return !this.#grown.has(epoch);
  }

  isExcluded(task: string): boolean {
    return (this.#now.get(task)?.excluded ?? null) !== null;
  }

  isEdited(task: string): boolean {
    return Object.keys(this.#now.get(task)?.fields ?? {}).length > 0;
  }

  /** Ids of attempts of people that are in the agent pool. */
  get admitted(): string[] {
    return [...this.#now.values()].flatMap(({ admitted = [] }) => admitted.map(({ trace }) => trace));
  }

  /** The task as people left it. */
  now(task: Task): Task {
    return withOverlay(task, this.#now.get(task.id));
  }

  /** The task as an epoch attempted it. */
  at(task: Task, epoch: number): Task {
    if (!this.#now.has(task.id)) return task;
    const seen = this.#run === null ? epoch : editsSeenBy(this.#run, epoch);
    const overlays = this.#at.get(epoch) ?? overlaysIn({ edits: this.#edits }, seen);
    this.#at.set(epoch, overlays);
    return withOverlay(task, overlays.get(task.id));
  }
}
