/** Puts a person's attempt into a run's agent pool, or takes it out, and says what that changes. */
import * as vscode from 'vscode';
import { traceInFront } from '../../../host/files/traceInFront.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import type { RunService } from '../../../host/runs/runs.ts';
import type { PoolEffect } from '../core/poolEffect.ts';
import { admission, withdrawal } from '../node/admitted.ts';

export interface AdmitNeeds {
  service: Pick<RunService, 'editTasks'>;
  folders: RunFolders;
}

/** @returns whether it is in the pool now and was not. @throws PoolError, RunError, InputError */
export async function addToPool(argument: unknown, { folders, service }: AdmitNeeds): Promise<boolean> {
  const target = await traceInFront(argument, vscode.l10n.t('Add which attempt?'));
  if (target === undefined) return false;
  const made = await folders.reading(target.run, async (run) => admission(run, target.trace));
  if (made === null) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This attempt is in the agent pool already.'));
    return false;
  }
  const outcome = await service.editTasks(target.run, [made.edit]);
  const since =
    outcome.state === 'waiting'
      ? vscode.l10n.t('In the agent pool from the next epoch that is not sampled yet.')
      : vscode.l10n.t('In the agent pool from epoch {0} on.', outcome.epoch);
  const remove = vscode.l10n.t('Remove Again');
  const text = `${since} ${effectWords(made.effect)} ${always()}`;
  void vscode.window.showInformationMessage(text, remove).then((chosen) => {
    if (chosen === remove) void vscode.commands.executeCommand('genenv.removeFromAgentPool', target);
  });
  return true;
}

/** @returns whether it was taken out. @throws PoolError, RunError */
export async function removeFromPool(argument: unknown, { folders, service }: AdmitNeeds): Promise<boolean> {
  const target = await traceInFront(argument, vscode.l10n.t('Remove which attempt?'));
  if (target === undefined) return false;
  const edit = await folders.reading(target.run, async (run) => withdrawal(run, target.trace));
  const outcome = await service.editTasks(target.run, [edit]);
  const text =
    outcome.state === 'waiting'
      ? vscode.l10n.t('Out of the agent pool from the next epoch that is not sampled yet.')
      : vscode.l10n.t('Out of the agent pool from epoch {0} on.', outcome.epoch);
  vscode.window.setStatusBarMessage(text, 5_000);
  return true;
}

const always = (): string =>
  vscode.l10n.t(
    'The agent is not trained on these words, and no success rate counts them; exports of the pool hold them.',
  );

function effectWords(effect: PoolEffect): string {
  switch (effect) {
    case 'joins':
      return vscode.l10n.t('Batches may draw its task: the agent attempts it afresh and learns from its own attempts.');
    case 'pooled':
      return vscode.l10n.t('Batches could draw its task before: what the run draws does not change.');
    case 'given':
      return vscode.l10n.t('Its task is given data, which batches draw anyway: what the run draws does not change.');
    case 'not-drawn':
      return vscode.l10n.t('This run draws nothing from its agent pool: what it draws does not change.');
    case 'finished':
      return vscode.l10n.t('The run is finished and draws nothing any more.');
  }
}
