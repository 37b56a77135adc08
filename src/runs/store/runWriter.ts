import { basename } from 'node:path';
import type { Journal, Records } from '../../engine/ports.ts';
import { eventSchema, journalVersion, type JournalEvent } from '../../shared/journal/events.ts';
import type { CompletionRecord } from '../../shared/records/completionRecord.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { AppendFile } from '../files/appendFile.ts';
import { CheckpointLedger, pruneCheckpoints } from './checkpoints.ts';
import { persistIndex } from '../index/persistIndex.ts';
import type { RecordColumns } from '../index/recordColumns.ts';
import { readJournal, readSessions } from '../journal/journalFile.ts';
import { linesOf } from '../files/linesOf.ts';
import { RunError } from './runError.ts';
import { sizeOf } from '../files/jsonLines.ts';
import { Lease } from '../lease/lease.ts';
import { writeError } from '../files/fileErrors.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { RecordAppender } from '../records/recordAppender.ts';
import { rescoredKind } from '../rescored/rescoredKind.ts';
import { rescoredPaths } from '../rescored/rescoredPaths.ts';
import { RunReader, findTornTails, logsOf, recordLogs, type RecordLogs } from './runReader.ts';
import { runPaths, type RunPaths } from './runPaths.ts';
import type { SessionEntry } from '../journal/sessionEvent.ts';
import { sessionLine } from '../journal/sessionLine.ts';
import { cutTornTail, type TornTail } from '../files/tornTail.ts';
import type { RunContext } from './runContext.ts';

/** The files a writer holds open. */
interface Outputs {
  journal: AppendFile;
  sessions: AppendFile;
  tasks: RecordAppender<Task>;
  traces: RecordAppender<Trace>;
  completions: RecordAppender<CompletionRecord>;
}

/**
 * The one writer of a run. Durability:
 * - `appendTasks`, `appendTraces`, `appendCompletions` resolve when write(2) has the bytes: killing the process loses nothing.
 * - `append` (journal) resolves after fdatasync; records appended before it are synced first, so that no journal event
 *   that survives a power cut refers to a record that did not.
 * - `session` resolves after fdatasync. Appends made while another is under way share its successor's write and sync.
 * After a failed append (disk full, unwritable) the file is cut back to its last whole line and every later append to
 * it is refused with the same error: close, and open the run again once there is space.
 */
export class RunWriter extends RunReader implements Journal, Records {
  /** The cuts made in torn files when the run was opened; also recorded in `sessions.jsonl`. */
  readonly recovered: readonly TornTail[];
  readonly #lease: Lease;
  readonly #outputs: Outputs;
  readonly #checkpoints: CheckpointLedger;
  #closing: Promise<void> | null = null;

  private constructor(
    dir: string,
    manifest: Manifest,
    context: RunContext,
    logs: RecordLogs,
    own: { lease: Lease; outputs: Outputs; recovered: readonly TornTail[]; checkpoints: CheckpointLedger },
  ) {
    super(dir, manifest, context, logs);
    this.#lease = own.lease;
    this.#outputs = own.outputs;
    this.recovered = own.recovered;
    this.#checkpoints = own.checkpoints;
  }

  /**
   * Takes the lease, cuts torn tails and says so in `sessions.jsonl`, brings the index up to date.
   * @param taken the lease, where it was taken already; it is released when opening fails
   * @throws RunError `in-use`, `format`, `version`, `disk-full`, `unwritable`, `unreadable`
   */
  static override async open(dir: string, context: RunContext, taken?: Lease): Promise<RunWriter> {
    const paths = runPaths(dir);
    const manifest = await readManifest(dir);
    const lease = taken ?? (await Lease.take(paths.lease, context));
    const logs = recordLogs(paths, context);
    try {
      const { torn: recovered, checkpoints } = await check(paths, logs);
      for (const torn of recovered) {
        await cutTornTail(context.files, torn);
        context.log.warn(`${torn.path}: cut ${torn.bytes} bytes that a crashed writer left unfinished`);
      }
      const outputs = await openOutputs(paths, logs, context, lease);
      const writer = new RunWriter(dir, manifest, context, logs, { lease, outputs, recovered, checkpoints });
      for (const cut of recovered) {
        await writer.session({ type: 'recovered', file: basename(cut.path), bytes: cut.bytes, cut: cut.text });
      }
      return writer;
    } catch (error) {
      await Promise.all(logsOf(logs).map((log) => log.close()));
      await lease.release();
      throw error;
    }
  }

  /** Stands before anything else that is written into the run's folder. @throws RunError `in-use`, `unwritable` */
  confirm(): Promise<void> {
    return this.#lease.confirm();
  }

