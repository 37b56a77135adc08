/** Runs a reward's worked cases. */
import * as l10n from '@vscode/l10n';
import { caseName, wrongVerdict, type CaseLine } from '../shared/rewards/cases.ts';
import type { RewardOutcome } from '../shared/rewards/outcome.ts';
import type { RewardHost } from './processes/rewardHost.ts';

export interface CaseResult {
  /** Of the cases file, from 1. */
  line: number;
  name: string;
  /** The fault; null for a case that is judged as it expects. */
  wrong: string | null;
  /** Null where the line holds no case. */
  outcome: RewardOutcome | null;
}

/** Every case is judged twice: a reward whose verdicts differ is faulty. */
export async function* testCases(
  host: RewardHost,
  lines: Iterable<CaseLine>,
  signal: AbortSignal,
): AsyncGenerator<CaseResult> {
  for (const line of lines) {
    if ('fault' in line) {
      yield { line: line.line, name: l10n.t('line {0}', line.line), wrong: line.fault, outcome: null };
      continue;
    }
    const verdicts: RewardOutcome[] = [];
    for await (const outcome of host.score([line.case, line.case], signal)) verdicts.push(outcome);
    const [outcome = null, again = null] = verdicts;
    if (outcome === null || again === null) throw new Error('Unreachable: two calls have two outcomes.');
    const { success, reward } = again.verdict;
    const same = success === outcome.verdict.success && reward === outcome.verdict.reward;
    const wavers = l10n.t('the second time success is {0} and the reward {1}', String(success), reward);
    const wrong = wrongVerdict(line.case, outcome.verdict) ?? (same ? null : wavers);
    yield { line: line.line, name: caseName(line.case), wrong, outcome };
  }
}
