/**
 * The checks themselves. Each is a hint only where chance seldom makes one: under rewards that have nothing wrong, all of
 * them together show one in at most 5 of 100 runs, which a test simulates.
 */
import { assumedCorrelation, clusteredRate, type Cluster } from '../../../engine/math/written/clusters.ts';
import { successRate } from '../../../engine/math/successRate.ts';
import { WithinGroups } from '../../../engine/math/withinGroups.ts';
import { append } from '../../../shared/append.ts';
import { mostExamples, type CheckName, type FoundCheck } from './audit.ts';
import type { AttemptTable } from './attemptTable.ts';
import * as words from './words.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** z of a two-sided p of 0.001: several things are looked at, and runs are looked at often. */
const rare = 3.29;
/** Correlations nearer to 0 than this steer nothing. */
const weak = 0.2;
const fewestGroups = 20;
/** A rate of 2 % gives no success in as many attempts with 2 %. */
const fewestAttempts = 200;
/** Attempts of a family whose equal rewards say something. */
const fewestOfFamily = 8;
/** Fewest attempts for a majority to mean anything. */
const fewestVotes = 4;
/** Single cases may have reasons of their own. */
const fewestCases = 3;
/** Tasks that the agent gets wrong in one way, by habit, are that many in a hundred at least. */
const habit = 0.02;

/** All of them, in the order of the report. */
export const allChecks = (table: AttemptTable): FoundCheck[] => [
  lengthCheck(table),
  constantCheck(table),
  formCheck(table),
  lastActionCheck(table),
  twinsCheck(table),
  majorityCheck(table),
];

/** Whether longer answers get more reward, or less, among attempts at one task. */
export function lengthCheck(table: AttemptTable): FoundCheck {
  const within = new WithinGroups();
  const telling: { s: number; ends: number[] }[] = [];
  for (const group of table.groups()) {
    const members = [...group].filter(table.finished);
    const s = within.add(members.map(table.length), members.map(table.reward));
    if (s === 0) continue;
    const sorted = members.toSorted((a, b) => table.length(a) - table.length(b));
    telling.push({ s, ends: [sorted.at(-1) ?? 0, sorted[0] ?? outOfRange()] });
    if (telling.length >= 4 * mostExamples) telling.sort(bySize).splice(mostExamples);
  }
  const { rho, low, high, z, groups, attempts } = within.result;
  const hint = rho !== null && groups >= fewestGroups && Math.abs(z) >= rare && Math.abs(rho) >= weak;
  const alike = telling.sort(bySize).filter(({ s }) => Math.sign(s) === Math.sign(rho ?? 0));
  const examples = alike.flatMap(({ ends }) => ends);
  return found(
    table,
    'length',
    hint,
    words.lengthWords(within.result),
    { n: attempts, value: rho, low, high },
    examples,
  );
}

const bySize = (a: { s: number }, b: { s: number }): number => Math.abs(b.s) - Math.abs(a.s);

/** Whether the reward differs between attempts: in the run, in its families, and where success does. */
function constantCheck(table: AttemptTable): FoundCheck {
  let [least, most] = [Infinity, -Infinity];
  for (let at = 0; at < table.count; at++) {
    least = Math.min(least, table.reward(at));
    most = Math.max(most, table.reward(at));
  }
  const [families, flat] = [
    { n: 0, constant: new Array<number>() },
    { n: 0, constant: new Array<number>() },
  ];
  for (const family of table.families()) {
    const [first = 0] = family;
    const isConstant = family.every((at) => table.reward(at) === table.reward(first));
    if (family.length >= fewestOfFamily) {
      families.n += 1;
      if (isConstant) families.constant.push(first);
    }
    const both = family.some(table.succeeded) && !family.every(table.succeeded);
    if (!both) continue;
    flat.n += 1;
    if (isConstant) flat.constant.push(family.find((at) => !table.succeeded(at)) ?? first);
  }
  const everywhere = table.count >= fewestAttempts && least === most;
  const rate = successRate(families.constant.length, families.n);
  const mostly = families.n >= fewestGroups && rate.low > 0.5;
  const blind = flat.constant.length >= fewestCases;
  const numbers = { n: families.n, value: rate.p, low: rate.low, high: rate.high };
  const told = words.constantWords({ everywhere: everywhere ? least : null, count: table.count, rate, flat });
  const examples = blind ? flat.constant : families.constant;
  return found(table, 'constant', everywhere || mostly || blind, told, numbers, examples);
}

