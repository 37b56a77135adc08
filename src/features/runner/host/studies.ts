/** Studies in the queue: progress in the status bar, and a word at the end. */
import * as vscode from 'vscode';
import { inWords } from '../../../shared/journal/recordedWords.ts';
import type { QueuedChange } from '../../../host/runs/queuedStudies.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import { aboutDuration } from '../../../shared/text/figures/durations.ts';
import { isOpen, type QueueEntry } from '../core/queue.ts';
import type { EditorQueue } from './editorQueue.ts';
import type { FolderQueue } from './folderQueue.ts';

export interface StudyNeeds {
  queue: EditorQueue;
  folders: RunFolders;
  keys: HostKeys;
  /** The folder of built files. */
  dist: URL;
}

/** An item of the status bar for each study in the queue, and a word when it is over. */
export function watchStudies(queue: EditorQueue): vscode.Disposable {
  const items = new Map<string, vscode.StatusBarItem>();
  const known = new Map<string, QueueEntry['state']>();
  const update = (of: FolderQueue): void => {
    const { sight } = of;
    if (sight === null) return;
    const entries = sight.queue.filter(({ study }) => study !== null);
    for (const entry of entries) {
      const id = `${of.folder.root} ${entry.run}`;
      const before = known.get(id);
      known.set(id, entry.state);
      const changed = queue.studies.named(of.folder.root, entry.name);
      if (isOpen(entry)) show(items, id, entry, { progress: sight.live?.running[entry.run] ?? null, changed });
      else {
        items.get(id)?.dispose();
        items.delete(id);
        if (before === 'running' || before === 'waiting') void tellEnd(entry);
      }
    }
    for (const [id, item] of items) {
      if (!id.startsWith(`${of.folder.root} `) || entries.some(({ run }) => id.endsWith(` ${run}`))) continue;
      item.dispose();
      items.delete(id);
    }
  };
  const all = (): void => {
    for (const of of queue.folders) update(of);
  };
  return vscode.Disposable.from(queue.onDidSight(update), queue.studies.onDidChange(all), {
    dispose: () => {
      for (const item of items.values()) item.dispose();
    },
  });
}

interface Progress {
  epoch: number;
  epochs: number;
  secondsLeft: number | null;
}

function show(
  items: Map<string, vscode.StatusBarItem>,
  id: string,
  { name, study }: QueueEntry,
  { progress, changed }: { progress: Progress | null; changed: QueuedChange | null },
): void {
  const item = items.get(id) ?? vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, 9);
  items.set(id, item);
  item.name = vscode.l10n.t('GenEnv Study');
  const left = progress?.secondsLeft ?? null;
  const words = [
    name,
    progress === null ? vscode.l10n.t('queued') : vscode.l10n.t('{0}/{1} runs', progress.epoch, progress.epochs),
    ...(left === null ? [] : [vscode.l10n.t('about {0} left', aboutDuration(left))]),
    ...(changed === null ? [] : [vscode.l10n.t('changed since it was queued')]),
  ];
  item.text = `$(beaker) ${words.join(' · ')}`;
  const about = vscode.l10n.t('A study in the queue. Click for its results so far.');
  item.tooltip = changed === null ? about : `${changed.text}\n\n${about}`;
  item.accessibilityInformation = { label: vscode.l10n.t('Study {0}', words.join(', ')) };
  item.command = {
    command: 'genenv.openStudyResults',
    title: vscode.l10n.t('Open Study Results'),
    arguments: [vscode.Uri.file(study ?? '')],
  };
  item.show();
}

async function tellEnd({ name, study, state, why }: QueueEntry): Promise<void> {
  const file = vscode.Uri.file(study ?? '');
  const results = vscode.l10n.t('Open Results');
  const again = vscode.l10n.t('Run Study');
  const chosen =
    state === 'finished'
      ? await vscode.window.showInformationMessage(vscode.l10n.t('The study “{0}” is finished.', name), results)
      : state === 'failed'
        ? await vscode.window.showErrorMessage(
            vscode.l10n.t('The study “{0}” stopped: {1} Finished runs are kept.', name, inWords(why)),
            again,
            results,
          )
        : undefined;
  if (chosen === results) await vscode.commands.executeCommand('genenv.openStudyResults', file);
  if (chosen === again) await vscode.commands.executeCommand('genenv.runStudy', file);
}
