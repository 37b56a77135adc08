/** Where cases of rewards lie, and the rewards that each file of cases is of. */
import * as vscode from 'vscode';
import { casesFile } from '../../../../shared/rewards/cases.ts';

export const casesPattern = '**/*.reward.cases.jsonl';
const elsewhere = '**/{node_modules,.genenv,.git}/**';
const most = 500;

export const isCases = ({ scheme, path }: vscode.Uri): boolean =>
  scheme === 'file' && path.endsWith('.reward.cases.jsonl') && !/\/(?:node_modules|\.genenv|\.git)\//.test(path);

/** Files of cases in the workspace. */
export const findCases = (): Thenable<vscode.Uri[]> => vscode.workspace.findFiles(casesPattern, elsewhere, most);

/** Beside the reward. */
export const casesOf = (reward: vscode.Uri): vscode.Uri => reward.with({ path: casesFile(reward.path) });

/** That there may be: one a language. */
export const rewardsOf = (cases: vscode.Uri): vscode.Uri[] =>
  ['ts', 'js', 'py'].map((ending) => cases.with({ path: cases.path.replace(/\.cases\.jsonl$/, `.${ending}`) }));
