/** Every open task document: read, shown, saved, kept over a closed window, and followed while others write. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { RecordWatch } from '../../../host/documents/recordWatch.ts';
import { watchFiles } from '../../../host/files/watchFiles.ts';
import type { RunDir } from '../../../host/runs/runs.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { TaskFileError } from '../node/taskFileError.ts';
import { openFile } from './files/openFile.ts';
import { openRunOfTasks, type RunTasksNeeds } from './openRunOfTasks.ts';
import type { OpenedTasks } from './openTasks.ts';
import { TasksDocument } from './tasksDocument.ts';
import { TasksPage, type TasksPageNeeds } from './tasksPage.ts';
import { tasksPlaceOf, tasksViewType, type TasksPlace } from './tasksPlace.ts';

export type TasksEditorsNeeds = TasksPageNeeds & RunTasksNeeds;

/** The page and its document. */
interface Shown {
  document: TasksDocument;
  page: TasksPage | null;
}

export class TasksEditors implements vscode.CustomEditorProvider<TasksDocument>, vscode.Disposable {
  readonly #needs: TasksEditorsNeeds;
  readonly #open = new Map<string, Shown>();
  /** Tasks to select in documents that are being opened. */
  readonly #wanted = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.CustomDocumentEditEvent<TasksDocument>>();
  readonly #watch: RecordWatch;
  readonly onDidChangeCustomDocument = this.#changed.event;

  constructor(needs: TasksEditorsNeeds) {
    this.#needs = needs;
    this.#watch = new RecordWatch({
      ...needs,
      runs: () =>
        [...this.#open.values()].flatMap(({ document: { place } }) => (place.kind === 'run' ? [place.run] : [])),
      grown: (runs) => this.#grow(runs),
    });
  }

  /** Opens an address, with a task selected if one is named. */
  async show(uri: vscode.Uri, task: string | null): Promise<void> {
    const open = this.#open.get(uri.toString());
    if (task !== null && open?.page === undefined) this.#wanted.set(uri.toString(), task);
    await vscode.commands.executeCommand('vscode.openWith', uri, tasksViewType);
    if (task !== null) open?.page?.select(task);
  }

  async openCustomDocument(uri: vscode.Uri, { backupId }: vscode.CustomDocumentOpenContext): Promise<TasksDocument> {
    const place = tasksPlaceOf(uri);
    const { document, lost } = await TasksDocument.open(uri, place, () => this.#read(uri, place), backupId);
    if (lost > 0) {
      const text = vscode.l10n.t(
        '{0} unsaved edits of {1} were not restored: their tasks have changed.',
        count(lost),
        basename(uri.fsPath),
      );
      void vscode.window.showWarningMessage(text);
    }
    const shown: Shown = { document, page: null };
    this.#open.set(uri.toString(), shown);
    const watcher = place.kind === 'file' ? this.#watchFile(place.path, shown) : null;
    document.onDidEdit(({ label, undo, redo }) => {
      this.#changed.fire({ document, label, undo, redo });
      // An edit that took the others back: by its own count the editor would ask to save what is saved.
      if (!document.isDirty) void vscode.workspace.save(uri);
    });
    document.onDidClose(() => {
      watcher?.dispose();
      this.#open.delete(uri.toString());
    });
    return document;
  }

  resolveCustomEditor(document: TasksDocument, panel: vscode.WebviewPanel): void {
    const key = document.uri.toString();
    const shown = this.#open.get(key);
    const page = new TasksPage(document, panel, this.#needs);
    if (shown !== undefined) shown.page = page;
    panel.onDidDispose(() => {
      page.dispose();
      if (shown?.page === page) shown.page = null;
    });
    const wanted = this.#wanted.get(key);
    this.#wanted.delete(key);
    if (wanted !== undefined) page.select(wanted);
  }

  async saveCustomDocument(document: TasksDocument): Promise<void> {
    await this.#told(vscode.l10n.t('The tasks were not saved'), () => document.save(), document);
  }

  async saveCustomDocumentAs(document: TasksDocument, destination: vscode.Uri): Promise<void> {
    await this.#told(vscode.l10n.t('The tasks were not saved'), () => document.saveAs(destination.fsPath), document);
  }

  revertCustomDocument(document: TasksDocument): Promise<void> {
    return document.revert();
  }

  backupCustomDocument(
    document: TasksDocument,
    { destination }: vscode.CustomDocumentBackupContext,
  ): Promise<vscode.CustomDocumentBackup> {
    return document.backup(destination);
  }

  dispose(): void {
    this.#watch.dispose();
    this.#changed.dispose();
    for (const { page } of this.#open.values()) page?.dispose();
  }

  #read(uri: vscode.Uri, place: TasksPlace): Promise<OpenedTasks> {
    if (place.kind === 'file') return openFile(place.path);
    return openRunOfTasks(place.run, place.pool, `tasks ${uri.toString()}`, this.#needs);
  }

  /** The editor reports that a save failed, without the reason: the remedy is shown here. */
  async #told(what: string, work: () => Promise<void>, document: TasksDocument): Promise<void> {
    try {
      await work();
    } catch (error) {
      const page = this.#open.get(document.uri.toString())?.page ?? null;
      // The page itself says what is to be decided.
      if (error instanceof TaskFileError && error.reason === 'undecided' && page !== null) page.decideFirst();
      else void this.#needs.failures.tell(what, error);
      throw error;
    }
  }

  #watchFile(path: string, shown: Shown): vscode.Disposable {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(path)), basename(path));
    const look = (): void => {
      void this.#needs.failures.guard(vscode.l10n.t('The file was not reloaded'), () => this.#lookAgain(shown));
    };
    return watchFiles(pattern, look);
  }

  /** A file that something else wrote is read again; unsaved edits are merged with it. */
  async #lookAgain({ document }: Shown): Promise<void> {
    if (!(await document.isStale())) return;
    if (!document.isDirty) {
      await document.revert();
      return;
    }
    // Where the disk has all of it, the editor by its own count would ask to save what is saved.
    if (!(await document.merge())) void vscode.workspace.save(document.uri);
  }

  async #grow(runs: ReadonlySet<RunDir>): Promise<void> {
    for (const { document } of this.#open.values()) {
      if (document.place.kind !== 'run' || !runs.has(document.place.run)) continue;
      await this.#needs.failures.guard(vscode.l10n.t('The open file was not updated'), () => document.grow());
    }
  }
}
