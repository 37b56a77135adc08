/** Notes on the traces of every shown run; reports changes by any writer. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { NoteEntry, NoteThread } from '../../../shared/records/note.ts';
import { SteerError } from '../../../host/runs/steerError.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { RunDir } from '../../../host/runs/runs.ts';

/** Loaded with the first run whose notes are requested. */
const notesFile = () => import('../../../runs/records/notesFile.ts');

/** Other windows and programs write notes too: interval at which their size is polled, in milliseconds. */
const lookMs = 2000;

interface Kept {
  threads: readonly NoteThread[];
  size: number;
}

export class NoteBook implements vscode.Disposable {
  readonly #clock: Clock;
  readonly #failures: Pick<Failures, 'tell'>;
  readonly #runs = new Map<RunDir, Promise<Kept>>();
  readonly #changed = new vscode.EventEmitter<RunDir>();
  readonly #timer: NodeJS.Timeout;
  /** Errors that were reported already. */
  readonly #told = new Set<string>();

  /** The notes of a run are others now. */
  readonly onDidChange = this.#changed.event;

  constructor(clock: Clock, failures: Pick<Failures, 'tell'>) {
    this.#clock = clock;
    this.#failures = failures;
    this.#timer = setInterval(() => void this.#look(), lookMs);
  }

  /** @throws RunError */
  async threads(run: RunDir): Promise<readonly NoteThread[]> {
    const reading = this.#runs.get(run) ?? this.#read(run);
    this.#runs.set(run, reading);
    return (await reading).threads;
  }

  /** The number of notes on each trace; empty where they cannot be read, which is reported. */
  async counts(run: RunDir): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    try {
      for (const { trace, notes } of await this.threads(run)) {
        counts.set(trace, (counts.get(trace) ?? 0) + notes.length);
      }
    } catch (error) {
      this.#tell(error);
    }
    return counts;
  }

  /** Starts a thread, or answers in one. @throws RunError, SteerError `untrusted` */
  async write(run: RunDir, place: { trace: string; turn: number; thread: string | null }, text: string): Promise<void> {
    const id = randomUUID();
    const { trace, turn, thread } = place;
    await this.append(run, { type: 'written', id, thread: thread ?? id, trace, turn, text });
  }

  /** @throws RunError, SteerError `untrusted` */
  async append(run: RunDir, entry: NoteEntry): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw new SteerError('untrusted', vscode.l10n.t('Notes can be read but not written in Restricted Mode.'), {
        remedy: vscode.l10n.t('Trust the folder, then try again.'),
      });
    }
    const { appendNote } = await notesFile();
    const stamp = { v: 1, at: this.#clock.now(), author: userInfo().username } as const;
    await appendNote(runPaths(run).notes, { ...stamp, ...entry });
    await this.#again(run);
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#changed.dispose();
  }

  async #read(run: RunDir): Promise<Kept> {
    const { notes: path } = runPaths(run);
    try {
      // Before the reading: notes written meanwhile are read again.
      const size = await sizeOf(path);
      const { readNotes } = await notesFile();
      const { threads, damaged } = await readNotes(path);
      for (const error of damaged) this.#tell(error);
      return { threads, size };
    } catch (error) {
      this.#runs.delete(run);
      throw error;
    }
  }

  /** Once a window: it is met again with every look. */
  #tell(error: unknown): void {
    const words = String(error);
    if (this.#told.has(words)) return;
    this.#told.add(words);
    void this.#failures.tell(vscode.l10n.t('A note cannot be read'), error);
  }

  async #again(run: RunDir): Promise<void> {
    const reading = this.#read(run);
    this.#runs.set(run, reading);
    await reading;
    this.#changed.fire(run);
  }

  async #look(): Promise<void> {
    for (const [run, reading] of [...this.#runs]) {
      try {
        const { size } = await reading;
        if ((await sizeOf(runPaths(run).notes)) !== size) await this.#again(run);
      } catch (error) {
        this.#tell(error);
      }
    }
  }
}

/** Bytes; 0 for a run without notes, or that is gone. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
