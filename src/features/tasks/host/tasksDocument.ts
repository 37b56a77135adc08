/** One open task file, or the tasks of a run: edits that can be undone, saved and kept over a crash of the window. */
import * as vscode from 'vscode';
import type { EditedTasks } from '../node/editedTasks.ts';
import { isUndecided, type Choice, type Conflict } from '../node/unsaved/conflicts.ts';
import { pick, type RowChange, type TaskPart } from '../node/taskValues.ts';
import { TaskFileError } from '../node/taskFileError.ts';
import { backupOf, editsIn, readBackup } from '../node/unsaved/tasksBackup.ts';
import { UnsavedEdits } from '../node/unsaved/unsavedEdits.ts';
import type { Merged } from '../node/unsaved/mergeInto.ts';
import type { OpenedTasks } from './openTasks.ts';
import type { TasksPlace } from './tasksPlace.ts';
import { InTurn } from '../../../shared/inTurn.ts';

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
  readonly #merged = new vscode.EventEmitter<Merged>();
  #opened: OpenedTasks;
  #unsaved: UnsavedEdits;
  /** Edits from before a file was read again hold of other rows now, or of none: where each stands, reading by reading. */
  #readings: (Merged['moved'] | null)[] = [];
  /** Edits, saves and readings wait for each other. */
  readonly #inTurn = new InTurn();

  /** A person made an edit. */
  readonly onDidEdit = this.#edited.event;
  readonly onDidChange = this.#changed.event;
  readonly onDidClose = this.#closed.event;
  /** The file was read again, with the edits of here over it. */
  readonly onDidMerge = this.#merged.event;

  private constructor(uri: vscode.Uri, place: TasksPlace, opened: OpenedTasks, open: () => Promise<OpenedTasks>) {
    this.uri = uri;
    this.place = place;
    this.#opened = opened;
    this.#unsaved = new UnsavedEdits(opened.tasks);
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
    return { document, lost: backup === undefined ? 0 : await document.#take(vscode.Uri.parse(backup)) };
  }

  get opened(): OpenedTasks {
    return this.#opened;
  }

  get tasks(): EditedTasks {
    return this.#opened.tasks;
  }

  /** Whether something waits to be saved. */
  get isDirty(): boolean {
    return this.tasks.working.dirty.length > 0 || this.conflicts.some(isUndecided) || this.#unsaved.adds;
  }

  /** Tasks that were changed here and on the disk, until they are saved. */
  get conflicts(): readonly Conflict[] {
    return this.#unsaved.conflicts;
  }

  /** A conflict's fields as they are here now. */
  mineOf(conflict: Conflict): TaskPart {
    return this.#unsaved.mineOf(conflict);
  }

  /** Makes an edit with a single step of undo. Nothing is made of no changes. */
  async make(label: string, changes: () => Promise<readonly RowChange[]>): Promise<number> {
    return this.#inTurn.run(async () => {
      const made = await changes();
      if (made.length === 0) return 0;
      await this.#apply(made, 'forth');
      this.#step(label, (direction, now) => this.#apply(now(made), direction));
      return made.length;
    });
  }

  /** Reads of the tasks in turn, so that the file is not read again meanwhile. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn.run(work);
  }

  /**
   * Decides on fields of conflicts, with a single step of undo.
   * @param key one conflict; null for all that are undecided
   * @param field one of its fields; null for all
   */
  decide(key: string | null, field: string | null, choice: Choice, label: string): Promise<void> {
    return this.#inTurn.run(async () => {
      const decision = this.#unsaved.decide(key, field, choice);
      if (decision === null) return;
      const set = async (direction: 'forth' | 'back', now: (changes: readonly RowChange[]) => RowChange[]) => {
        decision.set(direction);
        await this.#apply(now(decision.changes), direction);
        this.#changed.fire(new Set());
      };
      await set('forth', (changes) => [...changes]);
      this.#step(label, set);
    });
  }

  /** @throws TaskFileError, RunError, SteerError */
  save(): Promise<void> {
    return this.#inTurn.run(async () => {
      if (this.place.kind === 'file' && this.isDirty && (await this.#opened.isStale())) await this.#mergeNow();
      this.#refuseUndecided();
      const { dirty } = this.tasks.working;
      const added = await this.#unsaved.added();
      if (dirty.length > 0 || added.length > 0) await this.#opened.save(dirty, added);
      this.tasks.settle(dirty);
      const wereConflicts = this.conflicts.length > 0;
      this.#unsaved.settle();
      if (added.length > 0) await this.#replace(null);
      else if (wereConflicts) this.#changed.fire(null);
      else this.#tell(dirty);
    });
  }

  /** @throws TaskFileError, RunError */
  saveAs(path: string): Promise<void> {
    return this.#inTurn.run(async () => {
      this.#refuseUndecided();
      await this.#opened.saveTo(path, await this.#unsaved.added());
    });
  }

  /** Whether another program changed the source. @throws RunError */
  isStale(): Promise<boolean> {
    return this.#inTurn.run(() => this.#opened.isStale());
  }

  /** Reads new records of a run. @throws RunError */
  grow(): Promise<void> {
    return this.#inTurn.run(() => this.#opened.grow());
  }

  /** Reads everything again; unsaved edits are lost. @throws RunError, InputError */
  revert(): Promise<void> {
    return this.#inTurn.run(() => this.#replace(null));
  }

  /**
   * Reads a file again that something else wrote, and repeats the unsaved edits over it.
   * @returns whether something is left to save @throws RunError
   */
  merge(): Promise<boolean> {
    return this.#inTurn.run(async () => {
      await this.#mergeNow();
      return this.isDirty;
    });
  }

  /** @throws Error of the file system */
  async backup(destination: vscode.Uri): Promise<vscode.CustomDocumentBackup> {
    await this.#inTurn.run(async () =>
      vscode.workspace.fs.writeFile(destination, await backupOf(this.tasks, this.#unsaved)),
    );
    return {
      id: destination.toString(),
      delete: () => {
        void vscode.workspace.fs.delete(destination).then(undefined, () => undefined);
      },
    };
  }

  dispose(): void {
    this.#closed.fire();
    for (const emitter of [this.#edited, this.#changed, this.#closed, this.#merged]) emitter.dispose();
    void this.#opened.close();
  }

  /** @returns how many unsaved edits could not be repeated */
  async #take(backup: vscode.Uri): Promise<number> {
    const { mergeInto } = await import('../node/unsaved/mergeInto.ts');
    const edits = await editsIn(readBackup(await vscode.workspace.fs.readFile(backup)), this.tasks);
    const { changes, conflicts, lost } = await mergeInto(this.tasks, edits);
    this.#unsaved = new UnsavedEdits(this.tasks, conflicts);
    await this.#unsaved.remember(changes);
    await this.tasks.apply(changes);
    return lost;
  }

  async #mergeNow(): Promise<void> {
    const edits = this.#unsaved.edits();
    const { mergeInto } = await import('../node/unsaved/mergeInto.ts');
    const opened = await this.#open();
    try {
      const merged = await mergeInto(opened.tasks, edits);
      const unsaved = new UnsavedEdits(opened.tasks, merged.conflicts);
      await unsaved.remember(merged.changes);
      await opened.tasks.apply(merged.changes);
      await this.#replace(merged.moved, opened, unsaved);
      this.#merged.fire(merged);
    } catch (error) {
      // Written once more while it was read: the edits stay where they were.
      if (opened !== this.#opened) await opened.close();
      throw error;
    }
  }

  async #replace(moved: Merged['moved'] | null, given?: OpenedTasks, unsaved?: UnsavedEdits): Promise<void> {
    const before = this.#opened;
    this.#opened = given ?? (await this.#open());
    this.#unsaved = unsaved ?? new UnsavedEdits(this.#opened.tasks);
    this.#readings.push(moved);
    this.#listen();
    await before.close();
    this.#changed.fire(null);
  }

  /** @throws TaskFileError `undecided` */
  #refuseUndecided(): void {
    if (this.conflicts.some(isUndecided)) throw new TaskFileError('undecided', this.uri.fsPath);
  }

  /** Tells the editor of a step that was made. */
  #step(
    label: string,
    make: (direction: 'forth' | 'back', now: (changes: readonly RowChange[]) => RowChange[]) => Promise<void>,
  ): void {
    const reading = this.#readings.length;
    const again = (direction: 'forth' | 'back') => () =>
      this.#inTurn.run(async () => {
        if (this.#readings.slice(reading).includes(null)) {
          const text = vscode.l10n.t('The file was reloaded since then: this edit cannot be undone.');
          vscode.window.setStatusBarMessage(text, 5000);
        } else await make(direction, (changes) => this.#movedSince(reading, changes));
      });
    this.#edited.fire({ label, undo: again('back'), redo: again('forth') });
  }

  /** Changes of an earlier reading as changes of now: without parts that the disk has changed since. */
  #movedSince(reading: number, changes: readonly RowChange[]): RowChange[] {
    let now = [...changes];
    for (const moved of this.#readings.slice(reading)) {
      now = now.flatMap(({ row, before, after }) => {
        const place = moved?.get(row);
        if (place === undefined || place.names.length === 0) return [];
        return [{ row: place.row, before: pick(before, place.names), after: pick(after, place.names) }];
      });
    }
    return now;
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
    await this.#unsaved.remember(changes);
    await this.tasks.apply(changes, direction);
    this.#tell(changes.map(({ row }) => row));
  }

  #tell(rows: readonly number[]): void {
    this.#changed.fire(rows.length > toldRows ? null : new Set(rows));
  }
}
