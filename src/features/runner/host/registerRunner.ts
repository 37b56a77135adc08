/** The queue in the editor: its commands, its item in the status bar, and the offer of a key that its runner lacks. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Failures } from '../../../host/feedback/failures.ts';
import { contextKeys } from '../../../host/runs/contextKeys.ts';
import type { RunCatalog, RunDir } from '../../../host/runs/runs.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import { keyWord } from '../../../host/trees/runs/queueWords.ts';
import { runTargetSchema } from '../../../host/trees/target.ts';
import type { EditorQueue } from './editorQueue.ts';
import type { FolderQueue } from './folderQueue.ts';
import { pauseStudyHere, runStudyHere, watchStudies } from './studies.ts';

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
    vscode.commands.registerCommand(`genenv.${name}`, (argument: unknown) =>
      failures.guard(failed(), async () => {
        requireTrust();
        await work(argument);
      }),
    );
  const asked = () => vscode.l10n.t('The queue was not changed');
  const about = (name: string, act: (of: FolderQueue, run: string, dir: RunDir) => Promise<void>) =>
    command(name, asked, async (argument) => {
      const dir = await pickQueued(needs, argument);
      if (dir !== undefined) await act(queue.of(dir), basename(dir), dir);
    });
  subscriptions.push(
    statusBar(needs),
    keyOffers(needs),
    queue.onDidFail((error) => void failures.tell(vscode.l10n.t('The queue was not resumed'), error)),
    about('moveUpInQueue', (of, run) => of.move(run, 'up')),
    about('moveDownInQueue', (of, run) => of.move(run, 'down')),
    about('removeFromQueue', (of, run) => of.ask({ type: 'remove', run })),
    about('retryQueued', async (of, run) => {
      await of.ask({ type: 'retry', run });
      await queue.begin(of);
    }),
    about('giveKey', (_of, _run, dir) => giveKey(needs, dir)),
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
    vscode.languages.registerCodeLensProvider({ pattern: '**/*.study.json' }, { provideCodeLenses: studyLens }),
    vscode.commands.registerCommand('genenv.runStudy', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The study was not started'), () => runStudyHere(needs, argument)),
    ),
    vscode.commands.registerCommand('genenv.pauseStudy', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The study was not paused'), () => pauseStudyHere(needs, argument)),
    ),
    vscode.commands.registerCommand('genenv.showRunnerLog', () =>
      failures.guard(vscode.l10n.t('The runner’s log was not opened'), () => showLog(queue)),
    ),
  );
}

function studyLens({ uri }: vscode.TextDocument): vscode.CodeLens[] {
  const title = `$(run-all) ${vscode.l10n.t('Run Study')}`;
  return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: 'genenv.runStudy', arguments: [uri] })];
}

const withWork = (queue: EditorQueue): FolderQueue[] =>
  queue.folders.filter(({ sight }) => sight?.queue.some(({ state }) => state === 'waiting' || state === 'running'));

/** The row that a command was called on, else one that a person picks; undefined where there is none. */
async function pickQueued({ queue, catalog }: RunnerNeeds, argument: unknown): Promise<RunDir | undefined> {
  const given = runTargetSchema.safeParse(argument).data?.run;
  if (given !== undefined) return given;
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
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which run of the queue?') }))?.dir;
}

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
