import * as vscode from 'vscode';
import type { SuggestedCase, SuggestedCases } from '../../node/suggestCases.ts';
import type { Fate } from '../../../rescore/contract/rejudged.ts';
import type { SuggestionReason } from '../../core/suggestions.ts';
import { number, rate } from '../../../../shared/text/figures/numbers.ts';

type Item = vscode.QuickPickItem & { suggested: SuggestedCase };

/** Those that a person ticks, none when it was given up; each can be opened from its row. */
export async function pickSuggestions(
  { cases, threshold }: SuggestedCases,
  title: string,
  uriOf: (trace: string) => vscode.Uri,
): Promise<readonly SuggestedCase[]> {
  const picker = vscode.window.createQuickPick<Item>();
  const button = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Open Trace') };
  picker.title =
    threshold === null ? title : vscode.l10n.t('{0} · successes from a reward of about {1} on', title, rate(threshold));
  picker.placeholder = vscode.l10n.t('Which attempts are to be cases?');
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  // A trace may be read meanwhile.
  picker.ignoreFocusOut = true;
  picker.items = cases.map((suggested) => ({
    label: suggested.id,
    description: reasonWords(suggested.reason),
    detail: shortened(suggested.call.trace.answer),
    buttons: [button],
    suggested,
  }));
  const { promise, resolve } = Promise.withResolvers<readonly SuggestedCase[]>();
  picker.onDidTriggerItemButton(({ item }) => {
    const options = { preview: true, preserveFocus: true };
    void vscode.window.showTextDocument(uriOf(item.suggested.id), options);
  });
  picker.onDidAccept(() => {
    resolve(picker.selectedItems.map(({ suggested }) => suggested));
    picker.hide();
  });
  picker.onDidHide(() => {
    resolve([]);
    picker.dispose();
  });
  picker.show();
  return promise;
}

function reasonWords(reason: SuggestionReason): string {
  if (reason.kind === 'disagreement') {
    const { fate, reward } = reason;
    const side = (which: 'before' | 'after'): string =>
      fate[which] === 'error' ? fateWord('error') : `${fateWord(fate[which])}, ${number(reward[which])}`;
    return vscode.l10n.t('was: {0}; now: {1}', side('before'), side('after'));
  }
  const { success, reward, threshold } = reason;
  const word = fateWord(success ? 'solved' : 'failed');
  return vscode.l10n.t('{0} with {1}, near the threshold {2}', word, number(reward), rate(threshold));
}

function fateWord(fate: Fate): string {
  const words: Record<Fate, string> = {
    solved: vscode.l10n.t('solved'),
    failed: vscode.l10n.t('not solved'),
    error: vscode.l10n.t('checker failed'),
  };
  return words[fate];
}

/** An answer in a line. */
function shortened(answer: string): string {
  const line = answer.replace(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}
