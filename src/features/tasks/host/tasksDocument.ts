/** One open task file, or the tasks of a run: edits that can be undone, saved and kept over a crash of the window. */
import * as vscode from 'vscode';
import type { EditedTasks } from '../node/editedTasks.ts';
import type { RowChange } from '../node/taskValues.ts';
import type { OpenedTasks } from './openTasks.ts';
import { backupOf, readBackup, takeBackup } from './tasksBackup.ts';
import type { TasksPlace } from './tasksPlace.ts';

/** Rows whose tasks differ now; everything when null. */
export type TasksNews = ReadonlySet<number> | null;

/** One edit, as the editor keeps it for undo. */
export interface TasksEdit {
  label: string;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
}

/** More rows than this are reported as all of them. */
const toldRows = 200;

export class TasksDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly place: TasksPlace;
  readonly #open: () => Promise<OpenedTasks>;
  readonly #edited = new vscode.EventEmitter<TasksEdit>();
  readonly #changed = new vscode.EventEmitter<TasksNews>();
  readonly #closed = new vscode.EventEmitter<void>();
  #opened: OpenedTasks;
  /** Edits from before a file was read again are void: their rows are other tasks now. */
  #reading = 0;
  /** Edits, saves and readings wait for each other. */
  #queue: Promise<unknown> = Promise.resolve();

  /** A person made an edit. */
  readonly onDidEdit = this.#edited.event;
  readonly onDidChange = this.#changed.event;
  readonly onDidClose = this.#closed.event;

  private constructor(uri: vscode.Uri, place: TasksPlace, opened: OpenedTasks, open: () => Promise<OpenedTasks>) {
    this.uri = uri;
    this.place = place;
    this.#opened = opened;
    this.#open = open;
    this.#listen();
  }

  /** @throws RunError, InputError */
  static async open(
    uri: vscode.Uri,
    place: TasksPlace,
    open: () => Promise<OpenedTasks>,
    backup: string | undefined,
  ): Promise<{ document: TasksDocument; lost: number }> {
    const document = new TasksDocument(uri, place, await open(), open);
    const lost =
      backup === undefined ? 0 : await takeBackup(document.tasks, await readBackup(vscode.Uri.parse(backup)));
    return { document, lost };
  }

  get opened(): OpenedTasks {
    return this.#opened;
  }

  get tasks(): EditedTasks {
    return this.#opened.tasks;
  }

  /** Whether something waits to be saved. */
  get isDirty(): boolean {
    return this.tasks.working.dirty.length > 0;
  }

  /** Makes an edit with a single step of undo. Nothing is made of no changes. */
  async make(label: string, changes: () => Promise<readonly RowChange[]>): Promise<number> {
    return this.#next(async () => {
      const made = await changes();
      if (made.length === 0) return 0;
      const reading = this.#reading;
      await this.#apply(made, 'forth');
      const again = (direction: 'forth' | 'back') => () =>
        this.#next(async () => {
          if (reading === this.#reading) await this.#apply(made, direction);
          else {
            const text = vscode.l10n.t('The file was reloaded since then: this edit cannot be undone.');
            vscode.window.setStatusBarMessage(text, 5000);
          }
        });
      this.#edited.fire({ label, undo: again('back'), redo: again('forth') });
      return made.length;
    });
  }

  /** @throws TaskFileError, RunError, SteerError */
  save(): Promise<void> {
    return this.#next(async () => {
      const { dirty } = this.tasks.working;
      if (dirty.length === 0) return;
      await this.#opened.save(dirty);
      this.tasks.settle(dirty);
      this.#tell(dirty);
    });
  }

  /** @throws TaskFileError, RunError */
  saveAs(path: string): Promise<void> {
    return this.#next(() => this.#opened.saveTo(path));
  }

  /** Whether another program changed the source. @throws RunError */
  isStale(): Promise<boolean> {
    return this.#next(() => this.#opened.isStale());
  }

  /** Reads new records of a run. @throws RunError */
  grow(): Promise<void> {
    return this.#next(() => this.#opened.grow());
  }

  /** Reads everything again; unsaved edits are lost. @throws RunError, InputError */
  revert(): Promise<void> {
    return this.#next(async () => {
      const before = this.#opened;
      this.#opened = await this.#open();
      this.#reading += 1;
      this.#listen();
      await before.close();
      this.#changed.fire(null);
    });
  }

  /** @throws Error of the file system */
  async backup(destination: vscode.Uri): Promise<vscode.CustomDocumentBackup> {
    await this.#next(async () => vscode.workspace.fs.writeFile(destination, await backupOf(this.tasks)));
    return {
      id: destination.toString(),
      delete: () => {
        void vscode.workspace.fs.delete(destination).then(undefined, () => undefined);
      },
    };
  }

  dispose(): void {
    this.#closed.fire();
    for (const emitter of [this.#edited, this.#changed, this.#closed]) emitter.dispose();
    void this.#opened.close();
  }

  #listen(): void {
    const opened = this.#opened;
    opened.onDidGrow = (rows) => {
      if (opened !== this.#opened) return;
      this.tasks.rebase(rows);
      this.#changed.fire(rows);
    };
  }

  async #apply(changes: readonly RowChange[], direction: 'forth' | 'back'): Promise<void> {
    await this.tasks.apply(changes, direction);
    this.#tell(changes.map(({ row }) => row));
  }

  #tell(rows: readonly number[]): void {
    this.#changed.fire(rows.length > toldRows ? null : new Set(rows));
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(work);
    this.#queue = next.catch(() => undefined);
    return next;
  }
}
