/** Previews of exports as read-only documents: columns, what is left out and why, first rows; a lens writes the file. */
import * as vscode from 'vscode';
import type { ExportChoice } from '../../runs/export/formats.ts';
import type { PoolPart } from '../../runs/export/poolPart.ts';
import { poolName } from './pool.ts';

const scheme = 'genenv-export';

/** What the lens carries on with: an argument of "Export Pool…". */
export interface PreviewedExport {
  run: string;
  previewed: { choice: ExportChoice; part: PoolPart };
}

interface Preview {
  text: string;
  of: PreviewedExport;
}

export class ExportPreviews implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #previews = new Map<string, Preview>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#registration = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.languages.registerCodeLensProvider({ scheme }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#previews.delete(uri.toString())),
    );
  }

  async show(text: string, of: PreviewedExport): Promise<void> {
    const { pool, format } = of.previewed.choice;
    const title = vscode.l10n.t('{0} as {1}', poolName(pool), format);
    const uri = vscode.Uri.from({ scheme, path: `/${title}.md`, query: JSON.stringify(of) });
    this.#previews.set(uri.toString(), { text, of });
    // One that is open already shows what the run has now.
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const preview = this.#previews.get(uri.toString());
    return preview?.text ?? vscode.l10n.t('This preview is gone: export the pool again.');
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const preview = this.#previews.get(uri.toString());
    if (preview === undefined) return [];
    const title = `$(export) ${vscode.l10n.t('Write to a File…')}`;
    const lens = { title, command: 'genenv.exportPool', arguments: [preview.of] };
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), lens)];
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
