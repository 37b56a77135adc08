/** Which files are experiments, and those of the workspace. */
import * as vscode from 'vscode';

export const experimentPattern = '**/*.genenv.json';
/** The custom editor of experiments, as the manifest names it. */
export const formViewType = 'genenv.experiment';
const elsewhere = '**/{node_modules,.genenv}/**';

/** More than these are looked at only when they are opened. */
const most = 500;

export const isExperiment = ({ path }: vscode.Uri): boolean => path.endsWith('.genenv.json');

export const findExperiments = (): Thenable<vscode.Uri[]> =>
  vscode.workspace.findFiles(experimentPattern, elsewhere, most);
