/** Evaluations in the editor: start, resume, show, compare. */
import * as vscode from 'vscode';
import { once } from '../../../host/once.ts';
import { registerAnswers } from './answerDocuments.ts';
import { evaluationView, notCompared, notEvaluated, type EvaluationsDeps } from './evaluationNames.ts';
import { Evaluations } from './evaluations.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

/** @returns where the evaluations of the workspace are listed */
export function registerEvaluations(context: vscode.ExtensionContext, deps: EvaluationsDeps): Evaluations {
  const { failures } = deps;
  const evaluations = new Evaluations(deps);
  const pages = once(async () => {
    const made = new (await import('./evaluationPages.ts')).EvaluationPages(evaluations, context, deps);
    context.subscriptions.push(made);
    return made;
  });
  const command = (id: string, failed: () => string, run: (argument: unknown) => Promise<unknown>): vscode.Disposable =>
    registerCommand(id, (argument: unknown) => failures.guard(failed(), () => run(argument)));
  context.subscriptions.push(
    evaluations,
    registerAnswers(context.extensionUri, failures),
    command('genenv.evaluateOnBenchmark', notEvaluated, async (argument) => (await pages()).begin(argument)),
    command('genenv.continueEvaluation', notEvaluated, async (argument) => {
      const all = await pages();
      const folder = await all.folderOf(argument, vscode.l10n.t('Which evaluation to continue?'), true);
      if (folder !== null) await all.goOn(folder);
    }),
    command(
      'genenv.openEvaluation',
      () => vscode.l10n.t('The evaluation was not opened'),
      async (argument) => {
        const all = await pages();
        const folder = await all.folderOf(argument, vscode.l10n.t('Which evaluation to open?'), false);
        if (folder !== null) await all.show(folder);
      },
    ),
    command('genenv.compareEvaluations', notCompared, async (argument) => (await pages()).compare(argument)),
    vscode.window.registerWebviewPanelSerializer(evaluationView, {
      deserializeWebviewPanel: async (panel, state) => (await pages()).restore(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer('genenv.evaluationPair', {
      deserializeWebviewPanel: async (panel, state) => (await pages()).restorePair(panel, state),
    }),
  );
  return evaluations;
}
