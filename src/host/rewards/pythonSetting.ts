import * as vscode from 'vscode';

/**
 * Hands the setting `genenv.python` to whatever judges in this window, runs included: they all read the environment
 * variable GENENV_PYTHON, which stays as it was where nothing is set.
 */
export function carryPython(): vscode.Disposable {
  const before = process.env['GENENV_PYTHON'];
  const give = (python: string | undefined): void => {
    if (python === undefined) delete process.env['GENENV_PYTHON'];
    else process.env['GENENV_PYTHON'] = python;
  };
  const carry = (): void => {
    const set = vscode.workspace.getConfiguration('genenv').get('python', '').trim();
    give(set === '' ? before : set);
  };
  carry();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('genenv.python')) carry();
    }),
    new vscode.Disposable(() => give(before)),
  );
}
