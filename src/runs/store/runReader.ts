import type { JournalEvent } from '../../shared/journal/events.ts';
import type { RunState } from '../../engine/state.ts';
import type { CompletionRecord } from '../../shared/records/completionRecord.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { persistIndex } from '../index/persistIndex.ts';
import type { RecordColumns } from '../index/recordColumns.ts';
import { completionKind, taskFlags, taskKind, traceKind } from '../index/recordKind.ts';
import { Inbox } from '../journal/inbox.ts';
import { readJournal, readSessions } from '../journal/journalFile.ts';
import { liveHolder } from '../lease/leaseFile.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { mixedTasks, type TaskCount } from '../records/mixedTasks.ts';
import { RecordLog } from '../records/recordLog.ts';
import { headOf, type RunHead } from './runHead.ts';
import { RescoredVerdicts } from '../rescored/rescoredVerdicts.ts';
import { runPaths, type RunPaths } from './runPaths.ts';
import type { SessionEvent } from '../journal/sessionEvent.ts';
import { findTornTail, type TornTail } from '../files/tornTail.ts';
import { foldTraceColumns, type TraceColumns } from '../records/traceColumns.ts';
import type { RunContext } from './runContext.ts';

/** The files of large records. */
export interface RecordLogs {
  tasks: RecordLog<Task>;
  traces: RecordLog<Trace>;
  completions: RecordLog<CompletionRecord>;
}

export const logsOf = ({ tasks, traces, completions }: RecordLogs): RecordLogs[keyof RecordLogs][] => [
  tasks,
  traces,
  completions,
];

export function recordLogs(paths: RunPaths, { onIndexing }: RunContext): RecordLogs {
  const logs = {
    tasks: new RecordLog(taskKind, paths.tasks),
    traces: new RecordLog(traceKind, paths.traces),
    completions: new RecordLog(completionKind, paths.completions),
  };
  for (const log of logsOf(logs)) log.onProgress = onIndexing;
  return logs;
}

/**
 * Torn line ends left by crashed writers in a run's files. @throws RunError `format` for an end that no writer of ours
 * leaves
 */
export async function findTornTails(paths: RunPaths): Promise<TornTail[]> {
  const files = [paths.journal, paths.sessions, paths.tasks.records, paths.traces.records, paths.completions.records];
  return (await Promise.all(files.map(findTornTail))).filter((torn) => torn !== null);
}

/**
 * One run, read. Reads of a live run see what its writer has appended. Every read method throws `RunError`: `format` or
 * `version` with file, line, field and remedy for invalid content, `unreadable` for errors of the system.
 */
export class RunReader {
  readonly dir: string;
  readonly manifest: Manifest;
  protected readonly paths: RunPaths;
  protected readonly context: RunContext;
  protected readonly taskLog: RecordLog<Task>;
  protected readonly traceLog: RecordLog<Trace>;
  readonly #completionLog: RecordLog<CompletionRecord>;
  #inbox: Inbox | null = null;
  #rescored: RescoredVerdicts | null = null;

  protected constructor(
    dir: string,
    manifest: Manifest,
    context: RunContext,
    logs = recordLogs(runPaths(dir), context),
  ) {
    this.dir = dir;
    this.manifest = manifest;
    this.context = context;
    this.paths = runPaths(dir);
    this.taskLog = logs.tasks;
    this.traceLog = logs.traces;
    this.#completionLog = logs.completions;
  }

  /** @throws RunError `format`, `version`, `unreadable` */
  static async open(dir: string, context: RunContext): Promise<RunReader> {
    const manifest = await readManifest(dir);
    await findTornTails(runPaths(dir));
    return new RunReader(dir, manifest, context);
  }

