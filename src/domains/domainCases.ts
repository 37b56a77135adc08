/** Runs a domain's worked cases. */
import * as l10n from '@vscode/l10n';
import { domainCaseName, type DomainCase, type DomainCaseLine } from '../shared/domains/cases.ts';
import type { Task } from '../shared/records/task.ts';
import type { RewardTask } from '../shared/rewards/given.ts';
import { withoutThoughts } from '../shared/text/thoughts.ts';
import type { FileDomain } from './fileDomain.ts';
import type { WatchedCall, WatchedFunctions } from './watchedFunctions.ts';
import type { ScorerRule } from '../benchmarks/scorerRule.ts';

/** Why a case differs from its expectation; totals are grouped by cause. */
export type WrongCause = 'unreadable' | 'failed' | 'accepted' | 'rejected' | 'gold' | 'reason' | 'verdict' | 'unsteady';

export interface DomainCaseResult {
  /** Of the file of cases, from 1. */
  line: number;
  name: string;
  /** Null for a case that is as it expects. */
  wrong: { cause: WrongCause; message: string } | null;
  /** The first result, in a few words; '' where the line holds no case. */
  given: string;
  expected: string;
  /** The first run's output, and where it failed. */
  calls: readonly WatchedCall[];
}

/** The subject of the cases. */
export interface CasesOf {
  domain: FileDomain;
  functions: WatchedFunctions;
  rules: ScorerRule;
  /** The seed for texts that name none; null where the domain has none. */
  seed: Task | null;
}

/** Every case is run twice: different results are wrong, whichever they are. */
export async function* testDomainCases(
  of: CasesOf,
  lines: Iterable<DomainCaseLine>,
  signal: AbortSignal,
): AsyncGenerator<DomainCaseResult> {
  for (const line of lines) {
    signal.throwIfAborted();
    yield await testDomainCase(of, line);
  }
}

/** @param times 1 to skip the second run, under a debugger */
export async function testDomainCase(of: CasesOf, line: DomainCaseLine, times: 1 | 2 = 2): Promise<DomainCaseResult> {
  const at = line.line;
  if ('fault' in line) {
    const wrong = { cause: 'unreadable' as const, message: line.fault };
    return { line: at, name: l10n.t('line {0}', at), wrong, given: '', expected: '', calls: [] };
  }
  const one = line.case;
  of.functions.take();
  const given = await outcomeOf(of, one);
  const calls = of.functions.take();
  const again = times === 1 ? given : await outcomeOf(of, one);
  of.functions.take();
  const wrong =
    wrongIn(one, given) ??
    (again.words === given.words
      ? null
      : { cause: 'unsteady' as const, message: l10n.t('The second time: {0}.', again.words) });
  return { line: at, name: domainCaseName(one), wrong, given: given.words, expected: expectedWords(one), calls };
}

/** The result of one call. */
type Given = { words: string } & (
  | { call: 'parse'; gold: string | null }
  | { call: 'verify' }
  | { call: 'refused'; reason: string }
  | { call: 'judge'; success: boolean; reward: number }
  | { call: 'failed'; message: string }
);

async function outcomeOf({ domain, functions, rules, seed }: CasesOf, one: DomainCase): Promise<Given> {
  switch (one.call) {
    case 'parse': {
      const varied = one.seed === undefined ? seed : recorded(one.seed);
      if (varied === null) return failedWith(l10n.t('the case names no seed, and the domain has none'));
      const parsed = await domain.parseTask(withoutThoughts(one.text), one.plan, varied);
      if (!parsed.ok) return refusal(functions, parsed.note);
      const { gold } = parsed.draft;
      return { call: 'parse', gold, words: l10n.t('accepted, gold {0}', gold ?? '–') };
    }
    case 'verify': {
      const verified = await domain.verify({ ...one.task, complexity: {} });
      return verified.ok ? { call: 'verify', words: l10n.t('verified') } : refusal(functions, verified.note);
    }
    case 'judge': {
      const { id, messages, stopReason, version } = one.trace;
      const task = recorded(one.task);
      const attempt = {
        ...{ v: 1 as const, id, purpose: 'train' as const, task: task.id, family: task.family, epoch: task.epoch },
        ...{ messages, stopReason, version, sequences: [] },
      };
      const verdict = await (domain.judge?.judge(task, attempt) ?? rules.score(task, attempt));
      if (verdict.error !== undefined) return failedWith(verdict.error);
      const { success, reward } = verdict;
      return { call: 'judge', success, reward, words: verdictWords(success, reward) };
    }
  }
}

/** A task as a function was given it, as the loop has it. */
const recorded = (task: RewardTask): Task => ({
  ...{ v: 1, origin: 'base', status: 'accepted', complexity: {} },
  ...task,
});

const failedWith = (message: string): Given => ({ call: 'failed', message, words: l10n.t('failed: {0}', message) });

/** A function that throws rejects in a run, too, but no case may expect that. */
function refusal(functions: WatchedFunctions, reason: string): Given {
  return functions.failed ? failedWith(reason) : { call: 'refused', reason, words: l10n.t('rejected: {0}', reason) };
}

function wrongIn(one: DomainCase, given: Given): DomainCaseResult['wrong'] {
  const wrong = (cause: WrongCause): DomainCaseResult['wrong'] => ({
    cause,
    message: l10n.t('{0} is expected, and it is: {1}', expectedWords(one), given.words),
  });
  if (given.call === 'failed') return { cause: 'failed', message: given.message };
  if (one.call === 'judge') {
    const { success, reward, tolerance } = one.expected;
    if (given.call !== 'judge' || given.success !== success) return wrong('verdict');
    return reward === undefined || Math.abs(given.reward - reward) <= tolerance ? null : wrong('verdict');
  }
  const accepts = 'accepted' in one.expected ? one.expected.accepted : one.expected.verified;
  if (accepts !== (given.call !== 'refused')) return wrong(accepts ? 'rejected' : 'accepted');
  if (given.call === 'refused') {
    const reason = 'reason' in one.expected ? one.expected.reason : undefined;
    return reason === undefined || given.reason.includes(reason) ? null : wrong('reason');
  }
  const gold = 'gold' in one.expected ? one.expected.gold : undefined;
  return gold === undefined || (given.call === 'parse' && given.gold === gold) ? null : wrong('gold');
}

const verdictWords = (success: boolean, reward: number): string =>
  success ? l10n.t('solved, reward {0}', reward) : l10n.t('not solved, reward {0}', reward);

function expectedWords(one: DomainCase): string {
  const { expected } = one;
  if ('success' in expected) {
    if (expected.reward !== undefined) return verdictWords(expected.success, expected.reward);
    return expected.success ? l10n.t('solved') : l10n.t('not solved');
  }
  if ('reason' in expected && expected.reason !== undefined) return l10n.t('rejected: {0}', expected.reason);
  if ('gold' in expected && expected.gold !== undefined) return l10n.t('accepted, gold {0}', expected.gold ?? '–');
  if ('accepted' in expected) return expected.accepted ? l10n.t('accepted') : l10n.t('rejected');
  return expected.verified ? l10n.t('verified') : l10n.t('rejected');
}