  async append(event: JournalEvent): Promise<void> {
    const line = linesOf([event], eventSchema, journalVersion, { path: this.paths.journal });
    await this.#outputs.journal.append([line]);
    this.#checkpoints.add(event);
  }

  appendTasks(tasks: readonly Task[]): Promise<void> {
    return this.#outputs.tasks.append(tasks);
  }

  appendTraces(traces: readonly Trace[]): Promise<void> {
    return this.#outputs.traces.append(traces);
  }

  appendCompletions(completions: readonly CompletionRecord[]): Promise<void> {
    return this.#outputs.completions.append(completions);
  }

  /**
   * Records an event of this run's machine, with time, host and process. On a full disk it uses the space that the
   * lease holds in reserve, so that a run that had to pause can still record it.
   */
  async session(entry: SessionEntry): Promise<void> {
    const line = [sessionLine(entry, this.context.clock)];
    try {
      await this.#outputs.sessions.append(line);
    } catch (error) {
      if (!RunError.is(error, 'disk-full')) throw error;
      await this.#lease.shrink();
      this.#outputs.sessions = await reopened(this.#outputs.sessions, this.paths.sessions, this.context, this.#lease);
      await this.#outputs.sessions.append(line);
    }
  }

  /** Stores the index of a rescoring, which readers would otherwise rebuild from its lines. */
  keepRescoredIndex(rescoring: string, columns: RecordColumns): Promise<void> {
    const paths = rescoredPaths(this.paths, rescoring);
    return persistIndex({ kind: rescoredKind, paths, columns, indexedRows: 0 }, this.context);
  }

  /**
   * Removes unneeded checkpoints: all but those of the start, the last two epochs, and every k-th epoch, with k such
   * that at most 20 of a policy stay. Returns the names of the removed files. @throws RunError `unwritable`
   */
  async pruneCheckpoints(): Promise<string[]> {
    return pruneCheckpoints(this.paths.checkpoints, this.#checkpoints.keep(this.manifest.experiment));
  }

  /** Finishes pending appends and releases the lease. May be called twice. */
  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await closeOutputs(this.#outputs);
    } finally {
      await super.close();
      await this.#lease.release();
    }
  }
}

/** Reads everything that a writer continues from, so that nothing is cut from a run that cannot be resumed anyway. */
async function check(paths: RunPaths, logs: RecordLogs): Promise<{ torn: TornTail[]; checkpoints: CheckpointLedger }> {
  const torn = await findTornTails(paths);
  const checkpoints = new CheckpointLedger();
  for await (const { event } of readJournal(paths.journal)) checkpoints.add(event);
  await readSessions(paths.sessions);
  for (const log of logsOf(logs)) await log.refresh();
  return { torn, checkpoints };
}

async function openSessions(path: string, { files }: RunContext, lease: Lease): Promise<AppendFile> {
  return AppendFile.open(files, path, await sizeOf(path), { durable: true, before: () => lease.confirm() });
}

async function reopened(old: AppendFile, path: string, context: RunContext, lease: Lease): Promise<AppendFile> {
  await old.close();
  return openSessions(path, context, lease);
}

async function openOutputs(paths: RunPaths, logs: RecordLogs, context: RunContext, lease: Lease): Promise<Outputs> {
  const { files } = context;
  try {
    await files.makeFolder(paths.index);
    await files.makeFolder(paths.checkpoints);
  } catch (error) {
    throw writeError(error, paths.dir);
  }
  const confirm = () => lease.confirm();
  const opened: Partial<Outputs> = {};
  try {
    const tasks = (opened.tasks = await RecordAppender.open(logs.tasks, context, confirm));
    const traces = (opened.traces = await RecordAppender.open(logs.traces, context, confirm));
    const completions = (opened.completions = await RecordAppender.open(logs.completions, context, confirm));
    const journal = (opened.journal = await AppendFile.open(files, paths.journal, await sizeOf(paths.journal), {
      durable: true,
      before: async () => {
        await lease.confirm();
        await Promise.all([tasks.sync(), traces.sync(), completions.sync()]);
      },
    }));
    return { journal, sessions: await openSessions(paths.sessions, context, lease), tasks, traces, completions };
  } catch (error) {
    await closeOutputs(opened);
    throw error;
  }
}

/** The journal first, because its last group may still want the records synced. Closes all, then throws the first error. */
async function closeOutputs({ journal, tasks, traces, completions, sessions }: Partial<Outputs>): Promise<void> {
  const [journaled] = await Promise.allSettled([journal?.close()]);
  const rest = await Promise.allSettled([tasks, traces, completions, sessions].map(async (output) => output?.close()));
  for (const outcome of [journaled, ...rest]) if (outcome.status === 'rejected') throw outcome.reason;
}
