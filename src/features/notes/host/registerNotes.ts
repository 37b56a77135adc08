/** Notes on turns: the editor's comments over them, and the commands in their menus. */
import * as vscode from 'vscode';
import type { Failures } from '../../../host/feedback/failures.ts';
import { once } from '../../../host/once.ts';
import { traceScheme } from '../../../host/documents/layout/place.ts';
import type { RecordFiles } from '../../../host/documents/recordFiles.ts';
import type { NoteBook } from './noteBook.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export interface NotesNeeds {
  book: NoteBook;
  traces: Pick<RecordFiles, 'layoutOf' | 'onDidLay'>;
  failures: Failures;
}

export function registerNotes(
  { subscriptions }: vscode.ExtensionContext,
  { book, traces, failures }: NotesNeeds,
): void {
  const fail = (error: unknown): void => void failures.tell(vscode.l10n.t('The notes were not shown'), error);
  // Loaded with the first trace that is opened.
  const shown = once(async () => {
    const [{ TurnNotes }, { ShownNote }] = await Promise.all([import('./turnNotes.ts'), import('./shownThread.ts')]);
    const notes = new TurnNotes({
      book,
      layoutOf: (document) => traces.layoutOf(document),
      onDidLay: traces.onDidLay,
      fail,
    });
    subscriptions.push(notes);
    return { notes, ShownNote };
  });
  const begin = (document: vscode.TextDocument): void => {
    if (document.uri.scheme === traceScheme) shown().catch(fail);
  };
  for (const document of vscode.workspace.textDocuments) begin(document);
  type Loaded = Awaited<ReturnType<typeof shown>>;
  const command = (id: string, failed: string, run: (loaded: Loaded, argument: unknown) => Promise<void> | void) =>
    registerCommand(id, (argument: unknown) => failures.guard(failed, async () => run(await shown(), argument)));
  const notKept = vscode.l10n.t('The note was not kept');
  const onNote =
    (act: (loaded: Loaded, note: InstanceType<Loaded['ShownNote']>) => Promise<void> | void) =>
    (loaded: Loaded, argument: unknown): Promise<void> | void => {
      if (argument instanceof loaded.ShownNote) return act(loaded, argument);
    };
  const threadOf = (argument: unknown): vscode.CommentThread | null => (isThread(argument) ? argument : null);
  subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(begin),
    command('genenv.addNote', notKept, async ({ notes }, argument) => {
      if (isReply(argument)) await notes.write(argument);
    }),
    command(
      'genenv.editNote',
      notKept,
      onNote(({ notes }, note) => notes.edit(note, true)),
    ),
    command(
      'genenv.cancelNote',
      notKept,
      onNote(({ notes }, note) => notes.edit(note, false)),
    ),
    command(
      'genenv.saveNote',
      notKept,
      onNote(({ notes }, note) => notes.save(note)),
    ),
    command(
      'genenv.deleteNote',
      vscode.l10n.t('The note was not deleted'),
      onNote(({ notes }, note) => notes.remove(note)),
    ),
    ...[true, false].map((resolved) =>
      command(resolved ? 'genenv.resolveNotes' : 'genenv.reopenNotes', notKept, async ({ notes }, argument) => {
        const thread = threadOf(argument);
        if (thread !== null) await notes.resolve(thread, resolved);
      }),
    ),
  );
}

/** The editor's own objects: it has no class for them. */
const isThread = (argument: unknown): argument is vscode.CommentThread =>
  typeof argument === 'object' && argument !== null && 'comments' in argument && 'uri' in argument;

const isReply = (argument: unknown): argument is vscode.CommentReply =>
  typeof argument === 'object' &&
  argument !== null &&
  'text' in argument &&
  'thread' in argument &&
  isThread(argument.thread);
