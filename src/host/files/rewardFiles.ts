/** Which files are reward functions, those of the workspace, and the one that a command is about. */
import * as vscode from 'vscode';
import { rewardLanguage } from '../../shared/rewards/rewardFile.ts';
import { findPrograms, pickProgram } from '../pickProgram.ts';

export const rewardPattern = '**/*.reward.{ts,js,py}';

const isReward = ({ scheme, path }: vscode.Uri): boolean => scheme === 'file' && rewardLanguage(path) !== null;

/** The file that was given, the one in front, the only one, else one that a person picks; undefined when none was. */
export const rewardOf = (argument: unknown, title: string): Promise<vscode.Uri | undefined> =>
  pickProgram(argument, title, {
    ...{ pattern: rewardPattern, isOne: isReward, command: 'genenv.newReward' },
    none: vscode.l10n.t('There is no reward function in this workspace yet.'),
    create: vscode.l10n.t('New Reward Function…'),
  });

/** The other rewards of the workspace. */
export async function otherRewards(reward: vscode.Uri): Promise<vscode.Uri[]> {
  const found = await findPrograms(rewardPattern);
  return found.filter((uri) => uri.toString() !== reward.toString());
}
