/** Records of work that belongs to no run: they are gone with it. */
import type { Records } from '../engine/ports.ts';
import { append } from '../shared/append.ts';
import type { CompletionRecord } from '../shared/records/completionRecord.ts';
import type { Task } from '../shared/records/task.ts';
import type { Trace } from '../shared/records/trace.ts';

export class MemoryRecords implements Records {
  readonly tasks: Task[] = [];
  readonly traces: Trace[] = [];
  readonly completions: CompletionRecord[] = [];

  appendTasks(tasks: readonly Task[]): Promise<void> {
    append(this.tasks, tasks);
    return Promise.resolve();
  }

  appendTraces(traces: readonly Trace[]): Promise<void> {
    append(this.traces, traces);
    return Promise.resolve();
  }

  appendCompletions(completions: readonly CompletionRecord[]): Promise<void> {
    append(this.completions, completions);
    return Promise.resolve();
  }

  tasksOf(epoch: number): Promise<Task[]> {
    return Promise.resolve(this.tasks.filter((task) => task.epoch === epoch));
  }

  tracesOf(epoch: number): Promise<Trace[]> {
    return Promise.resolve(this.traces.filter((trace) => trace.epoch === epoch));
  }

  completionsOf(epoch: number): Promise<CompletionRecord[]> {
    return Promise.resolve(this.completions.filter((completion) => completion.epoch === epoch));
  }
}
