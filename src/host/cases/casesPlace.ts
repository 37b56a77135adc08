/** Where files of cases are looked for. */
import * as vscode from 'vscode';

const elsewhere = '**/{node_modules,.genenv,.git}/**';
const most = 500;

export const isWorked = ({ scheme, path }: vscode.Uri): boolean =>
  scheme === 'file' && !/\/(?:node_modules|\.genenv|\.git)\//.test(path);

/** Files of cases in the workspace. */
export const findWorked = (pattern: string): Thenable<vscode.Uri[]> =>
  vscode.workspace.findFiles(pattern, elsewhere, most);
