/** Asks for a query: checked while it is typed, earlier ones below it. */
import * as vscode from 'vscode';
import { readTraceQuery } from '../contract/traceQuery.ts';

interface QueryItem extends vscode.QuickPickItem {
  query: string | null;
}

/** @returns undefined when it was thought better of */
export async function askQuery(
  runName: string,
  value: string,
  history: readonly string[],
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<QueryItem>();
  pick.title = vscode.l10n.t('Search the traces of “{0}”', runName);
  pick.placeholder = vscode.l10n.t('Words and fields: verdict:fail epoch:2..4 tool:search len>400 "time out" -refund');
  pick.value = value;
  pick.ignoreFocusOut = true;
  const draw = (): void => {
    pick.items = [...typed(pick.value), ...earlier(pick.value, history)];
  };
  pick.onDidChangeValue(draw);
  draw();
  try {
    return await new Promise<string | undefined>((resolve) => {
      pick.onDidAccept(() => {
        const query = pick.selectedItems[0]?.query ?? null;
        if (query !== null) resolve(query);
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function typed(text: string): QueryItem[] {
  if (text.trim() === '') return [];
  const read = readTraceQuery(text);
  if ('query' in read) {
    const label = vscode.l10n.t('$(search) Search for {0}', text);
    return [{ label, query: text, alwaysShow: true }];
  }
  const label = vscode.l10n.t('$(error) It cannot be read at “{0}”', text.slice(read.problem.at));
  return [{ label, detail: read.problem.message, query: null, alwaysShow: true }];
}

const earlier = (text: string, history: readonly string[]): QueryItem[] =>
  history
    .filter((query) => query !== text)
    .map((query) => ({ label: query, iconPath: new vscode.ThemeIcon('history'), query }));
