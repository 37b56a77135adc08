/** Runs cases for the Test Explorer: in the same processes as in a run, reporting each verdict as it arrives. */
import * as vscode from 'vscode';
import { InputError } from '../../../../launch/inputs/inputError.ts';
import type { CoverageFold } from '../../../../rewards/covered/coverageFold.ts';
import { rewardLanguage } from '../../../../shared/rewards/rewardFile.ts';
import type { DebugCalls } from '../debug/registerDebug.ts';
import { casesOf } from './caseFiles.ts';
import type { CaseItems } from '../../../../host/cases/caseItems.ts';
import type { CaseLine } from '../../../../shared/rewards/cases.ts';
import { problemMessage } from './caseVerdict.ts';
import { chosenCases } from '../../../../host/cases/chosenCases.ts';
import { coverageDetails } from './coverageDetails.ts';
import { debugCases, judgeCases } from './judgedCases.ts';
import { ToldCases } from './toldCases.ts';

/** How cases are run. */
export type CaseRunKind = 'run' | 'coverage' | 'debug';

export interface CaseRunDeps {
  /** The folder of built files. */
  dist: URL;
  /** Determines the interpreter of a user’s Python. */
  python: () => Promise<unknown>;
  debug: DebugCalls;
}

export class CaseRuns {
  readonly #controller: vscode.TestController;
  readonly #items: CaseItems<CaseLine>;
  readonly #deps: CaseRunDeps;
  /** The user's files that each reward’s last run loaded, by the reward’s item. */
  readonly #loaded = new WeakMap<vscode.TestItem, readonly string[]>();
  readonly #details = new WeakMap<vscode.FileCoverage, vscode.FileCoverageDetail[]>();

  constructor(controller: vscode.TestController, items: CaseItems<CaseLine>, deps: CaseRunDeps) {
    this.#controller = controller;
    this.#items = items;
    this.#deps = deps;
  }

  /** Paths whose change concerns a reward’s cases. */
  filesOf(item: vscode.TestItem): readonly string[] {
    const reward = this.#items.programOf(item);
    if (reward === null) return [];
    return [reward.fsPath, casesOf(reward).fsPath, ...(this.#loaded.get(item) ?? [])];
  }

  /** Of coverage that a run of this window gave. */
  detailsOf(coverage: vscode.FileCoverage): vscode.FileCoverageDetail[] {
    return this.#details.get(coverage) ?? [];
  }

  /** Reward after reward, case after case. */
  async run(request: vscode.TestRunRequest, token: vscode.CancellationToken, how: CaseRunKind): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const ending = new vscode.CancellationTokenSource();
    const end = (): void => ending.cancel();
    const stopped = vscode.Disposable.from(
      token.onCancellationRequested(end),
      run.token.onCancellationRequested(end),
      ending,
    );
    try {
      const fold = how === 'coverage' ? await newFold() : null;
      const chosen = await chosenCases(this.#controller, this.#items, request);
      for (const cases of chosen.values()) for (const one of cases) run.enqueued(one);
      for (const [item, cases] of chosen) {
        const reward = this.#items.programOf(item);
        if (reward === null || ending.token.isCancellationRequested) continue;
        const told = await this.#ready(item, reward, cases, run);
        try {
          if (how === 'debug') await debugCases(reward, told, run, (asked) => this.#deps.debug(asked, ending.token));
          else await this.#judge(item, reward, told, ending.token, fold);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          told.fail(error.problems.map(problemMessage));
        }
        told.skip();
      }
      for (const file of fold?.files() ?? []) {
        const details = coverageDetails(file);
        const coverage = vscode.FileCoverage.fromDetails(vscode.Uri.file(file.file), details);
        this.#details.set(coverage, details);
        run.addCoverage(coverage);
      }
    } finally {
      stopped.dispose();
      run.end();
    }
  }

  /** Saved, for both are read from the disk; items deleted since the choice are not run. */
  async #ready(
    item: vscode.TestItem,
    reward: vscode.Uri,
    cases: readonly vscode.TestItem[],
    run: vscode.TestRun,
  ): Promise<ToldCases> {
    const files = [reward, casesOf(reward)].map(String);
    for (const document of vscode.workspace.textDocuments) {
      if (files.includes(document.uri.toString())) await document.save();
    }
    await this.#items.read(item);
    const lines = this.#items.linesOf(item);
    for (const one of cases) if (!lines.has(one)) run.skipped(one);
    const there = [...lines].filter(([one]) => cases.includes(one));
    return new ToldCases(run, reward, there);
  }

  async #judge(
    item: vscode.TestItem,
    reward: vscode.Uri,
    told: ToldCases,
    token: vscode.CancellationToken,
    fold: CoverageFold | null,
  ): Promise<void> {
    const { dist, python } = this.#deps;
    if (rewardLanguage(reward.path) === 'python') await python();
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    const cancelled = token.onCancellationRequested(abort);
    if (token.isCancellationRequested) abort();
    try {
      this.#loaded.set(item, await judgeCases(reward, told, { dist, signal: controller.signal, fold }));
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      cancelled.dispose();
    }
  }
}

/** With the parser of scripts, which nothing else asks for. */
async function newFold(): Promise<CoverageFold> {
  const { CoverageFold } = await import('../../../../rewards/covered/coverageFold.ts');
  return new CoverageFold();
}
