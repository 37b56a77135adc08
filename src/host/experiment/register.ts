/** Everything about experiment files: form, problems, fixes, lenses, and the commands that open and make them. */
import * as vscode from 'vscode';
import type { Failures } from '../feedback/failures.ts';
import { FormEditors, formViewType, type FormDeps } from './formEditor.ts';
import { ExperimentLenses } from './lenses.ts';
import { newExperiment } from './newExperiment.ts';
import { experimentInFront, openAsText } from './openAs.ts';
import { experimentPattern, ExperimentProblems } from './problems.ts';
import { ExperimentQuickFixes } from './quickFixes.ts';

export interface ExperimentDeps extends Omit<FormDeps, 'extensionUri'> {
  failures: Failures;
}

/** What others may ask of the form. */
export interface ExperimentForms {
  /** Opens the form of a file, at a field if one is named. */
  show(uri: vscode.Uri, field?: string | null): Promise<void>;
}

export function registerExperiments(
  { extensionUri, subscriptions }: vscode.ExtensionContext,
  deps: ExperimentDeps,
): ExperimentForms {
  const { failures, log } = deps;
  const forms = new FormEditors({ ...deps, extensionUri });
  const texts = { scheme: 'file', pattern: experimentPattern };
  const command = (id: string, failed: () => string, run: (...given: unknown[]) => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(id, (...given: unknown[]) => failures.guard(failed(), () => run(...given)));
  const notOpened = (): string => vscode.l10n.t('The experiment was not opened');
  subscriptions.push(
    vscode.window.registerCustomEditorProvider(formViewType, forms),
    new ExperimentProblems(log),
    vscode.languages.registerCodeActionsProvider(texts, new ExperimentQuickFixes(), ExperimentQuickFixes.metadata),
    vscode.languages.registerCodeLensProvider(texts, new ExperimentLenses()),
    command(
      'genenv.newExperiment',
      () => vscode.l10n.t('The experiment was not made'),
      async () => {
        const uri = await newExperiment();
        if (uri !== undefined) await forms.show(uri);
      },
    ),
    command('genenv.openAsText', notOpened, async (argument) => {
      const uri = experimentInFront(argument);
      if (uri !== null) await openAsText(uri, null, undefined);
    }),
    command('genenv.openAsForm', notOpened, async (argument, field) => {
      const uri = experimentInFront(argument);
      if (uri !== null) await forms.show(uri, typeof field === 'string' ? field : null);
    }),
  );
  return forms;
}
