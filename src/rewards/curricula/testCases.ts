/** Runs a curriculum's worked cases. */
import * as l10n from '@vscode/l10n';
import {
  curriculumCaseName,
  givenOf,
  type CurriculumCase,
  type CurriculumCaseLine,
} from '../../shared/curricula/cases.ts';
import type { CurriculumEpoch, CurriculumFamily } from '../../shared/curricula/given.ts';
import type { FamilyReward } from '../../shared/curricula/rewards.ts';
import { faultSentence } from '../processes/answer.ts';
import type { CurriculumOutcome } from './curriculumHost.ts';

export interface CurriculumCaseResult {
  /** Of the file of cases, from 1. */
  line: number;
  name: string;
  /** Null for a case that is as it expects. */
  wrong: string | null;
  /** Rewards as texts; '' where there are none. */
  given: string;
  expected: string;
  /** Null where the line holds no case. */
  outcome: CurriculumOutcome | null;
}

type Asked = (families: readonly CurriculumFamily[], epoch: CurriculumEpoch) => Promise<CurriculumOutcome>;

/** Every case is run twice: different results are wrong, whichever they are. @param times 1 under a debugger */
export async function testCurriculumCase(
  ask: Asked,
  line: CurriculumCaseLine,
  times: 1 | 2 = 2,
): Promise<CurriculumCaseResult> {
  const at = line.line;
  if ('fault' in line)
    return { line: at, name: l10n.t('line {0}', at), wrong: line.fault, given: '', expected: '', outcome: null };
  const one = line.case;
  const { families, epoch } = givenOf(one);
  const outcome = await ask(families, epoch);
  const again = times === 1 ? outcome : await ask(families, epoch);
  return {
    ...{ line: at, name: curriculumCaseName(one), outcome, given: wordsOf(outcome), expected: told(one.expected) },
    wrong: wrongIn(one, outcome, families) ?? wavers(outcome, again),
  };
}

/** Why two calls with the same arguments differ; null where they do not. */
export function wavers(first: CurriculumOutcome, second: CurriculumOutcome): string | null {
  const [one, other] = [wordsOf(first), wordsOf(second)];
  return one === other
    ? null
    : l10n.t('The second time: {0}. Chance must follow from the seed and the epoch alone.', other);
}

function wrongIn(
  one: CurriculumCase,
  outcome: CurriculumOutcome,
  families: readonly CurriculumFamily[],
): string | null {
  if ('fault' in outcome) return faultSentence(outcome.fault);
  const { expected, tolerance } = one;
  if (expected.length !== families.length)
    return l10n.t('The case expects {0} rewards for {1} families.', expected.length, families.length);
  const same = families.every(({ tasks }, i) => {
    const [wanted, given] = [spread(expected[i], tasks.length), spread(outcome.byFamily[i], tasks.length)];
    return (
      wanted.length === given.length &&
      wanted.every((reward, j) => {
        const has = given[j] ?? null;
        return reward === null || has === null ? reward === has : Math.abs(reward - has) <= tolerance;
      })
    );
  });
  return same ? null : l10n.t('{0} is expected, and it gave {1}.', told(expected), wordsOf(outcome));
}

const spread = (reward: FamilyReward | undefined, tasks: number): readonly (number | null)[] =>
  typeof reward === 'object' && reward !== null ? reward : Array.from({ length: tasks }, () => reward ?? null);

const told = (rewards: readonly FamilyReward[]): string => JSON.stringify(rewards);

const wordsOf = (outcome: CurriculumOutcome): string =>
  'fault' in outcome ? faultSentence(outcome.fault) : told(outcome.byFamily);
