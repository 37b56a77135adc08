/** The evaluations of the open workspace: their folders, and which of them run in this window. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { watchFiles } from '../../../host/files/watchFiles.ts';
import { readsOutside } from '../../../host/files/readsOutside.ts';
import type { Clock, Progress } from '../../../engine/ports.ts';
import type { Evaluation } from '../node/evaluate.ts';
import type { EvaluationHead } from '../node/evaluations.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import type { EvaluationRequest } from '../../../shared/records/evaluation.ts';
import { runLog } from '../../../host/feedback/log.ts';
import { contextKeys } from '../../../host/runs/contextKeys.ts';
import { SteerError } from '../../../host/runs/steerError.ts';
import { inReadersLanguage } from '../../../launch/language.ts';

export interface EvaluationsNeeds {
  log: vscode.LogOutputChannel;
  clock: Clock;
  dist: URL;
  keys: Keys;
}

/** The state of one that runs here. */
export interface Told {
  folder: string;
  progress: Progress;
}

const pattern = '**/.genenv/evaluations/*/manifest.json';

export class Evaluations implements vscode.Disposable {
  readonly #needs: EvaluationsNeeds;
  readonly #running = new Map<string, AbortController>();
  readonly #changed = new vscode.EventEmitter<string | null>();
  readonly #told = new vscode.EventEmitter<Told>();
  readonly #setContext = contextKeys();
  readonly #subscriptions: vscode.Disposable;
  /** Of a folder, or null: of any. */
  readonly onDidChange = this.#changed.event;
  readonly onDidProgress = this.#told.event;

  constructor(needs: EvaluationsNeeds) {
    this.#needs = needs;
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      this.#told,
      this.onDidChange(() => void this.#count()),
      watchFiles(pattern, () => this.#changed.fire(null)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#changed.fire(null)),
    );
    void this.#count();
  }

  isRunning(folder: string): boolean {
    return this.#running.has(folder);
  }

  /** The newest first, over all folders of the workspace. @throws RunError */
  async list(): Promise<EvaluationHead[]> {
    const { listEvaluations } = await import('../node/evaluations.ts');
    const lists = await Promise.all(roots().map((root) => listEvaluations(root)));
    return lists.flat().toSorted((a, b) => b.manifest.begun - a.manifest.begun);
  }

  /** Recorded answers are kept. */
  stop(folder: string): void {
    this.#running.get(folder)?.abort(new Error('Stopped.'));
  }

  /**
   * Requests the missing attempts. Resolves with null when it was stopped.
   * @param into the folder to resume; a new one when absent
   * @param begun called once its folder exists
   * @throws EvaluationError, DataError, InputError, RunError, and the endpoint's own errors
   */
  async evaluate(
    request: EvaluationRequest,
    ending: AbortController,
    begun: (folder: string) => void,
    into?: string,
  ): Promise<Evaluation | null> {
    const { dist, clock, keys, log } = this.#needs;
    const [root] = roots();
    if (root === undefined) {
      throw new SteerError('no-folder', vscode.l10n.t('No folder is open to keep evaluations in.'), {
        remedy: vscode.l10n.t('Open a folder, then start again.'),
      });
    }
    const [{ evaluate }, { openRequest }] = await Promise.all([
      import('../node/evaluate.ts'),
      import('../node/openRequest.ts'),
    ]);
    const tools = { dist, clock, keys, log: runLog(log), signal: ending.signal };
    const opened = await openRequest(request, tools);
    const at: { folder: string | null } = { folder: null };
    try {
      return await evaluate(
        {
          ...opened.ask,
          outside: readsOutside(vscode.Uri.file(request.adapter)),
          folderOf: (name) => into ?? join(root, name),
        },
        {
          ...tools,
          onBegun: inReadersLanguage((folder) => {
            at.folder = folder;
            this.#running.set(folder, ending);
            this.#changed.fire(folder);
            begun(folder);
          }),
          onProgress: inReadersLanguage((progress) => {
            if (at.folder !== null) this.#told.fire({ folder: at.folder, progress });
          }),
        },
      );
    } catch (error) {
      if (ending.signal.aborted) return null;
      throw error;
    } finally {
      await opened.close();
      if (at.folder !== null) {
        this.#running.delete(at.folder);
        this.#changed.fire(at.folder);
      }
    }
  }

  /** For `when` clauses. Only names are read, and an evaluation that was not begun may count. */
  async #count(): Promise<void> {
    const names = await Promise.all(roots().map((root) => readdir(root).catch(() => [])));
    const evaluations = names.flat().filter((name) => !name.startsWith('.')).length;
    this.#setContext('hasEvaluations', evaluations > 0);
    this.#setContext('hasSeveralEvaluations', evaluations > 1);
  }

  dispose(): void {
    for (const ending of this.#running.values()) ending.abort(new Error('The window was closed.'));
    this.#subscriptions.dispose();
  }
}

const roots = (): string[] =>
  (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => join(uri.fsPath, '.genenv', 'evaluations'));
