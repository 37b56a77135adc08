/** Proposals that wait, in the view Data: a row each, told of when they come, and their texts for the difference. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { watchFiles } from '../../../host/files/watchFiles.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { TreePart } from '../../../host/trees/foldedTrees.ts';
import type { RunFolder, RunFolders } from '../../../host/runs/runFolders.ts';
import { once } from '../../../host/once.ts';
import { withMarksShown } from '../../../shared/text/hiddenMarks.ts';
import type { Proposal } from '../contract.ts';
import type { ProposalFolder } from '../node/proposals.ts';

const proposalScheme = 'genenv-proposal';

/** One that waits, and where. */
export interface WaitingProposal {
  proposal: Proposal;
  folder: RunFolder;
}

/** Above all that wait. */
export const proposalsRoot = { kind: 'proposals' } as const;
export type ProposalRow = typeof proposalsRoot | WaitingProposal;

/** Milliseconds: a proposal's file is written, then renamed. */
const gather = 100;

/** The query of a document that stands for a file that is not there. */
const nothing = 'nothing';

const load = once(() => import('../node/proposals.ts'));

export class ProposalsView implements TreePart<ProposalRow>, vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #folders: RunFolders;
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #came = new vscode.EventEmitter<readonly WaitingProposal[]>();
  readonly #subscriptions: vscode.Disposable[];
  #watchers: vscode.Disposable[] = [];
  #waiting: readonly WaitingProposal[] = [];
  /** Ids by rows, those of earlier looks too: a row that was clicked may be read anew meanwhile. */
  readonly #ids = new WeakMap<object, string>();
  #soon: NodeJS.Timeout | null = null;

  readonly onDidChangeTreeData = this.#changed.event;
  /** Those that were not there at the look before. */
  readonly onDidCome = this.#came.event;

  constructor(folders: RunFolders, clock: Clock, failed: (error: unknown) => void) {
    this.#folders = folders;
    this.#clock = clock;
    this.#failed = failed;
    this.#subscriptions = [
      this.#changed,
      this.#came,
      vscode.workspace.registerTextDocumentContentProvider(proposalScheme, this),
      folders.onDidChange(() => this.#watch()),
    ];
    this.#watch();
  }

  get waiting(): readonly WaitingProposal[] {
    return this.#waiting;
  }

  async folderOf({ workspace, root }: RunFolder): Promise<ProposalFolder> {
    const { ProposalFolder } = await load();
    return new ProposalFolder(workspace.uri.fsPath, root, this.#clock);
  }

  /** Reads what waits now. */
  async look(): Promise<void> {
    const before = new Set(this.#waiting.map(({ proposal }) => proposal.id));
    const found: WaitingProposal[] = [];
    for (const folder of this.#folders.all) {
      const { proposals } = await (await this.folderOf(folder)).all();
      for (const proposal of proposals) if (proposal.answer === null) found.push({ proposal, folder });
    }
    this.#waiting = found;
    for (const one of found) this.#ids.set(one, one.proposal.id);
    void vscode.commands.executeCommand('setContext', 'genenv.hasProposals', found.length > 0);
    this.#changed.fire(undefined);
    const fresh = found.filter(({ proposal }) => !before.has(proposal.id));
    if (fresh.length > 0) this.#came.fire(fresh);
  }

  get badge(): vscode.ViewBadge | undefined {
    const value = this.#waiting.length;
    return value === 0 ? undefined : { value, tooltip: waitingWords(value) };
  }

  getChildren(of?: ProposalRow): ProposalRow[] {
    if (of === proposalsRoot) return [...this.#waiting];
    return of === undefined && this.#waiting.length > 0 ? [proposalsRoot] : [];
  }

  getParent(of: ProposalRow): ProposalRow | null {
    return of === proposalsRoot ? null : proposalsRoot;
  }

  getTreeItem(waiting: ProposalRow): vscode.TreeItem {
    if ('kind' in waiting) return this.#rootItem();
    const { file, by, why } = waiting.proposal;
    const item = new vscode.TreeItem(withMarksShown(basename(file)));
    item.id = waiting.proposal.id;
    item.description = withMarksShown(why);
    item.tooltip = withMarksShown(`${file}\n${by}: ${why}`);
    item.contextValue = 'proposal';
    item.iconPath = new vscode.ThemeIcon('git-pull-request');
    item.command = { command: 'genenv.openProposal', title: vscode.l10n.t('Show Proposal'), arguments: [waiting] };
    return item;
  }

  /** Of a row, as it is now. */
  ofRow(row: unknown): WaitingProposal | undefined {
    const id = typeof row === 'object' && row !== null ? this.#ids.get(row) : undefined;
    return id === undefined ? undefined : this.#waiting.find(({ proposal }) => proposal.id === id);
  }

  /** Of one that is open, by its document. */
  find(uri: vscode.Uri): WaitingProposal | undefined {
    return this.#waiting.find((one) => uriOf(one).toString() === uri.toString());
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    if (uri.query === nothing) return '';
    return this.find(uri)?.proposal.text ?? vscode.l10n.t('This proposal was answered.');
  }

  dispose(): void {
    if (this.#soon !== null) clearTimeout(this.#soon);
    vscode.Disposable.from(...this.#subscriptions, ...this.#watchers).dispose();
  }

  #rootItem(): vscode.TreeItem {
    const { Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(vscode.l10n.t('Proposals'), Expanded);
    item.id = 'proposals';
    item.description = String(this.#waiting.length);
    item.iconPath = new vscode.ThemeIcon('git-pull-request');
    item.tooltip = waitingWords(this.#waiting.length);
    return item;
  }

  #watch(): void {
    vscode.Disposable.from(...this.#watchers).dispose();
    const later = (): void => {
      this.#soon ??= setTimeout(() => {
        this.#soon = null;
        this.look().catch(this.#failed);
      }, gather);
    };
    this.#watchers = this.#folders.all.map(({ root }) =>
      watchFiles(new vscode.RelativePattern(vscode.Uri.file(dirname(root)), 'proposals/*.json'), later),
    );
    later();
  }
}

const waitingWords = (count: number): string =>
  count === 1
    ? vscode.l10n.t('A proposal of a coding agent waits for you.')
    : vscode.l10n.t('{0} proposals of coding agents wait for you.', count);

/** Ends as the file does, so that the editor knows its language. */
export const uriOf = ({ proposal, folder }: WaitingProposal): vscode.Uri =>
  vscode.Uri.from({
    scheme: proposalScheme,
    path: `/${proposal.file}`,
    query: `${folder.workspace.name}/${proposal.id}`,
  });

/** The empty document that a proposal of a new file is compared with. */
export const emptyUri = ({ proposal }: WaitingProposal): vscode.Uri =>
  vscode.Uri.from({ scheme: proposalScheme, path: `/${proposal.file}`, query: nothing });
