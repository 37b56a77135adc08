/** A pool as read-only JSON lines, one page a document, with lenses that turn the page. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { once } from '../../../host/once.ts';
import { RunError } from '../../../runs/store/runError.ts';
import { placeOf, poolScheme, uriOf } from '../../../host/documents/layout/place.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import { emptyText, poolName, pools, type Pool } from '../../../host/trees/pool.ts';

/** The code that reads a pool's lines is loaded with the first pool that is opened. */
const paging = () => import('./poolPage.ts');

/** The argument of `genenv.openPool`: a node of the tree, or a lens. */
const requestSchema = once(() =>
  z.object({
    run: z.string(),
    pool: z.enum(pools),
    /** First line, from 0. */
    from: z.int().nonnegative().default(0),
    /** Asks for the first line. */
    ask: z.boolean().default(false),
  }),
);

export class PoolDocuments implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #open: OpenRuns;
  /** Lines of the whole pool, by document. */
  readonly #totals = new Map<string, number>();
  readonly #registration: vscode.Disposable;

  constructor(open: OpenRuns) {
    this.#open = open;
    this.#registration = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(poolScheme, this),
      vscode.languages.registerCodeLensProvider({ scheme: poolScheme }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#totals.delete(uri.toString())),
    );
  }

  /** @throws RunError, InputError */
  async open(argument: unknown): Promise<void> {
    const { run, pool, from, ask } = requestSchema().parse(argument);
    const { pageLines, readPage } = await paging();
    const { total } = await readPage(await this.#open.open(run), pool, from);
    if (total === 0) {
      void vscode.window.showInformationMessage(emptyText(pool));
      return;
    }
    const first = ask ? await askLine(total) : from;
    if (first === undefined) return;
    const last = Math.min(total, first + pageLines);
    const title = `${poolName(pool)} ${count(first + 1)}–${count(last)}.jsonl`;
    const document = await vscode.workspace.openTextDocument(uriOf(poolScheme, { run, id: pool, at: first }, title));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { run, pool, from } = requestOf(uri);
    try {
      const { readPage } = await paging();
      const { lines, total } = await readPage(await this.#open.open(run), pool, from);
      this.#totals.set(uri.toString(), total);
      return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    } catch (error) {
      if (RunError.is(error)) return error.message;
      throw error;
    }
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const total = this.#totals.get(uri.toString());
    if (total === undefined) return [];
    const { pageLines } = await paging();
    const { run, pool, from } = requestOf(uri);
    const last = Math.min(total, from + pageLines);
    const place = vscode.l10n.t('{0} {1}–{2} of {3}', poolName(pool), count(from + 1), count(last), count(total));
    const lens = (title: string, more: Record<string, unknown>): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title,
        command: 'genenv.openPool',
        arguments: [{ run, pool, ...more }],
      });
    return [
      lens(place, { ask: true }),
      ...(from === 0
        ? []
        : [lens(`$(arrow-left) ${vscode.l10n.t('Previous')}`, { from: Math.max(0, from - pageLines) })]),
      ...(last >= total ? [] : [lens(`${vscode.l10n.t('Next')} $(arrow-right)`, { from: last })]),
      ...(pool === 'base' ? [] : [exportLens(run, pool)]),
    ];
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

const exportLens = (run: string, pool: Pool): vscode.CodeLens =>
  new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
    title: `$(export) ${vscode.l10n.t('Export…')}`,
    command: 'genenv.exportPool',
    arguments: [{ run, pool }],
  });

function requestOf(uri: vscode.Uri): z.infer<ReturnType<typeof requestSchema>> {
  const { run, id, at } = placeOf(uri);
  return requestSchema().parse({ run, pool: id, from: at });
}

async function askLine(total: number): Promise<number | undefined> {
  const prompt = vscode.l10n.t('A number from 1 to {0}', count(total));
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('Show the Pool from Line…'),
    prompt,
    validateInput: (value) => (isLine(value, total) ? null : prompt),
  });
  return text === undefined ? undefined : Number(text) - 1;
}

const isLine = (text: string, total: number): boolean =>
  /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= total;
