/** Everything about experiment files: form, problems, fixes, lenses, and the commands that open and make them. */
import * as vscode from 'vscode';
import { stepDone } from '../../../host/feedback/stepsDone.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { isAdapter } from '../../../host/files/adapterFiles.ts';
import { once } from '../../../host/once.ts';
import { FileProblems } from '../../../host/fileProblems.ts';
import { experimentPattern, findExperiments, formViewType, isExperiment } from '../../../host/files/experimentFiles.ts';
import type { FormDeps } from './formEditor.ts';
import { isStudy, openStudyForm } from '../../../host/files/studyFiles.ts';
import { formInFront, inPlace, openAsText } from '../../../host/files/openAs.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export interface ExperimentDeps extends Omit<FormDeps, 'extensionUri' | 'memory'> {
  failures: Failures;
  keys: HostKeys;
}

/** The form's functions for other parts. */
export interface ExperimentForms {
  /** Opens the form of a file, at a field if one is named. */
  show(uri: vscode.Uri, field?: string | null): Promise<void>;
}

export function registerExperiments(
  { extensionUri, subscriptions, workspaceState: memory }: vscode.ExtensionContext,
  deps: ExperimentDeps,
): ExperimentForms {
  const { failures, log, keys } = deps;
  // All of them are loaded with the first experiment that is opened.
  const editors = once(
    async () => new (await import('./formEditor.ts')).FormEditors({ ...deps, extensionUri, memory }),
  );
  const lenses = once(async () => new (await import('./lenses.ts')).ExperimentLenses());
  const fixes = once(async () => new (await import('./quickFixes.ts')).ExperimentQuickFixes());
  const forms: ExperimentForms = { show: async (uri, field = null) => (await editors()).show(uri, field) };
  const texts = { scheme: 'file', pattern: experimentPattern };
  const command = (id: string, failed: () => string, run: (...given: unknown[]) => Promise<void>): vscode.Disposable =>
    registerCommand(id, (...given: unknown[]) => failures.guard(failed(), () => run(...given)));
  const notOpened = (): string => vscode.l10n.t('The experiment was not opened');
  subscriptions.push(
    vscode.window.registerCustomEditorProvider(formViewType, {
      resolveCustomTextEditor: async (document, panel) => (await editors()).resolveCustomTextEditor(document, panel),
    }),
    new FileProblems(
      {
        collection: 'genenv.experiments',
        pattern: experimentPattern,
        isOne: isExperiment,
        find: findExperiments,
        problemsOf: async (text, file) =>
          (await import('../../../shared/experiment/text/reading.ts')).readExperimentText(text, file).problems,
      },
      log,
    ),
    vscode.languages.registerCodeActionsProvider(
      texts,
      {
        provideCodeActions: async (document, range, context) =>
          (await fixes()).provideCodeActions(document, range, context),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    vscode.languages.registerCodeLensProvider(texts, {
      provideCodeLenses: async (document) => (await lenses()).provideCodeLenses(document),
    }),
    command(
      'genenv.newExperiment',
      () => vscode.l10n.t('The experiment was not made'),
      async (argument) => {
        const { givenTasksSchema, newExperiment } = await import('./newExperiment.ts');
        const uri = await newExperiment(keys, givenTasksSchema.safeParse(argument).data?.tasks);
        if (uri === undefined) return;
        await forms.show(uri);
        void stepDone('experiment');
      },
    ),
    command('genenv.openAsText', notOpened, async (argument) => {
      const uri = formInFront(argument);
      if (uri !== null) await openAsText(uri, null, undefined);
    }),
    command('genenv.openAsForm', notOpened, async (argument, field) => {
      const uri = formInFront(argument);
      if (uri !== null && isStudy(uri)) await inPlace(uri, () => openStudyForm(uri));
      else if (uri !== null && isAdapter(uri))
        await (await import('../../adapter/host/adapterEditor.ts')).openForm(uri);
      else if (uri !== null) await forms.show(uri, typeof field === 'string' ? field : null);
    }),
  );
  return forms;
}
