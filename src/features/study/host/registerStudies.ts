/** Studies in the editor: their results as a page and as a file, from the study's file and the palette. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { savedStudy } from '../../../host/files/studyBase.ts';
import { studyInFront, studyPattern as pattern } from '../../../host/files/studyFiles.ts';
import type { StudyNeeds, StudyPanel } from './studyPanel.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

const viewType = 'genenv.study';

export function registerStudies({ subscriptions, extensionUri }: vscode.ExtensionContext, needs: StudyNeeds): void {
  const pages = new StudyPages(extensionUri, needs);
  subscriptions.push(
    pages,
    registerCommand('genenv.openStudyResults', (argument: unknown) => pages.ask(argument)),
    registerCommand('genenv.exportStudyReport', (argument: unknown) =>
      needs.failures.guard(vscode.l10n.t('The report was not made'), async () => {
        const uri = argument instanceof vscode.Uri ? argument : await pickStudy();
        if (uri === undefined) return;
        const { exportReport } = await import('./exportReport.ts');
        await exportReport(uri, { ...needs, extensionUri });
      }),
    ),
    vscode.languages.registerCodeLensProvider({ pattern }, { provideCodeLenses: lenses }),
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, state) => pages.restore(panel, state),
    }),
  );
}

function lenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
  const title = `$(graph-line) ${vscode.l10n.t('Open Study Results')}`;
  const command = { title, command: 'genenv.openStudyResults', arguments: [uri] };
  return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
}

class StudyPages implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #needs: StudyNeeds;
  readonly #open = new Set<StudyPanel>();

  constructor(extensionUri: vscode.Uri, needs: StudyNeeds) {
    this.#extensionUri = extensionUri;
    this.#needs = needs;
  }

  async ask(argument: unknown): Promise<void> {
    await this.#needs.failures.guard(notOpened(), async () => {
      const picked = argument instanceof vscode.Uri ? argument : await pickStudy();
      const uri = picked === undefined ? undefined : await savedStudy(picked);
      if (uri === undefined) return;
      const same = [...this.#open].find((page) => page.file.toString() === uri.toString());
      if (same !== undefined) {
        same.panel.reveal();
        await same.read();
        return;
      }
      const title = basename(uri.path, '.study.json');
      await this.#mount(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active), uri);
    });
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { keptStudySchema } = await import('../contract/page.ts');
    const study = keptStudySchema.safeParse(state).data?.study ?? '';
    if (study === '') panel.dispose();
    else await this.#needs.failures.guard(notOpened(), () => this.#mount(panel, vscode.Uri.parse(study)));
  }

  /** The panels stay: the editor brings them back with the next window. */
  dispose(): void {
    for (const page of this.#open) page.dispose();
  }

  async #mount(panel: vscode.WebviewPanel, uri: vscode.Uri): Promise<void> {
    const { StudyPanel } = await import('./studyPanel.ts');
    const page = new StudyPanel(panel, uri, { ...this.#needs, extensionUri: this.#extensionUri });
    this.#open.add(page);
    panel.onDidDispose(() => {
      this.#open.delete(page);
      page.dispose();
    });
  }
}

const notOpened = (): string => vscode.l10n.t('The study’s results were not opened');

/** The one in the editor, the only one there is, or the one a person picks. */
async function pickStudy(): Promise<vscode.Uri | undefined> {
  const active = studyInFront();
  if (active !== undefined) return active;
  const files = await vscode.workspace.findFiles(pattern, '**/node_modules/**', 200);
  if (files.length === 0) {
    const make = vscode.l10n.t('New Study');
    const text = vscode.l10n.t('There is no study yet: studies are files named *.study.json.');
    const chosen = await vscode.window.showInformationMessage(text, make);
    if (chosen === make) await vscode.commands.executeCommand('genenv.newStudy');
    return undefined;
  }
  if (files.length === 1) return files[0];
  const items = files.map((uri) => ({
    label: basename(uri.path),
    description: vscode.workspace.asRelativePath(uri),
    uri,
  }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Results of which study?') }))?.uri;
}
