/** The endpoints of the workspace's experiment files, kept up to date. Read when first shown. */
import * as vscode from 'vscode';
import { experimentPattern, findExperiments } from '../../../host/files/experimentFiles.ts';
import type { User } from '../../../host/servers/usedEndpoints.ts';

export class ExperimentEndpoints implements vscode.Disposable {
  readonly #users = new Map<string, User>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: { dispose(): unknown }[] = [this.#changed];
  #reading: Promise<void> | null = null;

  /** A file came, went or names other endpoints. */
  readonly onDidChange = this.#changed.event;

  get users(): readonly User[] {
    return [...this.#users.values()];
  }

  /** Resolves when every file was read once. */
  ready(): Promise<void> {
    this.#reading ??= this.#begin();
    return this.#reading;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #begin(): Promise<void> {
    const watcher = vscode.workspace.createFileSystemWatcher(experimentPattern);
    const again = (uri: vscode.Uri): void => void this.#read(uri).then(() => this.#changed.fire());
    this.#subscriptions.push(
      watcher,
      watcher.onDidCreate(again),
      watcher.onDidChange(again),
      watcher.onDidDelete((uri) => {
        if (this.#users.delete(uri.toString())) this.#changed.fire();
      }),
    );
    const files = await findExperiments();
    await Promise.all(files.map((uri) => this.#read(uri)));
  }

  /** A file that cannot be used has its problems in their own panel, and no endpoints. */
  async #read(uri: vscode.Uri): Promise<void> {
    const id = uri.toString();
    this.#users.delete(id);
    const { parseExperiment } = await import('../../../shared/experiment/parse.ts');
    try {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const parsed = parseExperiment(text, uri.fsPath);
      if ('experiment' in parsed) this.#users.set(id, { kind: 'file', id, endpoints: parsed.experiment.endpoints });
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError)) throw error;
    }
  }
}
