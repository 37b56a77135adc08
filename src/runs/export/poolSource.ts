import type { JournalEvent } from '../../shared/journal/events.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { Breather } from '../files/breather.ts';
import type { Manifest } from '../store/manifest.ts';

/** The part of a run that its pools are views of. */
export interface PoolSource {
  readonly dir: string;
  readonly manifest: Pick<Manifest, 'id' | 'parent' | 'ancestors' | 'experiment'>;
  events(): AsyncIterable<JournalEvent>;
  traces(): AsyncIterable<Trace>;
  task(id: string): Promise<Task | undefined>;
}

/** How an export is followed and ended. */
export interface Watch {
  /** Called now and then with the number of records read. */
  told?: ((read: number) => void) | undefined;
  /** Its reason is thrown at the next record, so that no half file is kept. */
  signal?: AbortSignal | undefined;
}

const tellEvery = 1000;

/** The same source with progress. Data in memory is read with pauses for the event loop. */
export function watched(source: PoolSource, { told, signal }: Watch): PoolSource {
  const breather = new Breather();
  let read = 0;
  const heard = async (): Promise<void> => {
    signal?.throwIfAborted();
    read += 1;
    if (read % tellEvery === 0) told?.(read);
    await breather.breathe();
  };
  return {
    dir: source.dir,
    manifest: source.manifest,
    async *events() {
      for await (const event of source.events()) {
        signal?.throwIfAborted();
        yield event;
      }
    },
    async *traces() {
      for await (const trace of source.traces()) {
        await heard();
        yield trace;
      }
    },
    async task(id) {
      await heard();
      return source.task(id);
    },
  };
}
