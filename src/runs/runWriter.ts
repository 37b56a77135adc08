import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Journal, Records } from '../engine/ports.ts';
import type { JournalEvent } from '../shared/journal/events.ts';
import type { Task } from '../shared/records/task.ts';
import type { Trace } from '../shared/records/trace.ts';
import { AppendFile } from './appendFile.ts';
import { readTail } from './jsonLines.ts';
import { Lease } from './lease.ts';
import { writeError } from './fileErrors.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { RecordAppender } from './recordAppender.ts';
import { RunReader, recordLogs, type RecordLogs, type RunContext } from './runReader.ts';
import { runPaths, type RunPaths } from './runPaths.ts';
import { sessionVersion, type SessionEntry, type SessionEvent } from './sessionEvent.ts';
import { cutTornTail, type Cut } from './tornTail.ts';

/** The files a writer holds open. */
interface Outputs {
  journal: AppendFile;
  sessions: AppendFile;
  tasks: RecordAppender<Task>;
  traces: RecordAppender<Trace>;
}

/**
 * The one writer of a run. What is durable when:
 * - `appendTasks`, `appendTraces` resolve when write(2) has the bytes: killing the process loses nothing.
 * - `append` (journal) resolves after fdatasync; records appended before it are synced first, so that no journal event
 *   that survives a power cut refers to a record that did not.
 * - `session` resolves after fdatasync.
 * Appends made while another is under way share its successor's write and sync. After a failed append (disk full,
 * unwritable) the file is cut back to its last whole line and every later append to it is refused with the same error:
 * close, and open the run again once there is space.
 */
export class RunWriter extends RunReader implements Journal, Records {
  /** What was cut from torn files when the run was opened; also told in `sessions.jsonl`. */
  readonly recovered: readonly Cut[];
  readonly #lease: Lease;
  readonly #outputs: Outputs;
  #closing: Promise<void> | null = null;

  private constructor(
    dir: string,
    manifest: Manifest,
    context: RunContext,
    logs: RecordLogs,
    own: { lease: Lease; outputs: Outputs; recovered: readonly Cut[] },
  ) {
    super(dir, manifest, context, logs);
    this.#lease = own.lease;
    this.#outputs = own.outputs;
    this.recovered = own.recovered;
  }

  /**
   * Takes the lease, cuts torn tails and says so in `sessions.jsonl`, brings the index up to date.
   * @throws RunError `in-use`, `format`, `version`, `disk-full`, `unwritable`, `unreadable`
   */
  static async open(dir: string, context: RunContext): Promise<RunWriter> {
    const manifest = await readManifest(dir);
    const paths = runPaths(dir);
    const lease = await Lease.take(paths.lease, context.files, context.clock);
    try {
      const recovered = await cutAll(paths, context);
      const logs = recordLogs(paths, context);
      await logs.tasks.refresh();
      await logs.traces.refresh();
      const outputs = await openOutputs(paths, logs, context, lease);
      const writer = new RunWriter(dir, manifest, context, logs, { lease, outputs, recovered });
      for (const cut of recovered) {
        await writer.session({ type: 'recovered', file: basename(cut.path), bytes: cut.bytes, cut: cut.text });
      }
      return writer;
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  append(event: JournalEvent): Promise<void> {
    return this.#outputs.journal.append([Buffer.from(`${JSON.stringify(event)}\n`)]);
  }

  appendTasks(tasks: readonly Task[]): Promise<void> {
    return this.#outputs.tasks.append(tasks);
  }

  appendTraces(traces: readonly Trace[]): Promise<void> {
    return this.#outputs.traces.append(traces);
  }

  /** Records what happened to this run's machine, stamped with time, host and process. */
  async session(entry: SessionEntry): Promise<void> {
    const event: SessionEvent = {
      v: sessionVersion,
      at: this.context.clock.now(),
      host: hostname(),
      pid: process.pid,
      ...entry,
    };
    await this.#outputs.sessions.append([Buffer.from(`${JSON.stringify(event)}\n`)]);
  }

  /** Finishes what was appended and releases the lease. May be called twice. */
  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { journal, sessions, tasks, traces } = this.#outputs;
    try {
      await journal.close();
      await Promise.all([tasks.close(), traces.close(), sessions.close(), super.close()]);
    } finally {
      await this.#lease.release();
    }
  }
}

async function cutAll(paths: RunPaths, { files, log }: RunContext): Promise<Cut[]> {
  const cuts: Cut[] = [];
  for (const path of [paths.journal, paths.sessions, paths.tasks.records, paths.traces.records]) {
    const cut = await cutTornTail(files, path);
    if (cut === null) continue;
    log.warn(`${path}: cut ${cut.bytes} bytes that a crashed writer left unfinished`);
    cuts.push(cut);
  }
  return cuts;
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
  const tasks = await RecordAppender.open(logs.tasks, context, confirm);
  const traces = await RecordAppender.open(logs.traces, context, confirm);
  const journal = await AppendFile.open(files, paths.journal, (await readTail(paths.journal, 1)).size, {
    durable: true,
    before: async () => {
      await lease.confirm();
      await Promise.all([tasks.sync(), traces.sync()]);
    },
  });
  const sessions = await AppendFile.open(files, paths.sessions, (await readTail(paths.sessions, 1)).size, {
    durable: true,
    before: confirm,
  });
  return { journal, sessions, tasks, traces };
}
