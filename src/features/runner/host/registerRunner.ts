/** The queue in the editor: its commands, its item in the status bar, and the offer of a key that its runner lacks. */
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { Failures } from '../../../host/feedback/failures.ts';
import { contextKeys } from '../../../host/runs/contextKeys.ts';
import type { RunCatalog, RunDir } from '../../../host/runs/runs.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import { keyWord } from '../../../host/trees/runs/queueWords.ts';
import { experimentPattern } from '../../../host/files/experimentFiles.ts';
import { studyPattern } from '../../../host/files/studyFiles.ts';
import type { QueuedChange } from '../../../host/runs/queuedStudies.ts';
import type { EditorQueue } from './editorQueue.ts';
import type { FolderQueue } from './folderQueue.ts';
import type { QueuedRow } from './queuedRow.ts';
import { watchStudies } from './studies.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export interface RunnerNeeds {
  queue: EditorQueue;
  catalog: RunCatalog;
  keys: HostKeys;
  failures: Failures;
  folders: RunFolders;
  /** The folder of built files. */
  dist: URL;
}

export function registerRunner({ subscriptions }: vscode.ExtensionContext, needs: RunnerNeeds): void {
  const { queue, failures } = needs;
  const command = (name: string, failed: () => string, work: (argument: unknown) => Promise<void>) =>
    registerCommand(`genenv.${name}`, (argument: unknown) =>
      failures.guard(failed(), async () => {
        requireTrust();
        await work(argument);
      }),
    );
  const asked = () => vscode.l10n.t('The queue was not changed');
  const about = (name: string, act: (row: QueuedRow) => Promise<void>) =>
    command(name, asked, async (argument) => {
      const { pickQueued, queuedRow } = await import('./queuedRow.ts');
      const row = queuedRow(queue, argument) ?? (await pickQueued(needs));
      if (row !== undefined) await act(row);
    });
  subscriptions.push(
    statusBar(needs),
    keyOffers(needs),
    queue.onDidFail((error) => void failures.tell(vscode.l10n.t('The queue was not resumed'), error)),
    about('moveUpInQueue', ({ of, run }) => of.move(run, 'up')),
    about('moveDownInQueue', ({ of, run }) => of.move(run, 'down')),
    about('removeFromQueue', ({ of, run }) => of.ask({ type: 'remove', run })),
    about('retryQueued', async ({ of, run }) => {
      await of.ask({ type: 'retry', run });
      await queue.begin(of);
    }),
    about('giveKey', ({ of, run }) => giveKey(needs, join(of.folder.root, run))),
    command('pauseQueue', asked, async () => {
      for (const of of withWork(queue)) await of.ask({ type: 'hold' });
    }),
    command('resumeQueue', asked, async () => {
      for (const of of withWork(queue)) {
        if (of.sight?.held === true) await of.ask({ type: 'release' });
        await queue.begin(of);
      }
    }),
    watchStudies(queue),
    vscode.languages.registerCodeLensProvider({ pattern: studyPattern }, { provideCodeLenses: studyLens }),
    vscode.languages.registerCodeLensProvider([{ pattern: studyPattern }, { pattern: experimentPattern }], {
      onDidChangeCodeLenses: queue.studies.onDidChange,
      provideCodeLenses: ({ uri }) => changeLens(queue.studies.of(uri.fsPath)),
    }),
    registerCommand('genenv.runStudy', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The study was not started'), async () => {
        const { runStudyHere } = await import('./runStudyHere.ts');
        await runStudyHere(needs, argument);
      }),
    ),
    registerCommand('genenv.pauseStudy', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The study was not paused'), async () => {
        const { pauseStudyHere } = await import('./pauseStudyHere.ts');
        await pauseStudyHere(needs, argument);
      }),
    ),
    registerCommand('genenv.showRunnerLog', () =>
      failures.guard(vscode.l10n.t('The runner’s log was not opened'), () => showLog(queue)),
    ),
  );
}

function studyLens({ uri }: vscode.TextDocument): vscode.CodeLens[] {
  const title = `$(run-all) ${vscode.l10n.t('Run Study')}`;
  return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: 'genenv.runStudy', arguments: [uri] })];
}

