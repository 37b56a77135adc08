/** The page of two evaluations: what B gained and lost against A, each task with both answers. */
import * as vscode from 'vscode';
import { answerUri } from '../../../host/documents/layout/place.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import { openPair, pairShown, type PairState } from '../contract.ts';
import { compareEvaluations } from '../node/compareEvaluations.ts';
import { readEvaluation, type StoredEvaluation } from '../node/evaluationFolder.ts';
import { answersTo, pairedTasks } from '../node/pairedTasks.ts';
import { findingsOf } from './comparison.ts';
import { policyWords } from './words.ts';

export interface PairNeeds {
  extensionUri: vscode.Uri;
  failures: Failures;
  log: vscode.LogOutputChannel;
}

type Two<T> = readonly [T, T];

/** @throws EvaluationError `not-comparable` */
export async function showPair(folders: Two<string>, needs: PairNeeds): Promise<void> {
  const read = await readTwo(folders);
  const state = pairState(folders, read);
  const panel = vscode.window.createWebviewPanel(
    'genenv.evaluationPair',
    vscode.l10n.t('Evaluations'),
    vscode.ViewColumn.Active,
  );
  mount(panel, folders, { read, state }, needs);
}

/** Of a tab that came back with the window. */
export async function mountPair(panel: vscode.WebviewPanel, folders: Two<string>, needs: PairNeeds): Promise<void> {
  const read = await readTwo(folders);
  mount(panel, folders, { read, state: pairState(folders, read) }, needs);
}

const readTwo = async ([a, b]: Two<string>): Promise<Two<StoredEvaluation>> => [
  await readEvaluation(a),
  await readEvaluation(b),
];

function mount(
  panel: vscode.WebviewPanel,
  [a, b]: Two<string>,
  { read, state }: { read: Two<StoredEvaluation>; state: PairState },
  { extensionUri, failures, log }: PairNeeds,
): void {
  const [first, second] = state.sides;
  panel.title = vscode.l10n.t('{0}: {1} ↔ {2}', state.benchmark, first.name, second.name);
  panel.iconPath = pageIcon(extensionUri);
  const channel = mountPage(panel.webview, {
    ...{ extensionUri, name: 'evaluation', title: panel.title, log },
    onOpen: () => channel.emit(pairShown, state),
  });
  channel.handle(openPair, async ({ task }) => {
    await failures.guard(vscode.l10n.t('The answers were not opened'), async () => {
      const [one, other] = answersTo(task, ...read);
      if (one != null && other != null) {
        const title = vscode.l10n.t('{0}: {1} ↔ {2}', task, first.name, second.name);
        await vscode.commands.executeCommand('vscode.diff', answerUri(a, one.id), answerUri(b, other.id), title);
        return;
      }
      const only = one == null ? (other == null ? null : answerUri(b, other.id)) : answerUri(a, one.id);
      if (only === null) throw new Error(vscode.l10n.t('Neither answered this task.'));
      await vscode.window.showTextDocument(only, { preview: true });
    });
    return null;
  });
  panel.onDidDispose(() => channel.dispose());
}

function pairState([a, b]: Two<string>, [first, second]: Two<StoredEvaluation>): PairState {
  const compared = compareEvaluations(first, second);
  const side = (folder: string, { manifest: { settings } }: StoredEvaluation, pass: number) => ({
    ...{ folder, name: policyWords(settings.policy), attempts: settings.attempts, pass },
  });
  return {
    benchmark: first.manifest.settings.benchmark,
    sides: [side(a, first, compared.first), side(b, second, compared.second)],
    findings: findingsOf(compared),
    ...pairedTasks(first, second),
  };
}
