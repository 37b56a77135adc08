/** The endpoints of the workspace's experiment files, kept up to date. Read when first shown. */
import * as vscode from 'vscode';
import { savedText } from '../../../host/currentText.ts';
import { experimentPattern, findExperiments } from '../../../host/files/experimentFiles.ts';
import { watchFiles } from '../../../host/files/watchFiles.ts';
import type { User } from '../../../host/servers/usedEndpoints.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { InTurn } from '../../../shared/inTurn.ts';

export class ExperimentEndpoints implements vscode.Disposable {
  #users: readonly User[] = [];
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: { dispose(): unknown }[] = [this.#changed];
  /** Two readings at once could leave the older one's result. */
  readonly #inTurn = new InTurn();
  #reading: Promise<void> | null = null;

  /** A file came, went or names other endpoints. */
  readonly onDidChange = this.#changed.event;

  get users(): readonly User[] {
    return this.#users;
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
    const read = (): Promise<void> => this.#inTurn.run(() => this.#read());
    this.#subscriptions.push(watchFiles(experimentPattern, () => void read()));
    await read();
  }

  async #read(): Promise<void> {
    const found = await Promise.all((await findExperiments()).map(userOf));
    const users = found.filter((user) => user !== null);
    if (JSON.stringify(users) === JSON.stringify(this.#users)) return;
    this.#users = users;
    this.#changed.fire();
  }
}

/** Null for a file that cannot be used: it has its problems in their own panel, and no endpoints. */
async function userOf(uri: vscode.Uri): Promise<User | null> {
  const { parseExperiment } = await import('../../../shared/experiment/parse.ts');
  try {
    const parsed = parseExperiment(await savedText(uri), uri.fsPath);
    return 'experiment' in parsed ? { kind: 'file', id: uri.toString(), endpoints: parsed.experiment.endpoints } : null;
  } catch (error) {
    if (error instanceof vscode.FileSystemError || error instanceof InputError) return null;
    throw error;
  }
}
