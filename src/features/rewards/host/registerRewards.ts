/** Reward functions of a person's own: written, tried on a recorded trace, and held to cases. */
import * as vscode from 'vscode';
import { stepDone } from '../../../host/feedback/stepsDone.ts';
import type { RewardOutcome } from '../../../shared/rewards/outcome.ts';
import { rewardLanguage } from '../../../shared/rewards/rewardFile.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { once } from '../../../host/once.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { registerDebug, type DebugConfigured, type DebugWork } from './debug/registerDebug.ts';
import type { PickNeeds } from '../../../host/debug/pickTrace.ts';
import { ChosenPython } from './pythonSetting.ts';
import { rewardOf, rewardPattern } from '../../../host/files/rewardFiles.ts';
import { rewardLenses } from './rewardLenses.ts';
import { registerCaseTests, type ShownCaseTests } from './tests/registerCaseTests.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

interface RewardDeps extends PickNeeds {
  failures: Failures;
  /** The folder of built files. */
  dist: URL;
}

export function registerRewards(
  context: vscode.ExtensionContext,
  { catalog, clock, open, failures, dist }: RewardDeps,
): {
  caseTests: ShownCaseTests;
  python: () => Promise<string>;
  debugWork: DebugWork;
  debugConfigured: DebugConfigured;
} {
  const { extensionUri, subscriptions } = context;
  const problems = vscode.languages.createDiagnosticCollection('genenv.rewards');
  const output = once(() => {
    const made = vscode.window.createOutputChannel(vscode.l10n.t('GenEnv Rewards'));
    subscriptions.push(made);
    return made;
  });
  const command = (id: string, failed: () => string, run: (argument: unknown) => Promise<unknown>): vscode.Disposable =>
    registerCommand(id, (argument: unknown) => failures.guard(failed(), () => run(argument)));
  const attemptOf = async (argument: unknown, title: string) => {
    const { traceInFront } = await import('../../../host/files/traceInFront.ts');
    const target = await traceInFront(argument, title);
    return target && (await import('./recordedAttempt.ts')).recordedAttempt(open, target);
  };
  const python = new ChosenPython();
  const show = () => ({ problems, output: output() });
  const {
    debugCalls: debug,
    debugWork,
    debugConfigured,
  } = registerDebug(context, {
    catalog,
    clock,
    open,
    failures,
    dist,
    python: () => python.ask(),
    show,
  });
  subscriptions.push(
    problems,
    python,
    // A message about a line is void once the line changed.
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) problems.delete(document.uri);
    }),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file', pattern: rewardPattern },
      { provideCodeLenses: rewardLenses },
    ),
    command(
      'genenv.newReward',
      () => vscode.l10n.t('The reward function was not written'),
      async (argument) => {
        const uri = await (await import('./newReward.ts')).newReward(argument, extensionUri);
        if (uri === undefined) return;
        await vscode.window.showTextDocument(uri);
        void stepDone('rewards');
      },
    ),
    command(
      'genenv.scoreWithReward',
      () => vscode.l10n.t('The trace was not scored'),
      async (argument): Promise<RewardOutcome | undefined> => {
        requireTrust();
        const reward = await rewardOf(argument, vscode.l10n.t('Score with which reward?'));
        if (reward === undefined) return undefined;
        const attempt = await attemptOf(argument, vscode.l10n.t('Score which trace?'));
        if (attempt === undefined) return undefined;
        if (rewardLanguage(reward.path) === 'python') await python.ask();
        const { scoreReward } = await import('./scoreReward.ts');
        const needs = { dist, ...show() };
        const outcome = await scoreReward(needs, attempt, reward);
        // A command ends with its work; its message may stay until the user answers.
        void failures.guard(vscode.l10n.t('The reward was not opened'), async () =>
          (await import('./showOutcomes.ts')).tellOutcomes(needs, reward, [{ outcome }]),
        );
        return outcome;
      },
    ),
    command(
      'genenv.pinCase',
      () => vscode.l10n.t('The case was not pinned'),
      async (argument) => {
        const attempt = await attemptOf(argument, vscode.l10n.t('Pin which trace?'));
        if (attempt === undefined) return;
        const reward = await rewardOf(null, vscode.l10n.t('A case of which reward?'));
        if (reward === undefined) return;
        const cases = await (await import('./pinCase.ts')).pinCase(attempt, reward);
        if (cases !== undefined) tellPinned(cases);
      },
    ),
    command(
      'genenv.suggestCases',
      () => vscode.l10n.t('No cases were suggested'),
      async (argument) => {
        requireTrust();
        const reward = await rewardOf(argument, vscode.l10n.t('Cases for which reward?'));
        if (reward === undefined) return;
        if (rewardLanguage(reward.path) === 'python') await python.ask();
        const { suggestCommand } = await import('./suggest/suggestCommand.ts');
        const made = await suggestCommand({ catalog, clock, open, dist }, reward, argument);
        if (made !== null) tellPinned(made.cases, made.pinned);
      },
    ),
  );
  const ask = (): Promise<string> => python.ask();
  return {
    caseTests: registerCaseTests(context, { failures, dist, python: ask, debug }),
    python: ask,
    debugWork,
    debugConfigured,
  };
}

function tellPinned(cases: vscode.Uri, pinned = 1): void {
  const open = vscode.l10n.t('Open Cases');
  const file = vscode.workspace.asRelativePath(cases);
  const text =
    pinned === 1 ? vscode.l10n.t('Pinned in {0}.', file) : vscode.l10n.t('{0} cases pinned in {1}.', pinned, file);
  void vscode.window.showInformationMessage(text, open).then((chosen) => {
    if (chosen === open) void vscode.window.showTextDocument(cases);
  });
}
