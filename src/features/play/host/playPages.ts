/** The pages on which people play tasks. Loaded with the first of them. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { pickRun } from '../../../host/commands/pickRun.ts';
import { placeOf, taskScheme, traceScheme } from '../../../host/documents/layout/place.ts';
import { author } from '../../../launch/author.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { runTargetSchema } from '../../../host/trees/target.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { notPlayed, viewType, type PlayNeeds } from './playNeeds.ts';
import type { PlayPanel } from './playPanel.ts';

/** `anew`: not asked whether to continue one. */
const askedSchema = runTargetSchema.extend({ anew: z.boolean().optional() });
type Asked = z.infer<typeof askedSchema>;

const begins = () => import('../node/play.ts');

export class PlayPages implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #needs: PlayNeeds;
  readonly #open = new Set<PlayPanel>();

  constructor(extensionUri: vscode.Uri, needs: PlayNeeds) {
    this.#extensionUri = extensionUri;
    this.#needs = needs;
  }

  async show(argument: unknown): Promise<void> {
    requireTrust();
    const [{ beginPlay, continuedPlay }, { chosenTask, openChoice }] = await Promise.all([
      begins(),
      import('./playChoice.ts'),
    ]);
    const asked = await this.#targetOf(argument);
    if (asked === undefined) return;
    const run = await this.#reader(asked.run);
    const begun = await this.#opened(run, async () => {
      const task = await chosenTask(run, asked);
      if (task === null) return null;
      const left = asked.anew === true ? 'new' : await openChoice(run, task, author());
      if (left === null) return null;
      return left === 'new' ? beginPlay(run, task, author(), this.#needs.clock) : continuedPlay(run, left);
    });
    if (begun === null) return;
    const same = [...this.#open].find(({ play }) => play.id === begun.play.id);
    if (same === undefined) {
      const panel = vscode.window.createWebviewPanel(viewType, begun.play.task, vscode.ViewColumn.Active);
      await this.#mount(panel, run, begun);
    } else {
      same.panel.reveal();
      await run.close();
    }
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { catalog, failures } = this.#needs;
    await catalog.ready;
    const [{ beginPlay, continuedPlay }, { keptPlaySchema }] = await Promise.all([begins(), import('../contract.ts')]);
    const kept = keptPlaySchema.safeParse(state).data;
    // Its run may have been deleted meanwhile; in Restricted Mode nothing is played.
    if (kept === undefined || catalog.get(kept.run) === undefined || !vscode.workspace.isTrusted) {
      panel.dispose();
      return;
    }
    await failures.guard(notPlayed(), async () => {
      const run = await this.#reader(kept.run);
      const begun = await this.#opened(run, () =>
        continuedPlay(run, kept.play).catch(() => beginPlay(run, kept.task, author(), this.#needs.clock)),
      );
      if (begun !== null) await this.#mount(panel, run, begun);
    });
  }

  /** The panels stay: the editor brings them back with the next window. */
  dispose(): void {
    for (const page of this.#open) void page.dispose();
  }

  async #reader(dir: string): Promise<RunReader> {
    const { store, id } = await this.#needs.folders.locate(dir);
    return store.openReader(id);
  }

  /** Closes the run where nothing was opened. */
  async #opened<T>(run: RunReader, open: () => Promise<T | null>): Promise<T | null> {
    try {
      const opened = await open();
      if (opened === null) await run.close();
      return opened;
    } catch (error) {
      await run.close();
      throw error;
    }
  }

  async #mount(
    panel: vscode.WebviewPanel,
    run: RunReader,
    begun: ConstructorParameters<typeof PlayPanel>[2],
  ): Promise<void> {
    const { PlayPanel: Panel } = await import('./playPanel.ts');
    const { catalog, dist, clock, keys, log, failures } = this.#needs;
    const { readRunName } = await import('../../../runs/store/runName.ts');
    const runName = await readRunName(run);
    const page = new Panel(panel, run, begun, {
      ...{ extensionUri: this.#extensionUri, catalog, dist, clock, keys, log, failures, runName },
      ended: (dir) => void failures.guard(vscode.l10n.t('The open file was not updated'), () => this.#again(dir)),
    });
    this.#open.add(page);
    panel.onDidDispose(() => {
      this.#open.delete(page);
      void page.dispose();
    });
  }

  /** Open documents of the run show the new attempt. */
  async #again(run: string): Promise<void> {
    const uris = vscode.workspace.textDocuments.map(({ uri }) => uri);
    for (const [scheme, files] of [
      [taskScheme, this.#needs.tasks],
      [traceScheme, this.#needs.traces],
    ] as const) {
      await files.again(uris.filter((uri) => uri.scheme === scheme && placeOf(uri).run === run));
    }
  }

  /** A node of the tree, a lens, the document in front, or a run that is picked. */
  async #targetOf(argument: unknown): Promise<Asked | undefined> {
    const given = argument instanceof vscode.Uri ? undefined : askedSchema.safeParse(argument).data;
    if (given !== undefined) return given;
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme === taskScheme || uri?.scheme === traceScheme) {
      const { run, id } = placeOf(uri);
      return uri.scheme === taskScheme ? { run, task: id } : { run, trace: id };
    }
    const run = await pickRun(this.#needs, undefined, {
      title: vscode.l10n.t('Play a task of which run?'),
      fits: () => true,
      none: vscode.l10n.t('There is no run yet.'),
    });
    return run === undefined ? undefined : { run: run.dir };
  }
}