/** The study in the queue that this file belongs to is not as its files are. */
function changeLens(change: QueuedChange | null): vscode.CodeLens[] {
  if (change === null) return [];
  const [title, command] = [`$(warning) ${change.text}`, change.waits ? 'genenv.runStudy' : ''];
  const target = [vscode.Uri.file(change.file)];
  return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: target })];
}

const withWork = (queue: EditorQueue): FolderQueue[] =>
  queue.folders.filter(({ sight }) => sight?.queue.some(({ state }) => state === 'waiting' || state === 'running'));

/** Asks for the missing key, and passes it to the runner. */
async function giveKey({ queue, catalog }: RunnerNeeds, dir: RunDir): Promise<void> {
  const followed = await catalog.watch(dir);
  try {
    await queue.add(dir, followed.manifest);
  } finally {
    followed.dispose();
  }
}

function keyOffers({ queue, catalog }: RunnerNeeds): vscode.Disposable {
  const offered = new Set<RunDir>();
  const offer = async (dir: RunDir, lacks: string | null): Promise<void> => {
    const name = catalog.get(dir)?.head.name ?? basename(dir);
    const give = vscode.l10n.t('Give Key…');
    const text = vscode.l10n.t('“{0}” waits in the queue: it {1}.', name, keyWord(lacks));
    const chosen = await vscode.window.showWarningMessage(text, give);
    if (chosen === give) await vscode.commands.executeCommand('genenv.giveKey', { run: dir });
  };
  return queue.onDidChangePlaces((dirs) => {
    if (!vscode.workspace.isTrusted) return;
    for (const dir of dirs) {
      const wait = queue.place(dir)?.wait;
      const lacks = wait?.kind === 'delay' && wait.delay === 'key';
      if (!lacks) offered.delete(dir);
      else if (!offered.has(dir)) {
        offered.add(dir);
        void offer(dir, wait.lacks);
      }
    }
  });
}

/** The numbers of running and waiting entries, and the context keys of menus. */
function statusBar({ queue }: RunnerNeeds): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('genenv.queue', vscode.StatusBarAlignment.Left, 9);
  item.name = vscode.l10n.t('GenEnv Queue');
  item.command = { command: 'genenv.runs.focus', title: vscode.l10n.t('Show Runs') };
  const set = contextKeys();
  const update = (): void => {
    const sights = queue.folders.flatMap(({ sight }) => (sight === null ? [] : [sight]));
    const entries = sights.flatMap((sight) => sight.queue);
    const [running, waiting] = ['running', 'waiting'].map(
      (state) => entries.filter((one) => one.state === state).length,
    );
    const [going = 0, queued = 0] = [running, waiting];
    const held = sights.some((sight) => sight.held && sight.queue.some(({ state }) => state === 'waiting'));
    const idle = sights.some(({ holder, queue: of }) => holder === null && of.some(({ state }) => state === 'waiting'));
    const needy = entries.filter((one) => one.state === 'waiting' && one.delayed?.delay === 'key').length;
    set('queueHasWork', going + queued > 0);
    set('queueHasWaiting', queued > 0);
    set('queueRests', held || idle);
    if (queued === 0) {
      item.hide();
      return;
    }
    const words = [
      vscode.l10n.t('{0} running', going),
      vscode.l10n.t('{0} queued', queued),
      ...(needy > 0 ? [vscode.l10n.t('{0} without a key', needy)] : []),
      ...(held ? [vscode.l10n.t('queue paused')] : idle ? [vscode.l10n.t('no runner works')] : []),
    ];
    item.text = `$(${needy > 0 ? 'key' : held ? 'debug-pause' : 'clock'}) ${words.join(' · ')}`;
    item.tooltip = vscode.l10n.t('Runs in the queue. Click to see them.');
    item.accessibilityInformation = { label: vscode.l10n.t('GenEnv queue: {0}', words.join(', ')) };
    item.show();
  };
  return vscode.Disposable.from(item, queue.onDidSight(update));
}

async function showLog(queue: EditorQueue): Promise<void> {
  const { runnerPaths } = await import('../node/runnerFiles.ts');
  const [first] = queue.folders.filter(({ sight }) => sight !== null);
  if (first === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No runner has worked here yet. One begins with the first run that goes into the queue.'),
    );
    return;
  }
  await vscode.window.showTextDocument(vscode.Uri.file(runnerPaths(first.folder.root).log));
}
