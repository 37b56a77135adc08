/** The host's side of the page that lists the hits. */
import * as vscode from 'vscode';
import { append } from '../../../shared/append.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import type { SearchHit, SearchMatch } from '../contract/searchHit.ts';
import { readTraceQuery } from '../contract/traceQuery.ts';
import { openRow, search, searched, searchRows, stopSearch, type SearchRow } from '../contract/page.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import { openMatch, type OpenMatchNeeds } from './openMatch.ts';
import type { RunCatalog, KnownRun } from '../../../host/runs/runs.ts';
import type { TraceSearch } from './traceSearch.ts';
import type { SearchHistory } from './searchHistory.ts';
import type { Failures } from '../../../host/feedback/failures.ts';

export interface SearchPagesNeeds extends OpenMatchNeeds {
  extensionUri: vscode.Uri;
  catalog: Pick<RunCatalog, 'get' | 'ready'>;
  search: TraceSearch;
  history: SearchHistory;
  failures: Failures;
  log: Pick<vscode.LogOutputChannel, 'error'>;
  /** Searches, and keeps the query. */
  begin: (run: KnownRun, text: string) => Promise<void>;
}

/** A line of the list. */
interface Line {
  hit: SearchHit;
  match: SearchMatch | null;
  more: number;
}

export class SearchPanel {
  readonly panel: vscode.WebviewPanel;
  readonly #needs: SearchPagesNeeds;
  readonly #channel: Channel;
  readonly #subscription: vscode.Disposable;
  /** Of the search with this number; grows with its hits. */
  #lines: { number: number; hits: number; lines: Line[] } = { number: 0, hits: 0, lines: [] };

  constructor(panel: vscode.WebviewPanel, needs: SearchPagesNeeds) {
    this.panel = panel;
    this.#needs = needs;
    panel.iconPath = pageIcon(needs.extensionUri);
    this.#channel = mountPage(panel.webview, {
      extensionUri: needs.extensionUri,
      name: 'search',
      title: panel.title,
      log: needs.log,
      onOpen: () => this.#tell(),
    });
    this.#subscription = needs.search.onDidChange(() => this.#tell());
    this.#answer();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#channel.dispose();
  }

  #answer(): void {
    const { search: searching, catalog, begin } = this.#needs;
    this.#channel.handle(search, ({ text }) => {
      const read = readTraceQuery(text);
      if ('problem' in read) return { problem: read.problem };
      const run = catalog.get(searching.current?.run ?? '');
      if (run === undefined) throw new Error(vscode.l10n.t('The run is gone. Search another one from the palette.'));
      void begin(run, text);
      return { problem: null };
    });
    this.#channel.handle(stopSearch, () => {
      searching.stop();
      return null;
    });
    this.#channel.handle(searchRows, ({ from, to }) => this.#grown().slice(from, to).map(rowOf));
    this.#channel.handle(openRow, async ({ row }) => {
      const line = this.#grown()[row];
      const run = searching.current?.run;
      if (line !== undefined && run !== undefined) await openMatch(run, line.hit, line.match, this.#needs);
      return null;
    });
  }

  #tell(): void {
    const { search: searching, history } = this.#needs;
    const { current } = searching;
    const tasks = current?.hits.filter(({ kind }) => kind === 'task').length ?? 0;
    this.#channel.emit(searched, {
      search: current?.number ?? 0,
      run: current?.run ?? null,
      runName: current?.runName ?? '',
      text: current?.text ?? '',
      rows: this.#grown().length,
      traces: (current?.hits.length ?? 0) - tasks,
      tasks,
      share: current?.share ?? null,
      limited: current?.summary?.limited ?? false,
      stopped: current?.stopped ?? false,
      failure: current?.failure ?? null,
      history: history.queries,
    });
  }

  /** Lines of the hits so far. */
  #grown(): readonly Line[] {
    const { current } = this.#needs.search;
    if (current === null) return [];
    if (this.#lines.number !== current.number) this.#lines = { number: current.number, hits: 0, lines: [] };
    for (const hit of current.hits.slice(this.#lines.hits)) append(this.#lines.lines, linesOf(hit));
    this.#lines.hits = current.hits.length;
    return this.#lines.lines;
  }
}

function linesOf(hit: SearchHit): Line[] {
  const { matches, more } = hit;
  if (matches.length === 0) return [{ hit, match: null, more }];
  return matches.map((match, at) => ({ hit, match, more: at === matches.length - 1 ? more : 0 }));
}

function rowOf({ hit, match, more }: Line): SearchRow {
  return {
    kind: hit.kind,
    id: hit.kind === 'trace' ? hit.trace : hit.task,
    epoch: hit.epoch,
    verdict: hit.kind === 'trace' ? hit.verdict : null,
    reward: hit.kind === 'trace' ? hit.reward : null,
    match: match === null ? null : { turn: match.turn, of: match.of, snippet: match.snippet },
    more,
  };
}
