/** How far the judge of a run agrees with people, on the attempts that people judged. */
import { successRate, z } from '../../../engine/math/successRate.ts';
import type { SuccessRate } from '../../../shared/journal/scores.ts';
import { verdictOf, type PersonLabel } from '../../../shared/records/label.ts';

/** An attempt with labels. */
export interface LabelledAttempt {
  trace: string;
  /** The judge's; null where it failed. */
  success: boolean | null;
  people: readonly PersonLabel[];
}

/** Attempts by what the judge and people say. */
export interface Table {
  bothPass: number;
  bothFail: number;
  /** The judge passes what people fail. */
  judgeAlone: number;
  /** People pass what the judge fails. */
  peopleAlone: number;
}

/** Cohen's κ with its 95 % interval; null where the error is 0, as on few attempts that happen to be alike. */
export interface Kappa {
  value: number;
  interval: { low: number; high: number } | null;
}

export interface Agreement {
  /** Attempts with any label. */
  labelled: number;
  table: Table;
  /** Share of the table's attempts on which both say the same, with its Wilson interval. */
  share: SuccessRate;
  /** Null where both say the same one thing of every attempt, or fewer than 10 are compared. */
  kappa: Kappa | null;
  /** Ids of the attempts on which they differ. */
  differ: { judgeAlone: readonly string[]; peopleAlone: readonly string[] };
  /** Ids of attempts on which people differ: they are in no figure above. */
  disputed: readonly string[];
  /** Attempts that people judged and the judge could not. */
  unjudged: number;
  /** Pairs of people who judged the same attempt: of so many, so many say the same. */
  people: SuccessRate;
  /** Attempts by label, the most frequent first. */
  labels: readonly { label: string; attempts: number; solved: number }[];
}

/** Attempts in the order in which they are to be named. */
export function agreementOf(attempts: readonly LabelledAttempt[]): Agreement {
  const table: Table = { bothPass: 0, bothFail: 0, judgeAlone: 0, peopleAlone: 0 };
  const differ = { judgeAlone: new Array<string>(), peopleAlone: new Array<string>() };
  const disputed: string[] = [];
  let unjudged = 0;
  for (const { trace, success, people } of attempts) {
    const verdict = verdictOf(people);
    if (verdict === 'disputed') disputed.push(trace);
    if (verdict === 'disputed' || verdict === null) continue;
    if (success === null) unjudged += 1;
    else if (success === (verdict === 'pass')) table[success ? 'bothPass' : 'bothFail'] += 1;
    else {
      const side = success ? 'judgeAlone' : 'peopleAlone';
      table[side] += 1;
      differ[side].push(trace);
    }
  }
  const same = table.bothPass + table.bothFail;
  return {
    ...{ labelled: attempts.length, table, share: successRate(same, same + table.judgeAlone + table.peopleAlone) },
    ...{
      kappa: kappaOf(table),
      differ,
      disputed,
      unjudged,
      people: betweenPeople(attempts),
      labels: countsOf(attempts),
    },
  };
}

/** The error of κ is one of large samples: below so many attempts it would be told too small. */
const fewest = 10;
/** Of one attempt: below it rounding is left of 0. */
const leastVariance = 1e-9;

/**
 * κ = (p_o − p_e)/(1 − p_e) (Cohen 1960), with the standard error of Fleiss, Cohen and Everitt (1969). Null where p_e is 1
 * or fewer than 10 attempts are counted.
 */
export function kappaOf({ bothPass, bothFail, judgeAlone, peopleAlone }: Table): Kappa | null {
  const n = bothPass + bothFail + judgeAlone + peopleAlone;
  if (n < fewest) return null;
  const [judgePass, peoplePass] = [(bothPass + judgeAlone) / n, (bothPass + peopleAlone) / n];
  const expected = judgePass * peoplePass + (1 - judgePass) * (1 - peoplePass);
  if (expected === 1) return null;
  const value = ((bothPass + bothFail) / n - expected) / (1 - expected);
  const diagonal =
    (bothPass / n) * (1 - (judgePass + peoplePass) * (1 - value)) ** 2 +
    (bothFail / n) * (1 - (2 - judgePass - peoplePass) * (1 - value)) ** 2;
  const beside =
    (1 - value) ** 2 *
    ((judgeAlone / n) * (peoplePass + 1 - judgePass) ** 2 + (peopleAlone / n) * (judgePass + 1 - peoplePass) ** 2);
  const each = (diagonal + beside - (value - expected * (1 - value)) ** 2) / (1 - expected) ** 2;
  // Both always agree or differ, or one says the same of all: that says nothing of how sure κ is.
  if (each < leastVariance) return { value, interval: null };
  const half = z * Math.sqrt(each / n);
  return { value, interval: { low: Math.max(-1, value - half), high: Math.min(1, value + half) } };
}

function betweenPeople(attempts: readonly LabelledAttempt[]): SuccessRate {
  let [same, pairs] = [0, 0];
  for (const { people } of attempts) {
    const passes = people.filter(({ verdict }) => verdict === 'pass').length;
    const fails = people.filter(({ verdict }) => verdict === 'fail').length;
    same += (passes * (passes - 1) + fails * (fails - 1)) / 2;
    pairs += ((passes + fails) * (passes + fails - 1)) / 2;
  }
  return successRate(same, pairs);
}

function countsOf(attempts: readonly LabelledAttempt[]): Agreement['labels'] {
  const counts = new Map<string, { attempts: number; solved: number }>();
  for (const { success, people } of attempts) {
    for (const label of new Set(people.flatMap(({ labels }) => labels))) {
      const { attempts: n, solved } = counts.get(label) ?? { attempts: 0, solved: 0 };
      counts.set(label, { attempts: n + 1, solved: solved + (success === true ? 1 : 0) });
    }
  }
  return [...counts]
    .map(([label, count]) => ({ label, ...count }))
    .sort((a, b) => b.attempts - a.attempts || (a.label < b.label ? -1 : 1));
}
