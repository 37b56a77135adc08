import type { JournalEvent } from '../../../shared/journal/events.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import type { RunState } from '../../../runs/store/runHead.ts';

/** The part of `RunReader` that a report reads. */
export interface ReportSource {
  readonly dir: string;
  readonly manifest: Manifest;
  head(): Promise<{ state: RunState }>;
  events(): AsyncIterable<JournalEvent>;
  task(id: string): Promise<Task | undefined>;
  tracesOf(epoch: number): Promise<Trace[]>;
}
