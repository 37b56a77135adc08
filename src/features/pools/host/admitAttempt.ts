/** Attempts of people into the agent pool and out of it: the two commands, and a lens above each such attempt. */
import * as vscode from 'vscode';
import { placeOf, traceScheme } from '../../../host/documents/layout/place.ts';
import { traceInFront } from '../../../host/files/traceInFront.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import type { RunService } from '../../../host/runs/runs.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { isPlayTrace } from '../../../shared/records/play.ts';
import type { PoolEffect } from '../core/poolEffect.ts';
import type { AdmittedAttempt } from '../node/admitted.ts';

const admitting = () => import('../node/admitted.ts');

export interface AdmitNeeds {
  service: Pick<RunService, 'editTasks'>;
  folders: RunFolders;
}

export class PooledAttempts implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #needs: AdmitNeeds;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #registration: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(needs: AdmitNeeds) {
    this.#needs = needs;
    this.#registration = vscode.languages.registerCodeLensProvider({ scheme: traceScheme }, this);
  }

  /** @throws PoolError, RunError, InputError */
  async add(argument: unknown): Promise<void> {
    requireTrust();
    const target = await traceInFront(argument, vscode.l10n.t('Add which attempt?'));
    if (target === undefined) return;
    const made = await this.#needs.folders.reading(target.run, async (run) =>
      (await admitting()).admission(run, target.trace),
    );
    if (made === null) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This attempt is in the agent pool already.'));
      return;
    }
    const outcome = await this.#needs.service.editTasks(target.run, [made.edit]);
    this.changed();
    const since =
      outcome.state === 'waiting'
        ? vscode.l10n.t('In the agent pool from the next epoch on.')
        : vscode.l10n.t('In the agent pool from epoch {0} on.', outcome.epoch);
    const remove = vscode.l10n.t('Remove Again');
    const text = `${since} ${effectWords(made.effect)} ${always()}`;
    void vscode.window.showInformationMessage(text, remove).then((chosen) => {
      if (chosen === remove) void vscode.commands.executeCommand('genenv.removeFromAgentPool', target);
    });
  }

  /** @throws PoolError, RunError */
  async remove(argument: unknown): Promise<void> {
    requireTrust();
    const target = await traceInFront(argument, vscode.l10n.t('Remove which attempt?'));
    if (target === undefined) return;
    const edit = await this.#needs.folders.reading(target.run, async (run) =>
      (await admitting()).withdrawal(run, target.trace),
    );
    const outcome = await this.#needs.service.editTasks(target.run, [edit]);
    this.changed();
    const text =
      outcome.state === 'waiting'
        ? vscode.l10n.t('Out of the agent pool from the next epoch on.')
        : vscode.l10n.t('Out of the agent pool from epoch {0} on.', outcome.epoch);
    vscode.window.setStatusBarMessage(text, 5_000);
  }

  changed(): void {
    this.#changed.fire();
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { run, id: trace, text } = placeOf(uri);
    if (text !== undefined || !isPlayTrace(trace)) return [];
    const target = { run, trace };
    const all = await this.#needs.folders.reading(target.run, async (reader) =>
      (await admitting()).admittedAttempts(reader),
    );
    const found = all.find((one) => one.trace === trace);
    const lens = (title: string, command: string): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [target] });
    return found === undefined
      ? [lens(vscode.l10n.t('Add to Agent Pool'), 'genenv.addToAgentPool')]
      : [lens(vscode.l10n.t('{0}: Remove', admittedWords(found)), 'genenv.removeFromAgentPool')];
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

export const admittedWords = ({ by, epoch }: AdmittedAttempt): string =>
  epoch === null
    ? vscode.l10n.t('In the agent pool with the next epoch')
    : vscode.l10n.t('In the agent pool from epoch {0} on, by {1}', epoch, by ?? '');

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
