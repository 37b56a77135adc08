/** Open Terminal with genenv: a terminal of the folder in whose path the extension's own command line is. */
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import { defined } from '../../../shared/defined.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { shellCommand } from '../../../shared/text/shellCommand.ts';
import { terminalEnvironment } from '../core/launchers.ts';
import { writeLaunchers } from '../node/writeLaunchers.ts';

export interface TerminalNeeds {
  folders: RunFolders;
  /** Of the extension, for files of its own. */
  storage: vscode.Uri;
  dist: URL;
  version: string;
}

/** @throws SteerError `untrusted`; a system error */
export async function openTerminal({ folders, storage, dist, version }: TerminalNeeds): Promise<vscode.Terminal> {
  requireTrust();
  const bin = join(storage.fsPath, 'bin');
  await writeLaunchers(bin, process.platform);
  const file = fileURLToPath(new URL('genenv.cjs', dist));
  const [first] = folders.all;
  const cwd = first?.workspace.uri ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const lines = [vscode.l10n.t('genenv {0}, as the extension brings it. “genenv --help” lists its commands.', version)];
  if (first !== undefined) {
    const root = relative(first.workspace.uri.fsPath, first.root);
    const words = shellCommand(['--root', root], process.platform === 'win32');
    if (root !== join('.genenv', 'runs')) lines.push(vscode.l10n.t('The runs of this folder: genenv … {0}', words));
  }
  const terminal = vscode.window.createTerminal({
    name: 'genenv',
    ...defined({ cwd }),
    env: terminalEnvironment({ program: process.execPath, file, folder: bin }, process.env, delimiter),
    iconPath: new vscode.ThemeIcon('terminal'),
    message: lines.join('\r\n'),
  });
  terminal.show();
  return terminal;
}
