/** Actions on many tasks at once: one step of undo for all. */
import * as vscode from 'vscode';
import type { TasksBulk } from '../contract.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { TasksDocument } from './tasksDocument.ts';

/** Tasks that are sent to a file at once are read at once. */
const sentAtMost = 10_000;

/** @returns how many tasks it changed or sent @throws RunError, Error */
export async function bulkEdit(document: TasksDocument, rows: ArrayLike<number>, what: TasksBulk): Promise<number> {
  const { tasks } = document;
  const all = Uint32Array.from(rows);
  const many = count(all.length);
  switch (what.action) {
    case 'exclude':
      return document.make(vscode.l10n.t('Exclude {0} Tasks', many), () => tasks.exclude(all, what.reason));
    case 'restore':
      return document.make(vscode.l10n.t('Restore {0} Tasks', many), () => tasks.exclude(all, null));
    case 'tag':
      return document.make(vscode.l10n.t('Tag {0} Tasks', many), () => tasks.tag(all, what.add, what.remove));
    case 'duplicate':
    case 'toSeeds': {
      if (all.length > sentAtMost) {
        throw new Error(vscode.l10n.t('At most {0} tasks are sent at once: select fewer.', count(sentAtMost)));
      }
      const { addToSeeds, chooseSeedFile } = await import('./files/seedFiles.ts');
      const uri = await chooseSeedFile();
      if (uri === undefined) return 0;
      return addToSeeds(uri, await tasks.at([...all]), what.action === 'duplicate');
    }
  }
}
