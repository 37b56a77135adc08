/** Studies in the queue: run from the palette, from the file's title and lens; progress in the status bar. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { inWords } from '../../../shared/journal/recordedWords.ts';
import { studyInFront, studyPattern } from '../../../host/files/studyFiles.ts';
import { saveChanges } from '../../../host/files/saveChanges.ts';
import { savedStudy } from '../../../host/files/studyBase.ts';
import { author } from '../../../launch/author.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import { aboutDuration } from '../../../shared/text/figures/durations.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { OpenStudy } from '../../study/node/openStudy.ts';
import type { StudyWorkload } from '../../study/core/workload.ts';
import { append } from '../../../shared/append.ts';
import { defaultRetries, type Grant } from '../contract.ts';
import { isOpen, type QueueEntry } from '../core/queue.ts';
import type { EditorQueue } from './editorQueue.ts';
import type { FolderQueue } from './folderQueue.ts';
import { grantsAsked } from './hostGrants.ts';

export interface StudyNeeds {
  queue: EditorQueue;
  folders: RunFolders;
  keys: HostKeys;
  /** The folder of built files. */
  dist: URL;
}

/** Undefined when no study was picked, or the person decided against it. @throws InputError, RunnerError, SteerError */
export async function runStudyHere(needs: StudyNeeds, argument: unknown): Promise<void> {
  requireTrust();
  const picked = argument instanceof vscode.Uri ? argument : await pickStudy();
  const file = picked === undefined ? undefined : await savedStudy(picked);
  if (file === undefined) return;
  await saveChanges(file);
  const [
    { openStudy, checkMembers },
    { checkArms },
    { studyWorkload },
    { measuredSoFar },
    { workOfStudy, studyEntry },
  ] = await Promise.all([
    import('../../study/node/openStudy.ts'),
    import('../../study/node/checkArms.ts'),
    import('../../study/core/workload.ts'),
    import('../../study/node/loadResults.ts'),
    import('../node/enqueue.ts'),
  ]);
  const folder = needs.folders.of(file);
  const study = await openStudy(dirname(file.fsPath), file.fsPath);
  await checkMembers(study, await folder.store());
  const queue = needs.queue.at(folder);
  await queue.look();
  const name = study.study.name;
  const there = queue.sight?.queue.find(({ run }) => run === studyEntry(file.fsPath));
  if (there !== undefined && isOpen(there) && queue.sight?.holder != null) {
    void vscode.window.showInformationMessage(vscode.l10n.t('“{0}” is in the queue already.', name));
    return;
  }
  const said: string[] = [];
  await checkArms(study, needs.dist, { warn: (line) => said.push(line) });
  const start = vscode.l10n.t('Start Study');
  const results = vscode.l10n.t('Open Results');
  const work = workloadText(study, studyWorkload(study.plan, measuredSoFar(study), null));
  const text = [work, ...said].join(' ');
  const chosen = await vscode.window.showInformationMessage(text, start, results);
  if (chosen === results) await vscode.commands.executeCommand('genenv.openStudyResults', file);
  if (chosen !== start) return;
  const grants: Grant[] = [];
  const { byServers } = await import('../node/grants.ts');
  for (const experiment of byServers(study.plan.members)) append(grants, await grantsAsked(experiment, needs.keys));
  if (queue.sight?.holder != null) await queue.run(grants);
  const asked = { priority: 0, after: [], retries: defaultRetries, author: author() };
  await queue.add([workOfStudy(file.fsPath, name, asked)]);
  if (queue.sight?.held !== true) await queue.run(grants);
}

/** The work ahead, and why it may show nothing. */
function workloadText({ study, folder, plan, file }: OpenStudy, work: StudyWorkload): string {
  const done = [...folder.members.values()].filter(({ finished }) => finished !== null).length;
  const parts = [
    vscode.l10n.t('{0} arms × {1} seeds = {2} runs', count(work.arms), count(work.seeds), count(work.runs)),
    ...(done === 0 ? [] : [vscode.l10n.t('{0} of them finished', count(done))]),
    ...(work.rollouts === null ? [] : [vscode.l10n.t('{0} rollouts', count(work.rollouts))]),
    ...(work.tokens === null
      ? []
      : work.basis === 'limits'
        ? [vscode.l10n.t('at most {0} tokens', count(work.tokens))]
        : [vscode.l10n.t('{0} tokens', count(work.tokens))]),
    work.hoursLeft === null
      ? vscode.l10n.t('how long it takes is known after the first run')
      : vscode.l10n.t('about {0} left', aboutDuration(work.hoursLeft * 3600)),
  ];
  // Warnings of the base are shown where it is edited.
  const own = plan.warnings.filter((warning) => warning.file === file);
  const doubts = own.flatMap(({ message, remedy }) => [message, remedy]);
  return [vscode.l10n.t('“{0}”: {1}.', study.name, parts.join(', ')), ...doubts].join(' ');
}

async function pickStudy(): Promise<vscode.Uri | undefined> {
  const active = studyInFront();
  if (active !== undefined) return active;
  const files = await vscode.workspace.findFiles(studyPattern, '**/node_modules/**', 200);
  if (files.length === 0) {
    const make = vscode.l10n.t('New Study');
    const text = vscode.l10n.t('There is no study yet: studies are files named *.study.json.');
    if ((await vscode.window.showInformationMessage(text, make)) === make) {
      await vscode.commands.executeCommand('genenv.newStudy');
    }
    return undefined;
  }
  const items = files.map((uri) => ({
    label: basename(uri.path),
    description: vscode.workspace.asRelativePath(uri),
    uri,
  }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which study to run?') }))?.uri;
}

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
      if (isOpen(entry)) show(items, id, entry, sight.live?.running[entry.run] ?? null);
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
  return vscode.Disposable.from(queue.onDidSight(update), {
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
  progress: Progress | null,
): void {
  const item = items.get(id) ?? vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, 9);
  items.set(id, item);
  item.name = vscode.l10n.t('GenEnv Study');
  const left = progress?.secondsLeft ?? null;
  const words = [
    name,
    progress === null ? vscode.l10n.t('queued') : vscode.l10n.t('{0}/{1} runs', progress.epoch, progress.epochs),
    ...(left === null ? [] : [vscode.l10n.t('about {0} left', aboutDuration(left))]),
  ];
  item.text = `$(beaker) ${words.join(' · ')}`;
  item.tooltip = vscode.l10n.t('A study in the queue. Click for its results so far.');
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
