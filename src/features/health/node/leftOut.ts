/** Tasks at which attempts were left out: the journal tells them, whatever settings each of its epochs had. */
import { journalStart, positionAfter, readJournal } from '../../../runs/journal/journalFile.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import { InTurn } from '../../../shared/inTurn.ts';
import type { JournalEvent } from '../../../shared/journal/events.ts';

/** Its family was cut off (`rollouts.cutOff`), or fell out of an epoch with spare groups (`rollouts.spare`). */
export type LeftOut = 'cut off' | 'fell out';

/** Reads each event once: the journal of a running run grows between two looks. */
export class LeftOutTasks {
  readonly #journal: string;
  readonly #known = new Map<string, LeftOut>();
  /** How often anything was learned. */
  #times = 0;
  #position = journalStart;
  /** Looks take turns. */
  readonly #inTurn = new InTurn();

  /** @param dir the run's folder */
  constructor(dir: string) {
    this.#journal = runPaths(dir).journal;
  }

  /** Changes whenever `now` knows more than before. */
  get times(): number {
    return this.#times;
  }

  /** By id of the task, the newest epoch's. @throws RunError; the signal's reason */
  now(signal?: AbortSignal): Promise<ReadonlyMap<string, LeftOut>> {
    return this.#inTurn.run(() => this.#read(signal));
  }

  async #read(signal: AbortSignal | undefined): Promise<ReadonlyMap<string, LeftOut>> {
    for await (const placed of readJournal(this.#journal, this.#position)) {
      signal?.throwIfAborted();
      this.#add(placed.event);
      this.#position = positionAfter(placed, this.#position);
    }
    return this.#known;
  }

  #add(event: JournalEvent): void {
    if (event.type === 'rollouts.finished')
      for (const { task } of event.dropped?.groups ?? []) this.#set(task, 'fell out');
    if (event.type !== 'families.scored') return;
    for (const { cutOff, tasks } of event.families)
      if (cutOff !== undefined) for (const { id } of tasks) this.#set(id, 'cut off');
  }

  #set(task: string, how: LeftOut): void {
    this.#known.set(task, how);
    this.#times += 1;
  }
}
