/** The page of one attempt's tokens. */
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import { answerUri } from '../../../host/documents/layout/place.ts';
import { groupOf, traceOf } from '../../../host/documents/reading.ts';
import { runLog } from '../../../host/feedback/log.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import { entitle } from '../../../host/webviews/runTitle.ts';
import type { AgentTools } from '../../../launch/policies/newestAgent.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import { openTrace, shown, showVersion, type ShownTokens } from '../contract.ts';
import { tokensOf } from '../node/tokensOf.ts';
import { tokensOfAnswer } from '../node/tokensOfAnswer.ts';

export interface TokensPlace {
  /** Whether `run` is a run's folder or an evaluation's. */
  of: ShownTokens['of'];
  run: string;
  trace: string;
  /** The version that the sampler is compared with; null for the first after it. */
  other: string | null;
}

export interface TokensPanelNeeds {
  extensionUri: vscode.Uri;
  catalog: Pick<RunCatalog, 'get' | 'ready' | 'onDidChangeRuns' | 'onDidChangeList'>;
  open: OpenRuns;
  log: vscode.LogOutputChannel;
  clock: Clock;
  dist: URL;
  keys: Keys;
}

export class TokensPanel {
  readonly panel: vscode.WebviewPanel;
  readonly place: TokensPlace;
  readonly #needs: TokensPanelNeeds;
  readonly #channel: Channel;
  readonly #closing = new AbortController();
  /** Null until it was read. */
  #tokens: ShownTokens | null = null;

  constructor(panel: vscode.WebviewPanel, place: TokensPlace, needs: TokensPanelNeeds) {
    this.panel = panel;
    this.place = place;
    this.#needs = needs;
    entitle(panel, [place.run], needs.catalog, (run) => vscode.l10n.t('Tokens: {0} · {1}', place.trace, run));
    panel.iconPath = pageIcon(needs.extensionUri);
    this.#channel = mountPage(panel.webview, {
      extensionUri: needs.extensionUri,
      name: 'tokens',
      title: panel.title,
      log: needs.log,
      onOpen: () => this.#tell(),
    });
    this.#channel.handle(openTrace, async () => {
      const { of, run, trace } = place;
      if (of === 'run') await vscode.commands.executeCommand('genenv.openTrace', { run, trace });
      else await vscode.commands.executeCommand('vscode.open', answerUri(run, trace));
      return null;
    });
    this.#channel.handle(showVersion, async ({ version }) => {
      await this.show(version);
      return null;
    });
  }

  get tokens(): ShownTokens | null {
    return this.#tokens;
  }

  /** @throws RunError; Error where there is no such trace or version */
  async show(version: string | null): Promise<void> {
    const { dist, clock, keys, log } = this.#needs;
    const tools = { dist, clock, keys, log: runLog(log), signal: this.#closing.signal };
    const told = await (this.place.of === 'run' ? this.#ofRun(version, tools) : this.#ofAnswer(version, tools));
    if (this.#closing.signal.aborted) return;
    this.#tokens = told;
    this.#tell();
  }

  async #ofRun(version: string | null, tools: AgentTools): Promise<ShownTokens> {
    const run = await this.#needs.open.open(this.place.run);
    const trace = await traceOf(run, this.place.trace);
    const group = await groupOf(run, trace);
    return tokensOf(run.followed.reader, { trace, group, version }, tools);
  }

  async #ofAnswer(version: string | null, tools: AgentTools): Promise<ShownTokens> {
    const { run: folder, trace } = this.place;
    const told = await tokensOfAnswer({ folder, trace, version }, tools);
    if (told === null) throw new Error(vscode.l10n.t('This evaluation has no attempt “{0}”.', trace));
    return told;
  }

  dispose(): void {
    this.#closing.abort(new Error('The page was closed.'));
    this.#channel.dispose();
  }

  #tell(): void {
    if (this.#tokens !== null) this.#channel.emit(shown, this.#tokens);
  }
}
