/** The server of each folder, as the editor starts it for its own agents. */
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import type { RunFolders } from '../../../host/runs/runFolders.ts';

/** A setting of the machine: no workspace has a say in it. */
export const mayStart = (): boolean => vscode.workspace.getConfiguration('genenv').get('agents.mayStart', false);

export class ServerDefinitions
  implements vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition>, vscode.Disposable
{
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly onDidChangeMcpServerDefinitions = this.#changed.event;
  readonly #folders: RunFolders;
  readonly #dist: URL;
  readonly #version: string;

  constructor({ folders, dist, version }: { folders: RunFolders; dist: URL; version: string }) {
    this.#folders = folders;
    this.#dist = dist;
    this.#version = version;
    this.#subscriptions = [
      this.#changed,
      // Granted trust is a change of theirs, too.
      folders.onDidChange(() => this.#changed.fire()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('genenv.agents.mayStart')) this.#changed.fire();
      }),
    ];
  }

  provideMcpServerDefinitions(): vscode.McpStdioServerDefinition[] {
    const { all } = this.#folders;
    const flags = !vscode.workspace.isTrusted ? ['--read-only'] : mayStart() ? ['--may-start'] : [];
    return all.map(({ workspace, root }) => {
      const program = fileURLToPath(new URL('agents.cjs', this.#dist));
      const words = [program, workspace.uri.fsPath, root, fileURLToPath(this.#dist), this.#version, ...flags];
      const label =
        all.length === 1 ? vscode.l10n.t('GenEnv runs') : vscode.l10n.t('GenEnv runs of {0}', workspace.name);
      // VS Code's own program runs as Node with this variable.
      const env = { ELECTRON_RUN_AS_NODE: '1', GENENV_LINKS: vscode.env.uriScheme, GENENV_CLIENT: vscode.env.appName };
      // Another version has the editor ask for the tools again.
      return new vscode.McpStdioServerDefinition(
        label,
        process.execPath,
        words,
        env,
        [this.#version, ...flags].join(''),
      );
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}
