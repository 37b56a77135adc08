/** Search of traces: the command, the view and the page with the results, and opening them. */
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import { pickRun, targetOf } from '../../../host/commands/pickRun.ts';
import { placeOf, taskScheme, traceScheme } from '../../../host/documents/layout/place.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { once } from '../../../host/once.ts';
import type { KnownRun, RunCatalog } from '../../../host/runs/runs.ts';
import type { OpenMatchNeeds } from './openMatch.ts';
import { SearchHistory } from './searchHistory.ts';
import type { FoundHit, FoundMatch } from './searchNodes.ts';
import { SearchPages } from './searchPages.ts';
import { SearchTree } from './searchTree.ts';
import { TraceSearch } from './traceSearch.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export interface SearchNeeds extends OpenMatchNeeds {
  catalog: RunCatalog;
  failures: Failures;
  log: vscode.LogOutputChannel;
  clock: Clock;
  dist: URL;
}

export function registerSearch(context: vscode.ExtensionContext, needs: SearchNeeds): void {
  const { failures, log, dist } = needs;
  const client = once(async () => {
    const { SearchClient } = await import('../node/searchClient.ts');
    const made = new SearchClient(new URL('search-worker.js', dist), (message) =>
      log.warn(`A search's index was not made: ${message}`),
    );
    context.subscriptions.push(new vscode.Disposable(() => void made.dispose()));
    return made;
  });
  const search = new TraceSearch(client);
  const tree = new SearchTree(search);
  const history = new SearchHistory(context.workspaceState);
  const begin = async (run: Pick<KnownRun, 'dir' | 'head'>, text: string): Promise<void> => {
    await history.add(text);
    await search.begin(run.dir, run.head.name, text);
  };
  const pages = new SearchPages({ ...needs, extensionUri: context.extensionUri, search, history, begin });
  const failed = vscode.l10n.t('The search did not start');
  const command = (name: string, what: string, work: (argument: unknown) => Promise<void> | void): vscode.Disposable =>
    registerCommand(`genenv.${name}`, (argument: unknown) => failures.guard(what, async () => work(argument)));
  const openFound = async (node: FoundHit | FoundMatch): Promise<void> => {
    const { openMatch } = await import('./openMatch.ts');
    const match = node.kind === 'match' ? node.match : (node.matches[0]?.match ?? null);
    await openMatch(node.run, node.hit, match, needs);
  };
  context.subscriptions.push(
    ...[search, pages, tree],
    command('searchTraces', failed, async (argument) => {
      const run = await runFor(argument, search, needs);
      if (run === undefined) return;
      const { askQuery } = await import('./askQuery.ts');
      const query = await askQuery(run.head.name, queryIn(argument), history.queries);
      if (query === undefined) return;
      await tree.show();
      await begin(run, query);
    }),
    command('refineSearch', failed, async () => {
      const { current } = search;
      if (current === null) return;
      await vscode.commands.executeCommand('genenv.searchTraces', { run: current.run, query: current.text });
    }),
    command('searchAgain', failed, () => search.again()),
    command('stopSearch', failed, () => search.stop()),
    command('clearSearch', failed, () => search.clear()),
    command('openSearchPage', vscode.l10n.t('The list was not shown'), () => pages.show()),
    registerCommand('genenv.openFound', (node: FoundHit | FoundMatch) =>
      failures.guard(notOpened(), () => openFound(node)),
    ),
  );
}

const notOpened = (): string => vscode.l10n.t('The result was not opened');

/**
 * The run for a search: the argument's, that of the document in front, the last one searched, else one from a picker.
 */
async function runFor(argument: unknown, search: TraceSearch, needs: SearchNeeds): Promise<KnownRun | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const inFront = uri?.scheme === taskScheme || uri?.scheme === traceScheme ? { run: placeOf(uri).run } : undefined;
  const last = search.current === null ? undefined : { run: search.current.run };
  return pickRun(needs, targetOf(argument) ?? inFront ?? last, {
    title: vscode.l10n.t('Search the traces of which run?'),
    fits: () => true,
    none: vscode.l10n.t('There are no runs yet whose traces could be searched.'),
  });
}

/** The initial text of the query field. */
const queryIn = (argument: unknown): string =>
  typeof argument === 'object' && argument !== null && 'query' in argument ? String(argument.query) : '';
