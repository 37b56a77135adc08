import type * as vscode from 'vscode';
import { openReward } from '../../../../launch/scoring/reward.ts';
import { runCases } from '../../../../launch/scoring/rewardCases.ts';
import type { CoverageFold } from '../../../../rewards/covered/coverageFold.ts';
import { presets } from '../../../../shared/experiment/presets.ts';
import { caseName, wrongVerdict } from '../../../../shared/rewards/cases.ts';
import type { RewardOutcome } from '../../../../shared/rewards/outcome.ts';
import type { DebugRequest } from '../debug/debugReward.ts';
import type { ToldCases } from './toldCases.ts';

/**
 * Judges cases as the command line does: twice each, in their own process. @param fold receives their coverage, where
 * requested @returns paths of the user’s files that were loaded @throws InputError when the file does not load
 */
export async function judgeCases(
  reward: vscode.Uri,
  told: ToldCases,
  { dist, signal, fold }: { dist: URL; signal: AbortSignal; fold: CoverageFold | null },
): Promise<readonly string[]> {
  const host = await openReward(presets.default, reward.fsPath, dist, 1, fold !== null);
  const stop = (): void => host.dispose();
  signal.addEventListener('abort', stop);
  try {
    fold?.add(host.coverage);
    const wanted = new Set(told.left.map(({ line }) => line));
    const run = signal.aborted ? null : await runCases(host, reward.fsPath, signal, ({ line }) => wanted.has(line));
    for await (const result of run?.results ?? []) {
      // A closed host's answer to a case is no verdict.
      if (signal.aborted) break;
      fold?.add(result.outcome?.coverage ?? []);
      told.tell(result);
    }
    return host.files;
  } finally {
    signal.removeEventListener('abort', stop);
    host.dispose();
  }
}

/** Judges cases under the debugger, each once. @param debug undefined where that failed, which was reported */
export async function debugCases(
  reward: vscode.Uri,
  told: ToldCases,
  run: vscode.TestRun,
  debug: (request: DebugRequest) => Promise<readonly RewardOutcome[] | undefined>,
): Promise<void> {
  for (const line of told.left) {
    if ('fault' in line) told.tell({ line: line.line, name: '', wrong: line.fault, outcome: null });
  }
  const cases = told.left.flatMap((line) => ('case' in line ? [line] : []));
  if (cases.length === 0) return;
  const { network } = presets.default.reward;
  const calls = cases.map(({ case: one }) => ({
    name: caseName(one),
    call: { task: one.task, trace: one.trace },
  }));
  const outcomes = (await debug({ reward, calls, network, options: { testRun: run } })) ?? [];
  for (const [index, outcome] of outcomes.entries()) {
    const judged = cases[index];
    if (judged === undefined) break;
    const wrong = wrongVerdict(judged.case, outcome.verdict);
    told.tell({ line: judged.line, name: caseName(judged.case), wrong, outcome });
  }
}
