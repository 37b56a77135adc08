/** Attempts of people into the agent pool and out of it: the two commands, and a lens above each such attempt. */
import * as vscode from 'vscode';
import { placeOf, traceScheme } from '../../../host/documents/layout/place.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { isPlayTrace } from '../../../shared/records/play.ts';
import type { AdmittedAttempt } from '../node/admitted.ts';
import type { AdmitNeeds } from './changePool.ts';

const admitting = () => import('../node/admitted.ts');
const changing = () => import('./changePool.ts');

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
    if (await (await changing()).addToPool(argument, this.#needs)) this.changed();
  }

  /** @throws PoolError, RunError */
  async remove(argument: unknown): Promise<void> {
    requireTrust();
    if (await (await changing()).removeFromPool(argument, this.#needs)) this.changed();
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
    ? vscode.l10n.t('In the agent pool with the next epoch that is not sampled yet')
    : vscode.l10n.t('In the agent pool from epoch {0} on, by {1}', epoch, by ?? '');
