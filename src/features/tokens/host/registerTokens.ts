/** Opens pages of tokens, one an attempt, and brings them back after the window is loaded anew. */
import * as vscode from 'vscode';
import { answerScheme, placeOf, traceScheme } from '../../../host/documents/layout/place.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { runTargetSchema } from '../../../host/trees/target.ts';
import type { ShownTokens } from '../contract.ts';
import type { TokensPanel, TokensPanelNeeds, TokensPlace } from './tokensPanel.ts';
import { once } from '../../../host/once.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

const viewType = 'genenv.tokens';

export interface TokensNeeds extends Omit<TokensPanelNeeds, 'extensionUri'> {
  failures: Failures;
}

export function registerTokens({ extensionUri, subscriptions }: vscode.ExtensionContext, needs: TokensNeeds): void {
  const pages = new TokensPages(extensionUri, needs);
  subscriptions.push(
    pages,
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, state) => pages.restore(panel, state),
    }),
    registerCommand('genenv.showTokens', (argument: unknown) => pages.show(argument)),
  );
}

const notShown = (): string => vscode.l10n.t('The tokens were not shown');
const targetSchema = once(() => runTargetSchema.required({ trace: true }));

class TokensPages implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #needs: TokensNeeds;
  readonly #open = new Set<TokensPanel>();

  constructor(extensionUri: vscode.Uri, needs: TokensNeeds) {
    this.#extensionUri = extensionUri;
    this.#needs = needs;
  }

  /** @returns what the page shows */
  async show(argument: unknown): Promise<ShownTokens | null | undefined> {
    return this.#needs.failures.guard(notShown(), async () => {
      const place = placeFrom(argument);
      const same = [...this.#open].find(({ place: { run, trace } }) => run === place.run && trace === place.trace);
      if (same === undefined) {
        return this.#mount(vscode.window.createWebviewPanel(viewType, place.trace, vscode.ViewColumn.Active), place);
      }
      same.panel.reveal();
      return same.tokens;
    });
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.#needs.catalog.ready;
    const { keptTokensSchema } = await import('../contract.ts');
    const kept = keptTokensSchema.safeParse(state).data;
    // Its run may have been deleted meanwhile.
    const gone = kept?.of === 'run' && this.#needs.catalog.get(kept.run) === undefined;
    if (kept === undefined || gone) panel.dispose();
    else await this.#needs.failures.guard(notShown(), () => this.#mount(panel, kept));
  }

  /** The panels stay: the editor brings them back with the next window. */
  dispose(): void {
    for (const page of this.#open) page.dispose();
  }

  async #mount(panel: vscode.WebviewPanel, place: TokensPlace): Promise<ShownTokens | null> {
    try {
      const { TokensPanel: Panel } = await import('./tokensPanel.ts');
      const page = new Panel(panel, place, { ...this.#needs, extensionUri: this.#extensionUri });
      this.#open.add(page);
      panel.onDidDispose(() => {
        this.#open.delete(page);
        page.dispose();
      });
      // The page is there at once, and says that it loads.
      await page.show(place.other);
      return page.tokens;
    } catch (error) {
      panel.dispose();
      throw error;
    }
  }
}

/** A node of the tree, a lens, or the trace in front. */
function placeFrom(argument: unknown): TokensPlace {
  const given = targetSchema().safeParse(argument);
  if (given.success) return { of: 'run', run: given.data.run, trace: given.data.trace, other: null };
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== traceScheme && uri?.scheme !== answerScheme) throw new Error(vscode.l10n.t('No trace is open.'));
  const { run, id } = placeOf(uri);
  return { of: uri.scheme === answerScheme ? 'evaluation' : 'run', run, trace: id, other: null };
}
