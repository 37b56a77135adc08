/** Pause Study: one of those in the queue. */
import * as vscode from 'vscode';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { isOpen, type QueueEntry } from '../core/queue.ts';
import type { EditorQueue } from './editorQueue.ts';
import type { FolderQueue } from './folderQueue.ts';
import type { StudyNeeds } from './studies.ts';

/** The only study that runs or waits, or the one that a person picks. @throws SteerError */
export async function pauseStudyHere({ queue }: Pick<StudyNeeds, 'queue'>, argument: unknown): Promise<void> {
  requireTrust();
  const open = studiesIn(queue);
  const given = argument instanceof vscode.Uri ? open.filter(({ entry }) => entry.study === argument.fsPath) : open;
  const items = given.map((one) => ({ label: one.entry.name, one }));
  const [first] = items;
  if (first === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No study is in the queue.'));
    return;
  }
  const title = vscode.l10n.t('Which study to pause?');
  const picked = items.length === 1 ? first : await vscode.window.showQuickPick(items, { title });
  if (picked === undefined) return;
  const { of, entry } = picked.one;
  await of.ask({ type: entry.state === 'running' ? 'pause' : 'remove', run: entry.run });
}

const studiesIn = (queue: EditorQueue): { of: FolderQueue; entry: QueueEntry }[] =>
  queue.folders.flatMap((of) =>
    (of.sight?.queue ?? []).filter((entry) => entry.study !== null && isOpen(entry)).map((entry) => ({ of, entry })),
  );
