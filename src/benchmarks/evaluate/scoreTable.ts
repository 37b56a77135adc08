/**
 * A policy's scores on a benchmark: pass@k by category and over all, and the authors' own totals. Everywhere what was not
 * answered, and what could not be judged, is wrong, as authors count; beside it stands the same of what was answered.
 */
import { answeredOnly, type Outcome } from './outcome.ts';
import { meanPassAtK } from '../../engine/math/passAtK.ts';
import type { PassAtK } from '../../shared/journal/scores.ts';
import type { Unofficial } from '../../shared/records/evaluation.ts';
import { partTotals } from './partTotals.ts';
import { planDetails } from './planRates.ts';
import type { ScoreDetail } from './scoreDetail.ts';
import { totalsOf, type Total } from './totals.ts';

export interface ScoreRow {
  category: string;
  tasks: number;
  /** Attempts that were asked for. */
  asked: number;
  /** Of these, answered and judged ones. */
  attempts: number;
  successes: number;
  pass: readonly PassAtK[];
  /** pass@1 of what was answered and judged; null for nothing. */
  answered: number | null;
}

export interface AuthorsTotal extends Total {
  /** 0…1: the same of what was answered and judged; null for nothing. */
  answered: number | null;
}

/** Means of a part of attempts, 0…1: over all, and over what was answered and judged. */
export interface PartMean {
  name: string;
  value: number;
  answered: number | null;
}

export interface ScoreTable {
  /** Categories in the order in which they come. */
  rows: readonly ScoreRow[];
  /** Right/all over every category. */
  all: ScoreRow;
  /** Their values are null where `unofficial` says why there are none. */
  totals: readonly AuthorsTotal[];
  details: readonly ScoreDetail[];
  /** Of each part, but for those that are in the totals. */
  parts: readonly PartMean[];
  /** Attempts at which the checker failed. */
  errors: number;
  unofficial: readonly Unofficial[];
}

/** @param rule the scorer's name @param ks k of pass@k, ascending @param why totals over these are not the authors' */
export function scoreTable(
  outcomes: readonly Outcome[],
  rule: string,
  ks: readonly number[],
  why: readonly Unofficial[] = [],
): ScoreTable {
  const categories = Map.groupBy(outcomes, ({ category }) => category);
  const answered = answeredOnly(outcomes);
  const [all, some] = [totalsFrom(outcomes, rule), totalsFrom(answered, rule)];
  return {
    rows: [...categories].map(([category, own]) => rowOf(category, own, ks)),
    all: rowOf('all', outcomes, ks),
    totals: all.totals.map(({ name, value, missing }, at) => ({
      ...{ name, missing, value: why.length > 0 ? null : value, answered: some.totals[at]?.value ?? null },
    })),
    details: rule === 'travelplanner' ? planDetails(outcomes) : [],
    parts: partMeans(outcomes, answered, all.used),
    errors: outcomes.reduce((sum, { errors }) => sum + errors, 0),
    unofficial: why,
  };
}

function totalsFrom(outcomes: readonly Outcome[], rule: string): { totals: readonly Total[]; used: readonly string[] } {
  const rates = [...Map.groupBy(outcomes, ({ category }) => category)].flatMap(([category, own]) => {
    const { value, tasks } = meanPassAtK(triesOf(own), 1);
    return value === null ? [] : [{ category, tasks, rate: value }];
  });
  const { totals, used } = partTotals(rule, outcomes);
  return { totals: [...totalsOf(rule, rates), ...totals], used };
}

function partMeans(all: readonly Outcome[], answered: readonly Outcome[], used: readonly string[]): PartMean[] {
  const names = new Set(all.flatMap(({ parts }) => Object.keys(parts)));
  const mean = (outcomes: readonly Outcome[], name: string): number | null => {
    const asked = outcomes.reduce((sum, one) => sum + one.asked, 0);
    return asked === 0 ? null : outcomes.reduce((sum, { parts }) => sum + (parts[name] ?? 0), 0) / asked;
  };
  return [...names]
    .filter((name) => !used.includes(name))
    .map((name) => ({ name, value: mean(all, name) ?? 0, answered: mean(answered, name) }));
}

function rowOf(category: string, own: readonly Outcome[], ks: readonly number[]): ScoreRow {
  const sum = (of: (outcome: Outcome) => number): number => own.reduce((all, outcome) => all + of(outcome), 0);
  return {
    ...{ category, tasks: own.length, asked: sum(({ asked }) => asked), attempts: sum(({ attempts }) => attempts) },
    successes: sum(({ successes }) => successes),
    pass: ks.map((k) => meanPassAtK(triesOf(own), k)),
    answered: meanPassAtK(triesOf(answeredOnly(own)), 1).value,
  };
}

const triesOf = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ asked, successes }) => ({ attempts: asked, successes }));
