import * as vscode from 'vscode';
import { pythonInUse } from '../../../launch/domains/pythonInUse.ts';

/**
 * Passes the setting `genenv.python` to all judging in this window, runs included, through the environment variable
 * GENENV_PYTHON, which stays unchanged without the setting. Without either, the Python extension's interpreter is used,
 * once a Python file has been judged.
 */
export class ChosenPython implements vscode.Disposable {
  readonly #before = process.env['GENENV_PYTHON'];
  readonly #subscription: vscode.Disposable;
  #active: string | null = null;

  constructor() {
    this.#carry();
    this.#subscription = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('genenv.python')) this.#carry();
    });
  }

  /** The current interpreter of a user's Python, a path or a name; starts the Python extension where it decides. */
  async ask(): Promise<string> {
    const extension = vscode.extensions.getExtension<unknown>('ms-python.python');
    if (extension !== undefined && setting() === '' && this.#before === undefined) {
      const { activeInterpreter } = await import('./activeInterpreter.ts');
      this.#active = await activeInterpreter(await extension.activate());
      this.#carry();
    }
    return pythonInUse();
  }

  dispose(): void {
    this.#subscription.dispose();
    give(this.#before);
  }

  #carry(): void {
    const set = setting();
    give(set === '' ? (this.#before ?? this.#active ?? undefined) : set);
  }
}

const setting = (): string => vscode.workspace.getConfiguration('genenv').get('python', '').trim();

function give(chosen: string | undefined): void {
  if (chosen === undefined) delete process.env['GENENV_PYTHON'];
  else process.env['GENENV_PYTHON'] = chosen;
}
