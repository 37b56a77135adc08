/** Everything about benchmarks: their rows, the adapter editor, problems, and the commands that make, check and use adapters. */
import * as vscode from 'vscode';
import { FileProblems } from '../../../host/fileProblems.ts';
import type { EvaluationsDeps } from '../../evaluation/host/evaluationNames.ts';
import { registerEvaluations } from '../../evaluation/host/registerEvaluations.ts';
import { once } from '../../../host/once.ts';
import type { TreePart } from '../../../host/trees/foldedTrees.ts';
import type { Offer } from '../../../host/files/adapterInFront.ts';
import {
  AdapterFiles,
  adapterPattern,
  adapterViewType,
  findAdapters,
  isAdapter,
} from '../../../host/files/adapterFiles.ts';
import { BenchmarksProvider, type BenchmarkNode } from './benchmarksTree.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

type BenchmarkDeps = Omit<EvaluationsDeps, 'files'>;

/** @returns the benchmarks, for the view Data */
export function registerBenchmarks(context: vscode.ExtensionContext, deps: BenchmarkDeps): TreePart<BenchmarkNode> {
  const { extensionUri, subscriptions } = context;
  const { failures, log, dist } = deps;
  const files = new AdapterFiles(extensionUri);
  const evaluations = registerEvaluations(context, { ...deps, files });
  // All of them are loaded with the first adapter that is opened.
  const editors = once(
    async () => new (await import('./adapterEditor.ts')).AdapterEditors({ log, extensionUri, dist }),
  );
  const fixes = once(async () => new (await import('./adapterQuickFixes.ts')).AdapterQuickFixes());
  const checks = vscode.languages.createDiagnosticCollection('genenv.adapterData');
  const command = (id: string, failed: () => string, run: (argument: unknown) => Promise<void>): vscode.Disposable =>
    registerCommand(id, (argument: unknown) => failures.guard(failed(), () => run(argument)));
  const pick = async (argument: unknown, title: string, offer: Offer): Promise<vscode.Uri | undefined> =>
    (await import('../../../host/files/adapterInFront.ts')).adapterOf(argument, files, title, offer);
  const open = async (uri: vscode.Uri | undefined): Promise<void> => {
    if (uri !== undefined) await vscode.commands.executeCommand('vscode.openWith', uri, adapterViewType);
  };
  const provider = new BenchmarksProvider(files, evaluations);
  subscriptions.push(
    files,
    provider,
    checks,
    new FileProblems(
      {
        collection: 'genenv.adapters',
        pattern: adapterPattern,
        isOne: isAdapter,
        find: findAdapters,
        problemsOf: async (text, file) =>
          (await import('../../../benchmarks/adapter/readAdapter.ts')).readAdapter(text, file).problems,
      },
      log,
    ),
    vscode.window.registerCustomEditorProvider(adapterViewType, {
      resolveCustomTextEditor: async (document, panel) => (await editors()).resolveCustomTextEditor(document, panel),
    }),
    vscode.languages.registerCodeActionsProvider(
      { scheme: 'file', pattern: adapterPattern },
      {
        provideCodeActions: async (document, range, context) =>
          (await fixes()).provideCodeActions(document, range, context),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    command(
      'genenv.chooseDataFolder',
      () => vscode.l10n.t('The folder was not chosen'),
      async (argument) => {
        const uri = await pick(argument, vscode.l10n.t('Data of which adapter?'), 'own');
        if (uri !== undefined) await (await import('./adapterQuickFixes.ts')).chooseDataFolder(uri);
      },
    ),
    registerCommand('genenv.refreshBenchmarks', () => files.refresh()),
    command(
      'genenv.newAdapter',
      () => vscode.l10n.t('The adapter was not made'),
      async () => open(await (await import('./newAdapter.ts')).newAdapter()),
    ),
    command(
      'genenv.copyAdapter',
      () => vscode.l10n.t('The adapter was not copied'),
      async (argument) => {
        const uri = await pick(argument, vscode.l10n.t('Which adapter to copy?'), 'shipped, then own');
        if (uri !== undefined) await open(await (await import('./newAdapter.ts')).copyAdapter(uri));
      },
    ),
    command(
      'genenv.checkAdapter',
      () => vscode.l10n.t('The adapter was not checked'),
      async (argument) => {
        const uri = await pick(argument, vscode.l10n.t('Which adapter to check?'), 'own, then shipped');
        if (uri !== undefined) await (await import('./checkCommand.ts')).checkCommand(uri, checks);
      },
    ),
    command(
      'genenv.useAsSeedTasks',
      () => vscode.l10n.t('The tasks were not written'),
      async (argument) => {
        const uri = await pick(argument, vscode.l10n.t('Tasks of which adapter?'), 'own, then shipped');
        if (uri !== undefined) await (await import('./seedsCommand.ts')).seedsCommand(uri);
      },
    ),
  );
  return provider;
}
