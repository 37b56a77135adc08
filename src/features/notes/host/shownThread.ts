/** A thread of notes as the editor shows it. */
import * as vscode from 'vscode';
import type { Note, NoteThread } from '../../../shared/records/note.ts';
import { plainMarkdown } from '../../../host/plainMarkdown.ts';

/** One note; `saved` is its text in the run's folder. */
export class ShownNote implements vscode.Comment {
  readonly id: string;
  readonly saved: string;
  readonly parent: vscode.CommentThread;
  readonly author: vscode.CommentAuthorInformation;
  readonly timestamp: Date;
  readonly label?: string;
  readonly contextValue: string;
  body: string | vscode.MarkdownString;
  mode = vscode.CommentMode.Preview;

  constructor({ id, author, at, text, edited }: Note, parent: vscode.CommentThread, writable: boolean) {
    this.id = id;
    this.saved = text;
    this.parent = parent;
    this.body = bodyOf(text);
    this.author = { name: author };
    this.timestamp = new Date(at);
    this.contextValue = writable ? 'note' : 'note.read-only';
    if (edited) this.label = vscode.l10n.t('edited');
  }
}

/** A note is shown as it was written: it may be about tags. */
export const bodyOf = (text: string): vscode.MarkdownString => new vscode.MarkdownString(plainMarkdown(text));

/** Fills a thread of the editor with notes. */
export function fillThread(
  shown: vscode.CommentThread,
  { resolved, notes, turn }: NoteThread,
  writable: boolean,
): void {
  shown.comments = notes.map((note) => new ShownNote(note, shown, writable));
  shown.canReply = writable;
  shown.state = resolved ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved;
  shown.contextValue = `${resolved ? 'resolved' : 'open'}${writable ? '' : '.read-only'}`;
  shown.label = resolved ? vscode.l10n.t('Turn {0}, resolved', turn + 1) : vscode.l10n.t('Turn {0}', turn + 1);
}
