/** Any thrown value as a message to the user: what failed, why, what to do, with buttons for it. */
import { isAbsolute, resolve } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../launch/inputs/inputError.ts';
import { RunError } from '../../runs/store/runError.ts';
import { isError, type Problem } from '../../shared/experiment/problems/problem.ts';
import { SteerError } from '../runs/steerError.ts';
import { inWords } from '../../shared/journal/recordedWords.ts';

/** Something a person can do about it at once. */
interface Offer {
  label: string;
  act: () => unknown;
}

export class Failures {
  readonly #log: vscode.LogOutputChannel;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /**
   * `what` failed, as a sentence without its full stop: "The run was not started". Resolves when the user has answered.
   */
  async tell(what: string, error: unknown): Promise<void> {
    // VS Code's own commands are cancelled with a plain error of this name.
    if (error instanceof Error && error.name === 'Canceled') return;
    this.#log.error(what, error instanceof Error ? (error.stack ?? error.message) : String(error));
    const offers = [...offersFor(error), { label: vscode.l10n.t('Show Log'), act: () => this.#log.show(true) }];
    const mild = SteerError.is(error) || RunError.is(error, 'in-use') || RunError.is(error, 'cannot-branch');
    const show = mild ? vscode.window.showWarningMessage : vscode.window.showErrorMessage;
    // A refusal needs no log.
    const shown = SteerError.is(error) ? offers.slice(0, -1) : offers;
    const chosen = await show(`${what}: ${wordsOf(error)}`, ...shown.map(({ label }) => label));
    await shown.find(({ label }) => label === chosen)?.act();
  }

  /** Runs a user's request, and shows a message when it fails. @returns undefined when it failed */
  async guard<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      void this.tell(what, error);
      return undefined;
    }
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof InputError) return wordsOfProblems(error.problems);
  if (!(error instanceof Error)) return String(error);
  // A RunError's message holds its remedy.
  const remedy = !RunError.is(error) && 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : '';
  return `${inWords(error.message)} ${inWords(remedy)}`.trim();
}

function wordsOfProblems(problems: readonly Problem[]): string {
  const errors = problems.filter(isError);
  const [first] = errors;
  if (first === undefined) return '';
  const words = `${inWords(first.message)} ${inWords(first.remedy)}`.trim();
  if (errors.length === 1) return words;
  return vscode.l10n.t('{0} (and {1} more)', words, errors.length - 1);
}

function offersFor(error: unknown): Offer[] {
  if (SteerError.is(error, 'untrusted')) {
    const label = vscode.l10n.t('Manage Workspace Trust');
    return [{ label, act: () => vscode.commands.executeCommand('workbench.trust.manage') }];
  }
  if (SteerError.is(error, 'no-folder')) {
    const label = vscode.l10n.t('Open Folder…');
    return [{ label, act: () => vscode.commands.executeCommand('vscode.openFolder') }];
  }
  if (error instanceof InputError) {
    const [first] = error.problems.filter(isError);
    return first === undefined ? [] : placeOffer(first.file, first.line, first.column);
  }
  if (RunError.is(error) && error.line !== null) return placeOffer(error.path, error.line, 1);
  return [];
}

function placeOffer(file: string | null, line: number, column: number): Offer[] {
  if (file === null || !isAbsolute(file)) return [];
  return [{ label: vscode.l10n.t('Open File'), act: () => openAt(file, line, column) }];
}

/** Opens a file as text at a 1-based place. */
async function openAt(file: string, line: number, column: number): Promise<void> {
  const at = new vscode.Position(line - 1, column - 1);
  await vscode.window.showTextDocument(vscode.Uri.file(resolve(file)), { selection: new vscode.Range(at, at) });
}
