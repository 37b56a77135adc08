/** A reward's computation in words. */
import * as vscode from 'vscode';
import { plainMarkdown } from '../../plainMarkdown.ts';
import { count, number, rate } from '../../../shared/text/figures/numbers.ts';
import { signed } from '../../../shared/text/figures/shares.ts';
import type { RewardComputation } from '../../../runs/records/rewardComputation.ts';

/** Why an attempt has no advantage; null where it has one. */
export function noAdvantage({ why }: RewardComputation): string | null {
  switch (why) {
    case 'not trained on':
      return vscode.l10n.t('Nothing is trained on this attempt.');
    case 'imported':
      return vscode.l10n.t('The run was imported: GenEnv trained nothing on this attempt.');
    case 'frozen':
      return vscode.l10n.t('The run does not train its agent (agent.train): nothing is trained on this attempt.');
    case 'fell out':
      return vscode.l10n.t(
        'Enough other groups were complete before this one (rollouts.spare): nothing is trained on this attempt.',
      );
    case 'not updated':
      return vscode.l10n.t('The agent’s update with this attempt has not ended: nothing is trained on it so far.');
    case 'skipped':
      return vscode.l10n.t('The agent’s update was skipped: nothing is trained on this attempt.');
    case 'too long':
      return vscode.l10n.t(
        'All sequences of this attempt are longer than rollouts.maxSequence: nothing is trained on it.',
      );
    case 'not judged':
      return vscode.l10n.t('The checker failed: neither p̂ nor training counts this attempt.');
    case 'alone':
      return vscode.l10n.t('With fewer than two judged attempts there is nothing to compare with.');
    case 'solved':
      return vscode.l10n.t('Every attempt has this reward and solved the task: the group teaches nothing.');
    case 'hopeless':
      return vscode.l10n.t('Every attempt has this reward: the group teaches nothing.');
    case null:
      return null;
  }
}

/** The computation as Markdown: parts, group, advantage. */
export function computationText(computation: RewardComputation): string {
  const { reward, parts, group, advantage } = computation;
  const scored = Object.entries(parts).map(([name, value]) => `- ${plainMarkdown(name)}: ${number(value)}`);
  const lines = [`**R = ${rate(reward)}**`, ...(scored.length === 0 ? [] : ['', ...scored])];
  if (group !== null) {
    const { attempts, mean, deviation } = group;
    const compared = vscode.l10n.t('Mean of the group of {0} attempts: {1}', count(attempts), number(mean));
    const spread = deviation === null ? null : vscode.l10n.t('standard deviation {0}', number(deviation));
    lines.push('', spread === null ? compared : `${compared}, ${spread}`);
  }
  if (advantage !== null && group !== null) {
    const centred = `${rate(reward)} − ${number(group.mean)}`;
    const formula = group.deviation === null ? centred : `(${centred}) / ${number(group.deviation)}`;
    lines.push('', vscode.l10n.t('Advantage = {0} = **{1}**', formula, signed(advantage, 2)));
  }
  const without = noAdvantage(computation);
  if (without !== null) lines.push('', without);
  return lines.join('\n');
}
