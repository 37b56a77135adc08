/** Lenses in files of seed tasks, and the key that peeks at the attempts of the task under the cursor. */
import * as vscode from 'vscode';
import type { Failures } from '../../../host/feedback/failures.ts';
import { once } from '../../../host/once.ts';
import { Gatherer } from '../../../host/runs/gatherer.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

/** Shortest interval between redraws of lenses, in milliseconds. */
const throttleMs = 1000;

export interface SeedsNeeds {
  catalog: RunCatalog;
  open: OpenRuns;
  failures: Failures;
}

export function registerSeeds(context: vscode.ExtensionContext, { catalog, open, failures }: SeedsNeeds): void {
  // Loaded with the first file that may be one.
  const runs = once(async () => new (await import('./seedRuns.ts')).SeedRuns(catalog));
  const changed = new vscode.EventEmitter<void>();
  const lenses = once(async () => new (await import('./seedLenses.ts')).SeedLenses(await runs(), open, changed.event));
  /** Menus and keys ask whether the file in front is one. */
  const lookAtFront = async (): Promise<void> => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const maybe = uri?.scheme === 'file' && uri.path.endsWith('.jsonl');
    const seeds = maybe && (await (await runs()).runOf(uri.fsPath)) !== null;
    await vscode.commands.executeCommand('setContext', 'genenv.seedFile', seeds);
  };
  const news = new Gatherer<string>(throttleMs, () => {
    changed.fire();
    void lookAtFront();
  });
  context.subscriptions.push(
    ...[changed, news],
    catalog.onDidChangeList(() => news.add('list')),
    new vscode.Disposable(open.listen(({ run }) => news.add(run))),
    vscode.window.onDidChangeActiveTextEditor(() => void lookAtFront()),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file', pattern: '**/*.jsonl' },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: async (document) => (await lenses()).provideCodeLenses(document),
        resolveCodeLens: async (lens) => (await lenses()).resolveCodeLens(lens),
      },
    ),
    registerCommand('genenv.peekSeedAttempts', () =>
      failures.guard(vscode.l10n.t('The attempts were not shown'), async () => {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined) return;
        const { line } = editor.selection.active;
        const known = await (await lenses()).at(editor.document, line);
        if (known === null || known.attempts.length === 0) {
          void vscode.window.showInformationMessage(
            vscode.l10n.t('No run of this file has attempted the task in this line yet.'),
          );
          return;
        }
        await vscode.commands.executeCommand('genenv.peekAttempts', { ...known, line });
      }),
    ),
  );
}