  /** Requests to the run's writer; any process may add one. */
  get inbox(): Inbox {
    return (this.#inbox ??= new Inbox(this.paths.inbox, this.context));
  }

  /** Verdicts that override the recorded ones. */
  get rescored(): RescoredVerdicts {
    return (this.#rescored ??= new RescoredVerdicts(this.paths, this.context));
  }

  get id(): string {
    return this.manifest.id;
  }

  head(): Promise<RunHead> {
    return headOf(this.dir, this.manifest, this.context.clock);
  }

  async *events(): AsyncGenerator<JournalEvent> {
    for await (const { event } of readJournal(this.paths.journal)) yield event;
  }

  sessions(): Promise<SessionEvent[]> {
    return readSessions(this.paths.sessions);
  }

  /** Every task, accepted or rejected, recorded of an epoch, in the order written. */
  async tasksOf(epoch: number): Promise<Task[]> {
    await this.#refresh(this.taskLog);
    return this.taskLog.ofEpoch(epoch);
  }

  /** The texts of an epoch that became no task, in the order written; the others are not read. */
  async rejectedIn(epoch: number): Promise<Task[]> {
    await this.#refresh(this.taskLog);
    return this.taskLog.ofEpoch(epoch, (flags) => (flags & taskFlags.accepted) === 0);
  }

  /** Tasks of an epoch’s training attempts that belong to none of these families: those mixed into its batch. */
  async mixedIn(
    epoch: number,
    families: readonly string[],
    state: Pick<RunState, 'late' | 'dropped'>,
  ): Promise<TaskCount[]> {
    await this.#refresh(this.traceLog);
    return mixedTasks(this.traceLog, epoch, families, state);
  }

  async tracesOf(epoch: number): Promise<Trace[]> {
    await this.#refresh(this.traceLog);
    return this.traceLog.ofEpoch(epoch);
  }

  /** Plans, and texts and answers that were paid for before the record of their task. */
  async completionsOf(epoch: number): Promise<CompletionRecord[]> {
    await this.#refresh(this.#completionLog);
    return this.#completionLog.ofEpoch(epoch);
  }

  async task(id: string): Promise<Task | undefined> {
    await this.#refresh(this.taskLog);
    return this.taskLog.byId(id);
  }

  async trace(id: string): Promise<Trace | undefined> {
    await this.#refresh(this.traceLog);
    return this.traceLog.byId(id);
  }

  /** The attempts at one task in one epoch, in the order recorded; found through the index, however long the epoch is. */
  async attemptsAt(task: string, epoch: number): Promise<Trace[]> {
    await this.#refresh(this.traceLog);
    const traces = await this.traceLog.ofTask(task, epoch);
    return traces.filter((trace) => trace.task === task);
  }

  /** The epochs in which a task was attempted, in ascending order; from the index alone. */
  async epochsAttempting(task: string): Promise<number[]> {
    await this.#refresh(this.traceLog);
    return this.traceLog.epochsOfTask(task);
  }

  /** The trace at a row of `columns()`. */
  async traceAt(row: number): Promise<Trace | undefined> {
    await this.#refresh(this.traceLog);
    return this.traceLog.at(row);
  }

  /** The tasks at rows [from, to) of `rows()`. */
  tasksAt(from: number, to: number): Promise<Task[]> {
    return this.taskLog.range(from, to);
  }

  tasks(): AsyncGenerator<Task> {
    return this.taskLog.stream();
  }

  traces(): AsyncGenerator<Trace> {
    return this.traceLog.stream();
  }

  /** All traces as typed arrays, from the index alone. */
  async columns(): Promise<TraceColumns> {
    await this.#refresh(this.traceLog);
    return foldTraceColumns(this.traceLog.columns);
  }

  /** The current index of both files: read-only, and its arrays must not outlive the reader. */
  async rows(): Promise<Record<'tasks' | 'traces', RecordColumns>> {
    await Promise.all([this.#refresh(this.taskLog), this.#refresh(this.traceLog)]);
    return { tasks: this.taskLog.columns, traces: this.traceLog.columns };
  }

  async close(): Promise<void> {
    const logs = [this.taskLog, this.traceLog, this.#completionLog];
    await Promise.all([...logs.map((log) => log.close()), this.#rescored?.close()]);
  }

  /** Keeps an index that had to be rebuilt, so that the next reader need not; a live writer keeps its own. */
  async #refresh(log: RecordLogs[keyof RecordLogs]): Promise<void> {
    await log.refresh();
    if (log.written || log.columns.count - log.indexedRows < 1000) return;
    if ((await liveHolder(this.paths.lease, this.context.clock)) !== null) return;
    await persistIndex(log, this.context);
  }
}
