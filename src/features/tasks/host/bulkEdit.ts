/** Actions on many tasks at once: one step of undo for all. */
import * as vscode from 'vscode';
import type { TasksBulk, TasksMatching } from '../contract.ts';
import type { TaskView } from '../node/taskView.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { TasksDocument } from './tasksDocument.ts';

/** Tasks that are sent to a file at once are read at once. */
const sentAtMost = 10_000;

/** The tasks of an action. */
export interface BulkRows {
  size: number;
  /** Where they stand now: asked when it is their turn, as a file may be read again before. @throws RunError, Error */
  rows: () => Promise<ArrayLike<number>>;
}

/** @returns how many tasks it changed or sent @throws RunError, Error */
export async function bulkEdit(document: TasksDocument, { size, rows }: BulkRows, what: TasksBulk): Promise<number> {
  const many = count(size);
  const all = async (): Promise<Uint32Array> => Uint32Array.from(await rows());
  switch (what.action) {
    case 'exclude':
      return document.make(vscode.l10n.t('Exclude {0} Tasks', many), async () =>
        document.tasks.exclude(await all(), what.reason),
      );
    case 'restore':
      return document.make(vscode.l10n.t('Restore {0} Tasks', many), async () =>
        document.tasks.exclude(await all(), null),
      );
    case 'tag':
      return document.make(vscode.l10n.t('Tag {0} Tasks', many), async () =>
        document.tasks.tag(await all(), what.add, what.remove),
      );
    case 'duplicate':
    case 'toSeeds': {
      if (size > sentAtMost) {
        throw new Error(vscode.l10n.t('At most {0} tasks are sent at once: select fewer.', count(sentAtMost)));
      }
      const { addToSeeds, chooseSeedFile } = await import('./files/seedFiles.ts');
      const uri = await chooseSeedFile();
      if (uri === undefined) return 0;
      const tasks = await document.read(async () => document.tasks.at([...(await all())]));
      return addToSeeds(uri, tasks, what.action === 'duplicate');
    }
  }
}

/** All rows that match, where these are still those that the page showed. @throws Error */
export async function matchingOf(view: TaskView, shown: TasksMatching): Promise<Uint32Array> {
  const matching = await view.stillMatching(shown);
  if (matching !== null) return matching;
  const now = count(view.matching.length);
  throw new Error(vscode.l10n.t('Nothing was changed: the filter changed meanwhile, {0} match now. Try again.', now));
}
