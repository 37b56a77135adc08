/** Commands of evaluations, and the pages that they open. */
import * as vscode from 'vscode';
import type { AdapterFile } from '../../../host/files/adapterFiles.ts';
import { saveChanges } from '../../../host/files/saveChanges.ts';
import { once } from '../../../host/once.ts';
import type { EvaluationRequest } from '../../../shared/records/evaluation.ts';
import type { Evaluation } from '../node/evaluate.ts';
import type { EvaluationPanel } from './evaluationPanel.ts';
import type { Evaluations } from './evaluations.ts';
import { evaluationView, notCompared, notEvaluated, type EvaluationsDeps } from './evaluationNames.ts';

const given = once(() => import('./given.ts'));

export class EvaluationPages {
  readonly #evaluations: Evaluations;
  readonly #context: vscode.ExtensionContext;
  readonly #deps: EvaluationsDeps;
  readonly #open = new Map<string, EvaluationPanel>();

  constructor(evaluations: Evaluations, context: vscode.ExtensionContext, deps: EvaluationsDeps) {
    this.#evaluations = evaluations;
    this.#context = context;
    this.#deps = deps;
  }

  /** @returns the evaluation; null when it was given up or stopped */
  async begin(argument: unknown): Promise<Evaluation | null> {
    const { givenRequestSchema } = await given();
    const whole = givenRequestSchema.safeParse(argument).data?.request;
    if (whole !== undefined) return this.#run(whole);
    const request = await this.#ask(argument);
    if (request === null) return null;
    const { confirmed } = await import('./evaluateCommand.ts');
    return (await confirmed(request)) ? this.#run(request) : null;
  }

  async goOn(folder: string): Promise<void> {
    const { readRequest } = await import('../node/asked.ts');
    const request = await readRequest(folder);
    if (request === null) {
      throw new Error(vscode.l10n.t('Its settings were not kept: continue it with “genenv evaluate”.'));
    }
    await this.#run(request, folder);
  }

  async show(folder: string): Promise<void> {
    const there = this.#open.get(folder);
    if (there !== undefined) {
      there.panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      evaluationView,
      vscode.l10n.t('Evaluation'),
      vscode.ViewColumn.Active,
    );
    await this.#mount(panel, folder);
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { keptEvaluationSchema } = await import('../contract.ts');
    const folder = keptEvaluationSchema.safeParse(state).data?.folder;
    // It may have been deleted meanwhile.
    const known = folder !== undefined && (await this.#evaluations.list()).some((head) => head.folder === folder);
    if (known) await this.#mount(panel, folder);
    else panel.dispose();
  }

  async compare(argument: unknown): Promise<void> {
    const { givenFolderSchema } = await given();
    const first = givenFolderSchema.safeParse(argument).data?.folder ?? null;
    const [{ askTwo }, { showPair }] = await Promise.all([import('./comparison.ts'), import('./pairPanel.ts')]);
    const two = await askTwo(await this.#evaluations.list(), first, this.#deps.clock.now());
    if (two === null) return;
    await showPair(two, this.#pairNeeds());
  }

  async restorePair(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const [{ keptPairSchema }, { mountPair }] = await Promise.all([import('../contract.ts'), import('./pairPanel.ts')]);
    const folders = keptPairSchema.safeParse(state).data?.folders;
    const known = new Set((await this.#evaluations.list()).map(({ folder }) => folder));
    if (folders?.every((folder) => known.has(folder)) === true) await mountPair(panel, folders, this.#pairNeeds());
    else panel.dispose();
  }

  #pairNeeds() {
    const { failures, log } = this.#deps;
    return { failures, log, extensionUri: this.#context.extensionUri };
  }

  /** The row or folder that a command was called with, else the one that a person picks; null when there is none. */
  async folderOf(argument: unknown, title: string, unfinished: boolean): Promise<string | null> {
    const { givenFolderSchema } = await given();
    const known = givenFolderSchema.safeParse(argument).data?.folder;
    if (known !== undefined) return known;
    const heads = (await this.#evaluations.list()).filter((head) => !unfinished || head.answered < head.asked);
    if (heads.length === 0) {
      const none = unfinished
        ? vscode.l10n.t('No evaluation was interrupted.')
        : vscode.l10n.t('No evaluation yet. Run “Evaluate on Benchmark…”.');
      void vscode.window.showInformationMessage(none);
      return null;
    }
    const { evaluationWords } = await import('./words.ts');
    const now = this.#deps.clock.now();
    const items = heads.map((head) => ({ ...evaluationWords(head, now), folder: head.folder }));
    return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.folder ?? null;
  }

  /** The panels stay: the editor brings them back with the next window. */
  dispose(): void {
    for (const page of this.#open.values()) page.dispose();
  }

  async #ask(argument: unknown): Promise<EvaluationRequest | null> {
    const { givenPolicySchema } = await given();
    const { askEvaluation } = await import('./askEvaluation.ts');
    const policy = givenPolicySchema.safeParse(argument).data ?? null;
    const adapter = await this.#adapterOf(argument);
    if (adapter === null) return null;
    // It is read from the disk, now and whenever the evaluation continues.
    await saveChanges(adapter);
    return askEvaluation(adapter, policy, { ...this.#deps, memory: this.#context.workspaceState });
  }

  /** Those that come with the extension are on offer too: a person need not copy one to measure on it. */
  async #adapterOf(argument: unknown): Promise<vscode.Uri | null> {
    const { pickAdapter, uriOfRow } = await import('../../../host/files/adapterInFront.ts');
    const row = argument instanceof vscode.Uri ? argument : uriOfRow(argument);
    if (row !== null) return row;
    const title = vscode.l10n.t('Evaluate on which benchmark?');
    const sound = ({ adapter }: AdapterFile): boolean => adapter !== null;
    return (await pickAdapter(this.#deps.files, title, 'own, then shipped', sound)) ?? null;
  }

  async #run(request: EvaluationRequest, into?: string): Promise<Evaluation | null> {
    const { runEvaluation } = await import('./evaluateCommand.ts');
    const begun = (folder: string): void =>
      void this.#deps.failures.guard(vscode.l10n.t('The page was not opened'), () => this.show(folder));
    return runEvaluation(this.#evaluations, request, begun, into);
  }

  async #mount(panel: vscode.WebviewPanel, folder: string): Promise<void> {
    const { failures, log } = this.#deps;
    const { EvaluationPanel } = await import('./evaluationPanel.ts');
    const { extensionUri } = this.#context;
    const page = new EvaluationPanel(panel, folder, {
      ...{ extensionUri, evaluations: this.#evaluations, log },
      act: {
        continue: (at) => void failures.guard(notEvaluated(), () => this.goOn(at)),
        compare: (at) => void failures.guard(notCompared(), () => this.compare({ folder: at })),
        open: (at, trace) =>
          void failures.guard(vscode.l10n.t('The attempt was not opened'), async () => {
            const { answerUri } = await import('../../../host/documents/layout/place.ts');
            await vscode.window.showTextDocument(answerUri(at, trace), { preview: true });
          }),
      },
    });
    this.#open.set(folder, page);
    panel.onDidDispose(() => {
      this.#open.delete(folder);
      page.dispose();
    });
  }
}
