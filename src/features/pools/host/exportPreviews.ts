/**
 * Previews of exports as read-only documents: columns, omissions with their reasons, first rows; a lens writes the
 * file.
 */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ExportChoice } from '../../../runs/export/formats.ts';
import type { PoolPart } from '../../../runs/export/poolPart.ts';
import { HeldDocuments } from '../../../host/heldDocuments.ts';
import { poolName } from '../../../host/trees/pool.ts';

const scheme = 'genenv-export';

/** The lens's argument for "Export Pool…". */
export interface PreviewedExport {
  run: string;
  previewed: { choice: ExportChoice; part: PoolPart };
}

interface Preview {
  text: string;
  of: PreviewedExport;
}

export class ExportPreviews implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #held = new HeldDocuments<Preview>(scheme, () =>
    vscode.l10n.t('This preview is gone: export the pool again.'),
  );
  readonly #registration = vscode.Disposable.from(
    this.#held.registration,
    vscode.languages.registerCodeLensProvider({ scheme }, this),
  );

  show(text: string, of: PreviewedExport): Promise<void> {
    const { pool, format } = of.previewed.choice;
    const title = vscode.l10n.t('{0} as {1}', poolName(pool), format);
    // Its folder is the run's, which the editor shows where two tabs have one title.
    const path = `/${basename(of.run)}/${title}.md`;
    return this.#held.show(vscode.Uri.from({ scheme, path, query: JSON.stringify(of) }), { text, of });
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const preview = this.#held.of(uri);
    if (preview === undefined) return [];
    const title = `$(export) ${vscode.l10n.t('Write to a File…')}`;
    const lens = { title, command: 'genenv.exportPool', arguments: [preview.of] };
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), lens)];
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
