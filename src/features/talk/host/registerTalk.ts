/** Talk to Checkpoint…, and the editor of `*.talk.json` files. */
import * as vscode from 'vscode';
import type { CommandContext } from '../../../host/commands/context.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import type { TalkNeeds } from './talkEditor.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

const viewType = 'genenv.talk';

type Needs = Omit<TalkNeeds, 'extensionUri'> & Pick<CommandContext, 'catalog' | 'failures'>;

export function registerTalk({ extensionUri, subscriptions }: vscode.ExtensionContext, needs: Needs): void {
  const { failures } = needs;
  subscriptions.push(
    vscode.window.registerCustomEditorProvider(viewType, {
      async resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel) {
        const { TalkEditor } = await import('./talkEditor.ts');
        const editor = new TalkEditor(document, panel, { ...needs, extensionUri });
        panel.onDidDispose(() => void editor.dispose());
      },
    }),
    registerCommand('genenv.talkToCheckpoint', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The conversation was not begun'), async () => {
        requireTrust();
        const { newTalk } = await import('./newTalk.ts');
        const uri = await newTalk(needs, argument);
        if (uri !== undefined) await vscode.commands.executeCommand('vscode.openWith', uri, viewType);
        return uri;
      }),
    ),
  );
}
