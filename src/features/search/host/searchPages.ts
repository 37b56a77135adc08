/** The page that lists the hits: one a window, brought back after it is loaded anew. */
import * as vscode from 'vscode';
import type { SearchPanel, SearchPagesNeeds } from './searchPanel.ts';

const viewType = 'genenv.searchPage';

export class SearchPages implements vscode.Disposable {
  readonly #needs: SearchPagesNeeds;
  readonly #serializer: vscode.Disposable;
  #panel: SearchPanel | null = null;

  constructor(needs: SearchPagesNeeds) {
    this.#needs = needs;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, state) => this.#restore(panel, state),
    });
  }

  async show(): Promise<void> {
    if (this.#panel !== null) this.#panel.panel.reveal();
    else await this.#mount(vscode.window.createWebviewPanel(viewType, title(), vscode.ViewColumn.Active));
  }

  /** The panel stays: the editor brings it back with the next window. */
  dispose(): void {
    this.#serializer.dispose();
    this.#panel?.dispose();
  }

  async #restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { catalog, search, begin, failures } = this.#needs;
    await catalog.ready;
    const { keptSearchSchema } = await import('../contract/page.ts');
    const kept = keptSearchSchema.safeParse(state).data;
    const run = kept === undefined ? undefined : catalog.get(kept.run);
    // Its run may have been deleted meanwhile.
    if (kept === undefined || run === undefined || this.#panel !== null) {
      panel.dispose();
      return;
    }
    await failures.guard(vscode.l10n.t('The list was not shown'), () => this.#mount(panel));
    if (search.current === null) await begin(run, kept.text);
  }

  async #mount(panel: vscode.WebviewPanel): Promise<void> {
    const { SearchPanel: Panel } = await import('./searchPanel.ts');
    const page = new Panel(panel, this.#needs);
    this.#panel = page;
    panel.onDidDispose(() => {
      this.#panel = null;
      page.dispose();
    });
  }
}

const title = (): string => vscode.l10n.t('Trace Search');
