/** Runs cases as the Test Explorer asks: in the processes that judge in a run, each verdict told as it comes. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../../launch/inputError.ts';
import { openReward } from '../../../launch/reward.ts';
import { runCases } from '../../../launch/rewardCases.ts';
import { CoverageFold } from '../../../rewards/covered/coverageFold.ts';
import type { CaseResult } from '../../../rewards/testCases.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import type { CaseLine } from '../../../shared/rewards/cases.ts';
import { scoreLines } from '../scoreLines.ts';
import { casesOf } from './caseFiles.ts';
import type { CaseItems } from './caseItems.ts';
import { problemMessage, tellBroken, tellCase } from './caseVerdict.ts';
import { chosenCases } from './chosenCases.ts';
import { coverageDetails } from './coverageDetails.ts';

export class CaseRuns {
  readonly #controller: vscode.TestController;
  readonly #items: CaseItems;
  readonly #dist: URL;
  /** What each reward’s last run loaded of a person’s own, by the reward’s item. */
  readonly #loaded = new WeakMap<vscode.TestItem, readonly string[]>();
  readonly #details = new WeakMap<vscode.FileCoverage, vscode.FileCoverageDetail[]>();

  /** @param dist the folder of built files */
  constructor(controller: vscode.TestController, items: CaseItems, dist: URL) {
    this.#controller = controller;
    this.#items = items;
    this.#dist = dist;
  }

  /** Paths whose change concerns a reward’s cases. */
  filesOf(item: vscode.TestItem): readonly string[] {
    const reward = this.#items.rewardOf(item);
    if (reward === null) return [];
    return [reward.fsPath, casesOf(reward).fsPath, ...(this.#loaded.get(item) ?? [])];
  }

  /** Of coverage that a run of this window gave. */
  detailsOf(coverage: vscode.FileCoverage): vscode.FileCoverageDetail[] {
    return this.#details.get(coverage) ?? [];
  }

  /** Reward after reward, case after case. @param covers whether what ran is told, too */
  async run(request: vscode.TestRunRequest, token: vscode.CancellationToken, covers: boolean): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const ending = new AbortController();
    const stopped = vscode.Disposable.from(
      token.onCancellationRequested(() => ending.abort()),
      run.token.onCancellationRequested(() => ending.abort()),
    );
    const fold = covers ? new CoverageFold() : null;
    try {
      const chosen = await chosenCases(this.#controller, this.#items, request);
      for (const cases of chosen.values()) for (const one of cases) run.enqueued(one);
      for (const [reward, cases] of chosen) {
        if (!ending.signal.aborted) await this.#judge(reward, new Set(cases), run, ending.signal, fold);
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

  async #judge(
    item: vscode.TestItem,
    wanted: ReadonlySet<vscode.TestItem>,
    run: vscode.TestRun,
    signal: AbortSignal,
    fold: CoverageFold | null,
  ): Promise<void> {
    const reward = this.#items.rewardOf(item);
    if (reward === null) return;
    // Both are read from the disk.
    const files = [reward, casesOf(reward)].map(String);
    for (const document of vscode.workspace.textDocuments) {
      if (files.includes(document.uri.toString())) await document.save();
    }
    await this.#items.read(item);
    const lines = [...this.#items.linesOf(item)].filter(([one]) => wanted.has(one));
    const left = new Set(wanted);
    try {
      const host = await openReward(presets.default, reward.fsPath, this.#dist, 1, fold !== null);
      const stop = (): void => host.dispose();
      signal.addEventListener('abort', stop);
      try {
        this.#loaded.set(item, host.files);
        fold?.add(host.coverage);
        const byLine = new Map(lines.map(([one, line]) => [line.line, { one, line }]));
        const [first] = lines;
        if (first !== undefined) run.started(first[0]);
        const results = await runCases(host, reward.fsPath, signal, ({ line }) => byLine.has(line));
        for await (const result of results?.results ?? []) {
          const judged = byLine.get(result.line);
          if (signal.aborted || judged === undefined) break;
          const { one, line } = judged;
          left.delete(one);
          fold?.add(result.outcome?.coverage ?? []);
          tell(run, one, line, result, basename(reward.path));
          const next = lines.find(([other]) => left.has(other));
          if (next !== undefined) run.started(next[0]);
        }
      } finally {
        signal.removeEventListener('abort', stop);
        host.dispose();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof InputError)) throw error;
      for (const one of left) run.errored(one, error.problems.map(problemMessage));
      left.clear();
    }
    // Gone since it was chosen.
    if (!signal.aborted) for (const one of left) run.skipped(one);
  }
}

function tell(run: vscode.TestRun, item: vscode.TestItem, line: CaseLine, result: CaseResult, reward: string): void {
  if ('fault' in line || result.outcome === null) {
    tellBroken(run, item, result.wrong ?? '');
    return;
  }
  const lines = scoreLines(reward, { name: result.name, before: null, document: null, outcome: result.outcome });
  run.appendOutput(`${lines.join('\n')}\n\n`.replaceAll('\n', '\r\n'), undefined, item);
  tellCase(run, item, line.case, result);
}
