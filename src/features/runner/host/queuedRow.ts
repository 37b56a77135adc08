/** The entry of a queue that a command was called on: a run's row, or a study's. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import { runTargetSchema } from '../../../host/trees/target.ts';
import { isOpen } from '../core/queue.ts';
import type { EditorQueue } from './editorQueue.ts';
import type { FolderQueue } from './folderQueue.ts';

/** A study's row in the Runs tree. */
export const studyRowSchema = z.object({ kind: z.literal('study'), root: z.string(), study: z.string() });

export interface QueuedRow {
  of: FolderQueue;
  /** As the queue calls it. */
  run: string;
}

/** Null for anything else than a row, and for a study that is not in the queue. */
export function queuedRow(queue: EditorQueue, argument: unknown): QueuedRow | null {
  const dir = runTargetSchema.safeParse(argument).data?.run;
  if (dir !== undefined) return { of: queue.of(dir), run: basename(dir) };
  const row = studyRowSchema.safeParse(argument).data;
  const of = queue.folders.find(({ folder }) => folder.root === row?.root);
  const entry = of?.sight?.queue.find((one) => one.study !== null && one.name === row?.study && isOpen(one));
  return of === undefined || entry === undefined ? null : { of, run: entry.run };
}

/** Of a run that a person picks; undefined where none is. */
export async function pickQueued({
  queue,
  catalog,
}: {
  queue: EditorQueue;
  catalog: RunCatalog;
}): Promise<QueuedRow | undefined> {
  const items = catalog.runs
    .flatMap(({ dir, head }) => {
      const place = queue.place(dir);
      return place?.state === 'waiting' ? [{ label: head.name, place, dir }] : [];
    })
    .toSorted((a, b) => a.place.position - b.place.position)
    .map(({ label, place, dir }) => ({ label, description: vscode.l10n.t('place {0}', place.position), dir }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing waits in the queue.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which run of the queue?') });
  return picked && { of: queue.of(picked.dir), run: basename(picked.dir) };
}
