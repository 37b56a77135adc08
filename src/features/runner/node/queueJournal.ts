/** The queue's journal as its one writer has it: every event is on the device before anything is done about it. */
import { AppendFile, type AppendOptions } from '../../../runs/files/appendFile.ts';
import { nodeFiles, type FileOperations } from '../../../runs/files/fileOperations.ts';
import type { Lease } from '../../../runs/lease/lease.ts';
import { sizeOf } from '../../../runs/files/jsonLines.ts';
import { findTornTail } from '../../../runs/files/tornTail.ts';
import { RunError } from '../../../runs/store/runError.ts';
import { queueVersion, type QueueEntryEvent, type QueueEvent } from '../contract.ts';
import { asWork, isHeldAfter, isOpen, queueAfter, queueOf, type Queue } from '../core/queue.ts';
import { readQueueEvents } from './runnerFiles.ts';
import type { Clock } from '../../../engine/ports.ts';
import { InTurn } from '../../../shared/inTurn.ts';

/** Number of events beyond which a runner that opens the journal rewrites it with the queue's current content. */
const longJournal = 5_000;

export interface JournalNeeds {
  lease: Pick<Lease, 'confirm'>;
  clock: Clock;
  /** The disk is full: resolves before the next try, rejects to give up. */
  onFull: (error: RunError) => Promise<void>;
  /** The real disk when absent. */
  files?: FileOperations;
}

export class QueueJournal {
  #file: AppendFile;
  readonly #needs: JournalNeeds;
  #queue: Queue;
  #held: boolean;
  readonly #inTurn = new InTurn();

  private constructor(file: AppendFile, queue: Queue, held: boolean, needs: JournalNeeds) {
    this.#file = file;
    this.#queue = queue;
    this.#held = held;
    this.#needs = needs;
  }

  /** Cuts a torn last line. @throws RunError `format`, `version`, `unreadable`, `disk-full`, `unwritable` */
  static async open(path: string, needs: JournalNeeds): Promise<QueueJournal> {
    const events = await readQueueEvents(path);
    const queue = queueOf(events);
    const held = isHeldAfter(events);
    if (events.length > longJournal) await nodeFiles.replace(path, shortened(queue, held).map(lineOf).join(''));
    const end = (await findTornTail(path))?.offset ?? (await sizeOf(path));
    return new QueueJournal(await openAt(path, end, needs), queue, held, needs);
  }

  get queue(): Queue {
    return this.#queue;
  }

  /** Whether nothing more is to start. */
  get held(): boolean {
    return this.#held;
  }

  /**
   * Durable when it resolves. One after another: each is decided by the queue that those before it left.
   * A full disk is waited for.
   * @returns the events
   * @throws RunError `in-use` when another runner has the folder, `unwritable`, what `onFull` rejects with
   */
  append(decide: (queue: Queue) => readonly QueueEntryEvent[]): Promise<readonly QueueEntryEvent[]> {
    return this.#inTurn.run(async () => {
      const events = decide(this.#queue);
      await this.#write(events);
      return events;
    });
  }

  async #write(events: readonly QueueEntryEvent[]): Promise<void> {
    if (events.length === 0) return;
    const at = this.#needs.clock.now();
    const stamped = events.map((event): QueueEvent => ({ v: queueVersion, at, ...event }));
    await this.#put(Buffer.from(stamped.map(lineOf).join('')));
    for (const event of events) {
      this.#queue = queueAfter(this.#queue, event, at);
      if (event.type === 'held' || event.type === 'released') this.#held = event.type === 'held';
    }
  }

  async #put(lines: Buffer): Promise<void> {
    for (;;) {
      try {
        if (this.#file.failure !== null) await this.#openAgain();
        await this.#file.append([lines]);
        return;
      } catch (error) {
        if (!RunError.is(error, 'disk-full')) throw error;
        await this.#needs.onFull(error);
      }
    }
  }

  /** A file that failed once takes nothing more. */
  async #openAgain(): Promise<void> {
    const { path, end } = this.#file;
    await this.#file.close();
    this.#file = await openAt(path, end, this.#needs);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function openAt(path: string, end: number, { lease, files = nodeFiles }: JournalNeeds): Promise<AppendFile> {
  const options: AppendOptions = { durable: true, before: () => lease.confirm() };
  return AppendFile.open(files, path, end, options);
}

const lineOf = (event: QueueEvent): string => `${JSON.stringify(event)}\n`;

/** Events that make the same queue: failures before are forgotten. */
function shortened(queue: Queue, held: boolean): QueueEvent[] {
  const events = queue.flatMap((entry): QueueEvent[] => {
    const { run, since, state, why } = entry;
    const head = { v: queueVersion, at: since } as const;
    const added: QueueEvent = { ...head, type: 'added', work: asWork(entry) };
    if (state === 'running') return [added, { ...head, type: 'started', run }];
    return isOpen(entry) || state === 'waiting'
      ? [added]
      : [added, { ...head, type: 'ended', run, outcome: state, why }];
  });
  return held ? [{ v: queueVersion, at: 0, type: 'held', author: '' }, ...events] : events;
}
