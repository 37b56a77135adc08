/** The case files of rewards, and the rewards that each belongs to. */
import type * as vscode from 'vscode';
import { caseName, casesFile, identified, readCases, type CaseLine } from '../../../../shared/rewards/cases.ts';
import type { CaseKind } from '../../../../host/cases/caseItems.ts';
import { isWorked } from '../../../../host/cases/casesPlace.ts';
import { rewardPattern } from '../../../../host/files/rewardFiles.ts';

export const casesPattern = '**/*.reward.cases.jsonl';

export const isCases = (uri: vscode.Uri): boolean => uri.path.endsWith('.reward.cases.jsonl') && isWorked(uri);

/** Beside the reward. */
export const casesOf = (reward: vscode.Uri): vscode.Uri => reward.with({ path: casesFile(reward.path) });

export const rewardCaseKind: CaseKind<CaseLine> = {
  casesPattern,
  programPattern: rewardPattern,
  isCases,
  programsOf: (cases) =>
    ['ts', 'js', 'py'].map((ending) => cases.with({ path: cases.path.replace(/\.cases\.jsonl$/, `.${ending}`) })),
  casesOf,
  linesOf: (text) => identified(readCases(text)),
  told: (line) => ('case' in line ? { label: caseName(line.case), fault: '' } : { label: '', fault: line.fault }),
};