/** Successes of answers that say nothing, at tasks whose gold says something. */
function formCheck(table: AttemptTable): FoundCheck {
  const [rate, cases] = amongSuccesses(table, table.formOnly);
  return shareCheck(table, 'form', cases.length >= 1, words.formWords, cases, rate);
}

/** Successes whose last action cannot have been right. */
function lastActionCheck(table: AttemptTable): FoundCheck {
  const [among, cases] = amongSuccesses(table, (at) => table.last(at) !== null);
  const kinds = Map.groupBy(cases, table.last);
  const told = (rate: words.Rate): string =>
    words.lastActionWords(rate, {
      ...{ failed: kinds.get('failed')?.length ?? 0, unreadable: kinds.get('unreadable')?.length ?? 0 },
      another: kinds.get('another')?.length ?? 0,
    });
  return shareCheck(table, 'last-action', cases.length >= fewestCases, told, cases, among);
}

/** Attempts at one task in one epoch with the same or nearly the same answer and different verdicts. */
function twinsCheck(table: AttemptTable): FoundCheck {
  let [repeated, same, nearly] = [0, 0, 0];
  const pairs: number[] = [];
  for (const group of table.groups()) {
    for (const alike of Map.groupBy([...group].filter(table.finished), table.near).values()) {
      if (alike.length < 2) continue;
      repeated += 1;
      const solved = alike.filter(table.succeeded);
      const failed = alike.filter((at) => !table.succeeded(at));
      if (solved.length === 0 || failed.length === 0) continue;
      const said = new Set(solved.map(table.said));
      const twin = failed.find((at) => said.has(table.said(at)));
      if (twin === undefined) nearly += 1;
      else same += 1;
      const partner = solved.find((at) => twin === undefined || table.said(at) === table.said(twin));
      if (pairs.length < mostExamples) pairs.push(partner ?? 0, twin ?? failed[0] ?? 0);
    }
  }
  const told = (rate: words.Rate): string => words.twinsWords(rate, same, nearly);
  const rate = successRate(same + nearly, repeated);
  const numbers = { n: repeated, value: rate.p, low: rate.low, high: rate.high };
  return found(table, 'twins', same >= 1 || nearly >= fewestCases, told(rate), numbers, pairs);
}

/** Tasks whose attempts mostly agree on an answer that is judged wrong: the gold may be. */
function majorityCheck(table: AttemptTable): FoundCheck {
  let asked = 0;
  const cases: number[] = [];
  for (const group of table.groups()) {
    const members = [...group].filter(table.finished);
    if (members.length < fewestVotes) continue;
    asked += 1;
    const answers = Map.groupBy(members, table.final);
    answers.delete(null);
    const most = [...answers.values()].find(
      (alike) => alike.length >= fewestVotes && alike.length * 2 > members.length,
    );
    if (most?.some(table.succeeded) === false) cases.push(most[0] ?? outOfRange());
  }
  const rate = successRate(cases.length, asked);
  const hint = cases.length >= fewestCases && rate.low > habit;
  return shareCheck(table, 'majority', hint, words.majorityWords, cases, rate);
}

/** The share of successes that are so, over tasks: attempts at one task are alike in this, too. */
function amongSuccesses(table: AttemptTable, is: (at: number) => boolean): [words.Rate, number[]] {
  const clusters: Cluster[] = [];
  const cases: number[] = [];
  for (const group of table.groups()) {
    const solved = [...group].filter(table.succeeded);
    const own = solved.filter(is);
    clusters.push({ successes: own.length, attempts: solved.length });
    append(cases, own);
  }
  return [clusteredRate(clusters, assumedCorrelation.task), cases.sort((a, b) => a - b)];
}

function shareCheck(
  table: AttemptTable,
  name: CheckName,
  hint: boolean,
  told: (rate: words.Rate) => string,
  cases: readonly number[],
  rate: words.Rate,
): FoundCheck {
  const { attempts: n, p: value, low, high } = rate;
  return found(table, name, hint, told(rate), { n, value, low, high }, cases);
}

function found(
  table: AttemptTable,
  name: CheckName,
  hint: boolean,
  told: string,
  numbers: Pick<FoundCheck, 'n' | 'value' | 'low' | 'high'>,
  examples: readonly number[],
): FoundCheck {
  return {
    name,
    hint,
    words: told,
    ...numbers,
    examples: hint ? examples.slice(0, mostExamples).map(table.record) : [],
  };
}
