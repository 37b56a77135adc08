/** The folders of the open workspace's runs: one store for each workspace folder. */
import { basename, dirname, resolve } from 'node:path';
import * as vscode from 'vscode';
import type { Clock, Log } from '../../engine/ports.ts';
import { RunError } from '../../runs/store/runError.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import type { RunStore } from '../../runs/store/runStore.ts';
import type { RunDir } from './runs.ts';
import { SteerError } from './steerError.ts';

/** One folder of the workspace and the runs kept for it. */
export interface RunFolder {
  workspace: vscode.WorkspaceFolder;
  /** Absolute path of the folder that contains the runs. */
  root: string;
  /** The code that reads and writes runs is loaded with the first call, not with the editor. */
  store: () => Promise<RunStore>;
}

/** The dependencies of stores. */
export interface StoreNeeds {
  clock: Clock;
  log: Log;
  version: string;
}

export class RunFolders implements vscode.Disposable {
  readonly #needs: StoreNeeds;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: { dispose(): unknown }[];
  #all: readonly RunFolder[] = [];

  readonly onDidChange = this.#changed.event;

  constructor(needs: StoreNeeds) {
    this.#needs = needs;
    this.#all = this.#read();
    const again = (): void => {
      this.#all = this.#read();
      this.#changed.fire();
    };
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.onDidChangeWorkspaceFolders(again),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('genenv.runsFolder')) again();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(again),
    ];
  }

  get all(): readonly RunFolder[] {
    return this.#all;
  }

  /** The store for a file's runs: of its workspace folder, else of the first. @throws SteerError `no-folder` */
  of(file: vscode.Uri): RunFolder {
    const workspace = vscode.workspace.getWorkspaceFolder(file);
    const folder = this.#all.find((one) => one.workspace.uri.toString() === workspace?.uri.toString()) ?? this.#all[0];
    if (folder !== undefined) return folder;
    throw new SteerError('no-folder', vscode.l10n.t('No folder is open to keep runs in.'), {
      remedy: vscode.l10n.t('Open a folder, then start again.'),
    });
  }

  /** The store that holds a run, and the run's id in it. @throws RunError `not-found` */
  async locate(dir: RunDir): Promise<{ store: RunStore; id: string }> {
    return { store: await this.keeping(dir).store(), id: basename(dir) };
  }

  /** Opens a run, and closes it after the work. @throws RunError */
  async reading<T>(dir: RunDir, work: (reader: RunReader) => Promise<T>): Promise<T> {
    const { store, id } = await this.locate(dir);
    const reader = await store.openReader(id);
    try {
      return await work(reader);
    } finally {
      await reader.close();
    }
  }

  /** The folder that a run is kept for. @throws RunError `not-found` */
  keeping(dir: RunDir): RunFolder {
    const folder = this.#all.find(({ root }) => root === dirname(dir));
    if (folder !== undefined) return folder;
    throw new RunError('not-found', {
      path: dir,
      what: vscode.l10n.t('this run lies in no folder of the workspace'),
      remedy: vscode.l10n.t('Open its folder, or set "genenv.runsFolder" to its location.'),
    });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #read(): RunFolder[] {
    const roots = new Map<string, RunFolder>();
    for (const workspace of vscode.workspace.workspaceFolders ?? []) {
      if (workspace.uri.scheme !== 'file') continue;
      const setting = vscode.workspace.getConfiguration('genenv', workspace.uri).get<string>('runsFolder', '');
      const root = resolve(workspace.uri.fsPath, setting === '' ? '.genenv/runs' : setting);
      if (roots.has(root)) continue;
      const known = this.#all.find((folder) => folder.root === root);
      roots.set(root, { workspace, root, store: known?.store ?? (() => this.#open(root)) });
    }
    return [...roots.values()];
  }

  async #open(root: string): Promise<RunStore> {
    const { RunStore } = await import('../../runs/store/runStore.ts');
    return new RunStore(root, this.#needs);
  }
}
