/** Where debugpy is, which Python is debugged by. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { shellCommand } from '../../shared/text/shellCommand.ts';

/** Nothing debugs Python here: neither the interpreter nor an extension brings debugpy. */
export class DebugpyMissing extends Error {
  override readonly name = 'DebugpyMissing';
  readonly reason: 'no-debugpy' | 'no-interpreter';
  /** The command that installs it. */
  readonly command: string;

  constructor(reason: DebugpyMissing['reason'], message: string, python: string) {
    super(message);
    this.reason = reason;
    this.command = shellCommand([python, '-m', 'pip', 'install', 'debugpy'], process.platform === 'win32');
  }
}

/** The debugger that a reward process needs. @param python a path or a name; @throws DebugpyMissing */
export async function findDebugpy(python: string): Promise<{ packages?: string }> {
  try {
    await promisify(execFile)(python, ['-c', 'import debugpy'], { timeout: 30_000 });
    return {};
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
      const text = vscode.l10n.t('The Python interpreter {0} cannot be started: {1}', python, error.message);
      throw new DebugpyMissing('no-interpreter', text, python);
    }
  }
  const debuggers = vscode.extensions.getExtension('ms-python.debugpy');
  const packages = debuggers === undefined ? null : join(debuggers.extensionPath, 'bundled', 'libs');
  if (packages !== null && existsSync(join(packages, 'debugpy'))) return { packages };
  const text = vscode.l10n.t('{0} has no debugpy, which Python is debugged by.', python);
  throw new DebugpyMissing('no-debugpy', text, python);
}

/** Shows the remedies as buttons. */
export async function tellMissing({ message, command }: DebugpyMissing): Promise<void> {
  const copy = vscode.l10n.t('Copy Install Command');
  const choose = vscode.l10n.t('Choose the Interpreter');
  const remedy = vscode.l10n.t('Install it, or name another interpreter in the setting genenv.python.');
  const chosen = await vscode.window.showErrorMessage(`${message} ${remedy}`, copy, choose);
  if (chosen === copy) await vscode.env.clipboard.writeText(command);
  if (chosen === choose) await vscode.commands.executeCommand('workbench.action.openSettings', 'genenv.python');
}
