/** Notes on the turns of open traces, as the editor's comments. */
import * as vscode from 'vscode';
import type { NoteThread } from '../../../shared/records/note.ts';
import { marksOf, type LaidOut } from '../../../host/documents/layout/page.ts';
import { placeOf, traceScheme } from '../../../host/documents/layout/place.ts';
import type { RunDir } from '../../../host/runs/runs.ts';
import type { NoteBook } from './noteBook.ts';
import { bodyOf, fillThread, type ShownNote } from './shownThread.ts';

export interface TurnNotesNeeds {
  book: NoteBook;
  layoutOf: (document: vscode.TextDocument) => Promise<LaidOut | null>;
  /** Traces were laid out again. */
  onDidLay: vscode.Event<void>;
  fail: (error: unknown) => void;
}

/** Threads of one document, by their ids in the run. */
type Threads = Map<string, vscode.CommentThread>;

export class TurnNotes implements vscode.Disposable {
  readonly #needs: TurnNotesNeeds;
  readonly #controller: vscode.CommentController;
  readonly #shown = new Map<string, Threads>();
  /** Which thread of the run one of the editor's is. */
  readonly #ids = new WeakMap<vscode.CommentThread, string>();
  readonly #subscriptions: vscode.Disposable;
  #drawing: Promise<void> = Promise.resolve();

  constructor(needs: TurnNotesNeeds) {
    this.#needs = needs;
    this.#controller = vscode.comments.createCommentController('genenv.notes', vscode.l10n.t('Notes on turns'));
    this.#controller.options = {
      prompt: vscode.l10n.t('Write a note on this turn'),
      placeHolder: vscode.l10n.t('Note'),
    };
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: async (document) =>
        vscode.workspace.isTrusted ? (await this.#turns(document)).map(({ range }) => range) : [],
    };
    this.#subscriptions = vscode.Disposable.from(
      this.#controller,
      needs.book.onDidChange((run) => this.draw(run)),
      needs.onDidLay(() => this.draw(null)),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (uri.scheme === traceScheme) this.draw(placeOf(uri).run);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.draw(null)),
    );
    this.draw(null);
  }

  /** Draws the notes of a run's open traces, or those of all runs. */
  draw(run: RunDir | null): void {
    this.#drawing = this.#drawing.then(() => this.#drawAll(run)).catch((error: unknown) => this.#needs.fail(error));
  }

  /** Saves a new thread or an answer. @throws RunError, SteerError */
  async write({ thread, text }: vscode.CommentReply): Promise<void> {
    const { run, id: trace } = placeOf(thread.uri);
    const known = this.#ids.get(thread) ?? null;
    const turn = await this.#turnAt(thread);
    await this.#needs.book.write(run, { trace, turn, thread: known }, text);
    // The editor's own gives way to the one that was drawn for it.
    if (known === null) thread.dispose();
  }

  /** @throws RunError, SteerError */
  async save(note: ShownNote): Promise<void> {
    // The typed text: Markdown only while it is not being edited.
    const text = typeof note.body === 'string' ? note.body : note.saved;
    if (text === note.saved) this.draw(this.#runOf(note));
    else await this.#needs.book.append(this.#runOf(note), { type: 'edited', id: note.id, text });
  }

  /** @throws RunError, SteerError */
  async remove(note: ShownNote): Promise<void> {
    await this.#needs.book.append(this.#runOf(note), { type: 'deleted', id: note.id });
  }

  /** @throws RunError, SteerError */
  async resolve(thread: vscode.CommentThread, resolved: boolean): Promise<void> {
    const id = this.#ids.get(thread);
    if (id !== undefined)
      await this.#needs.book.append(placeOf(thread.uri).run, { type: 'resolved', thread: id, resolved });
  }

  /** Opens a note for editing in place, or closes it. */
  edit(note: ShownNote, editing: boolean): void {
    note.mode = editing ? vscode.CommentMode.Editing : vscode.CommentMode.Preview;
    note.body = editing ? note.saved : bodyOf(note.saved);
    note.parent.comments = [...note.parent.comments];
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #runOf({ parent }: ShownNote): RunDir {
    return placeOf(parent.uri).run;
  }

  async #drawAll(run: RunDir | null): Promise<void> {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme !== traceScheme) continue;
      const { run: own, id } = placeOf(document.uri);
      if (run !== null && run !== own) continue;
      const threads = (await this.#needs.book.threads(own)).filter(({ trace }) => trace === id);
      this.#drawOne(document.uri, threads, await this.#turns(document));
    }
  }

  #drawOne(uri: vscode.Uri, threads: readonly NoteThread[], turns: readonly Turn[]): void {
    const key = uri.toString();
    const shown: Threads = this.#shown.get(key) ?? new Map<string, vscode.CommentThread>();
    this.#shown.set(key, shown);
    const wanted = new Set(threads.map(({ id }) => id));
    for (const [id, thread] of shown) {
      if (wanted.has(id)) continue;
      thread.dispose();
      shown.delete(id);
    }
    for (const thread of threads) {
      const range = turns.find(({ turn }) => turn === thread.turn)?.range;
      if (range === undefined) continue;
      const own = shown.get(thread.id) ?? this.#begin(uri, range, thread);
      shown.set(thread.id, own);
      this.#ids.set(own, thread.id);
      own.range = range;
      fillThread(own, thread, vscode.workspace.isTrusted);
    }
  }

  /** Unresolved threads are expanded. */
  #begin(uri: vscode.Uri, range: vscode.Range, { resolved }: NoteThread): vscode.CommentThread {
    const made = this.#controller.createCommentThread(uri, range, []);
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
    made.collapsibleState = resolved ? Collapsed : Expanded;
    return made;
  }

  #forget(uri: vscode.Uri): void {
    const key = uri.toString();
    for (const thread of this.#shown.get(key)?.values() ?? []) thread.dispose();
    this.#shown.delete(key);
  }

  async #turnAt({ uri, range }: vscode.CommentThread): Promise<number> {
    const document = await vscode.workspace.openTextDocument(uri);
    const line = range?.start.line ?? 0;
    const here = (await this.#turns(document)).find(({ range: own }) => own.start.line <= line && line <= own.end.line);
    if (here === undefined) throw new Error(vscode.l10n.t('There is no turn in this line.'));
    return here.turn;
  }

  async #turns(document: vscode.TextDocument): Promise<Turn[]> {
    if (document.uri.scheme !== traceScheme) return [];
    const laidOut = await this.#needs.layoutOf(document);
    return laidOut === null ? [] : turnsOf(laidOut);
  }
}

/** A message of an attempt and its lines. */
interface Turn {
  turn: number;
  range: vscode.Range;
}

function turnsOf(laidOut: LaidOut): Turn[] {
  const parts = laidOut.parts.flatMap((part) => part.parts);
  return marksOf(laidOut, 'turn').flatMap(({ line, means: { turn } }) => {
    const part = parts.find(({ first }) => first === line);
    return part === undefined ? [] : [{ turn, range: new vscode.Range(part.first, 0, part.last, 0) }];
  });
}
