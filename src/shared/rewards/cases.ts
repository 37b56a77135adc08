/** Worked cases of a reward function: attempts whose verdict is known, one JSON object a line in `NAME.reward.cases.jsonl`. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { parseOrUndefined } from '../json.ts';
import type { Verdict } from '../records/trace.ts';
import { rewardTaskSchema, rewardTraceSchema, type RewardCall } from './given.ts';
import { firstIssue } from '../firstIssue.ts';
import { withoutMark } from '../text/byteOrderMark.ts';

/** Rewards nearer than this are the same, where a case does not say otherwise. */
const sameReward = 1e-6;

const rewardCaseSchema = z.strictObject({
  v: z.literal(1),
  task: rewardTaskSchema,
  trace: rewardTraceSchema,
  expected: z.strictObject({
    success: z.boolean(),
    /** Any reward is right without it. */
    reward: z.number().min(0).max(1).optional(),
    tolerance: z.number().min(0).default(sameReward),
  }),
  /** Where it was pinned; null for one that a person wrote. */
  source: z.strictObject({ run: z.string(), trace: z.string() }).nullable().default(null),
  note: z.string().default(''),
});
export type RewardCase = z.infer<typeof rewardCaseSchema>;

/** A case, or why the line holds none; lines from 1. */
export type CaseLine = { line: number; case: RewardCase } | { line: number; fault: string };

/** Beside the reward file: `mine.reward.ts` has `mine.reward.cases.jsonl`. */
export const casesFile = (rewardFile: string): string => rewardFile.replace(/\.(?:ts|js|py|json)$/, '.cases.jsonl');

/** A case's name for people. */
export const caseName = ({ note, source, task }: RewardCase): string => {
  if (note !== '') return note;
  return source === null ? task.id : `${source.run} ${source.trace}`;
};

export function* readCases(text: string): Generator<CaseLine> {
  for (const [index, content] of withoutMark(text).split('\n').entries()) {
    if (content.trim() === '') continue;
    const line = index + 1;
    const value = parseOrUndefined(content);
    const read = rewardCaseSchema.safeParse(value);
    if (read.success) yield { line, case: read.data };
    else if (value === undefined) yield { line, fault: l10n.t('The line is no JSON.') };
    else {
      const { field, message } = firstIssue(read.error);
      yield { line, fault: `${field}: ${message}.` };
    }
  }
}

/** Lines of a cases file, each with a stable name: where it was pinned, or its subject. */
export function identified(lines: Iterable<CaseLine>): Map<string, CaseLine> {
  const all = new Map<string, CaseLine>();
  for (const line of lines) {
    const name = 'case' in line ? identityOf(line.case) : 'fault';
    let [id, more] = [name, 1];
    while (all.has(id)) id = `${name} ${++more}`;
    all.set(id, line);
  }
  return all;
}

const identityOf = ({ source, task, note }: RewardCase): string =>
  source === null ? `${task.id}/${note}` : `${source.run}/${source.trace}`;

/** An attempt with the verdict that it must have. @param expected any reward is right without one */
export const pinnedCase = (
  { task, trace }: RewardCall,
  expected: { success: boolean; reward?: number },
  source: RewardCase['source'],
  note: string,
): RewardCase => ({ v: 1, task, trace, expected: { ...expected, tolerance: sameReward }, source, note });

/** A cases file with one case more; it takes the place of one that was pinned at the same attempt. */
export function withCase(text: string, made: RewardCase): string {
  const written = JSON.stringify(made);
  const same = [...readCases(text)].find((line) => 'case' in line && isSame(line.case.source, made.source));
  if (same !== undefined)
    return text
      .split('\n')
      .with(same.line - 1, written)
      .join('\n');
  return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${written}\n`;
}

const isSame = (one: RewardCase['source'], other: RewardCase['source']): boolean =>
  one !== null && one.run === other?.run && one.trace === other.trace;

/** Why a verdict differs from a case's expectation; null when it matches. */
export function wrongVerdict({ expected }: RewardCase, { success, reward, error }: Verdict): string | null {
  if (error !== undefined) return error;
  if (success !== expected.success) return l10n.t('success is {0}, and {1} is expected', success, expected.success);
  if (expected.reward === undefined || Math.abs(reward - expected.reward) <= expected.tolerance) return null;
  return l10n.t('the reward is {0}, and {1} is expected', reward, expected.reward);
}
