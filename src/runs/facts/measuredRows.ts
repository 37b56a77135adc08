/** Figures of an epoch, for the whole run and for each of its domains alike. */
import { meanAnswerLength } from '../../engine/answerLength.ts';
import { effectiveSampleSize, sideOfBand } from '../../engine/math/curriculum.ts';
import { teaching } from '../../engine/math/teaching.ts';
import type { EventOf, FamilyScore } from '../../shared/journal/events.ts';
import type { DomainRow, EpochRow, ValidationRow } from '../../shared/report/data.ts';
import { pairedDifference, type PairedDifference } from '../../engine/math/paired/proportions.ts';

/** Five significant digits: more than any chart shows, half of a file's size. */
export const rounded = (value: number): number => Number(value.toPrecision(5));

type Attempted = Pick<EventOf<'rollouts.finished'>, 'rollouts' | 'truncated' | 'invalid' | 'checkerErrors'>;

/** An epoch's rounds together. */
export function attempted(
  rounds: readonly (Attempted & Pick<EventOf<'rollouts.finished'>, 'answerLength' | 'ranking'>)[],
): Pick<EpochRow, 'answerLength' | 'rollouts' | 'truncated' | 'invalid' | 'checkerErrors'> {
  const sum = (of: (round: Attempted) => number): number => rounds.reduce((all, round) => all + of(round), 0);
  return {
    answerLength: meanAnswerLength(rounds),
    rollouts: sum((round) => round.rollouts),
    truncated: sum(({ truncated }) => truncated),
    invalid: sum(({ invalid }) => invalid),
    checkerErrors: sum(({ checkerErrors }) => checkerErrors),
  };
}

/** Figures of an epoch's families besides the scored ones. */
export const ofFamilies = (
  families: readonly FamilyScore[],
  band: EpochRow['curriculum'],
): Pick<EpochRow, 'families' | 'spread' | 'teaching' | 'complexity'> => ({
  families: families.length,
  spread: spreadOf(families, band),
  teaching: teaching(families, band) ?? undefined,
  complexity: meanComplexity(families),
});

type Rows = readonly DomainRow[] | undefined;

/** Each domain's row with an event's figures; unchanged where the run has one domain. */
function withFigures<T extends { domain: string }>(
  rows: Rows,
  told: readonly T[] | undefined,
  figures: (own: T) => Partial<DomainRow>,
): DomainRow[] | undefined {
  return told?.map((own) => ({
    ...(rows?.find(({ domain }) => domain === own.domain) ?? emptyRow(own.domain)),
    ...figures(own),
  }));
}

export const withWritten = (rows: Rows, { domains }: EventOf<'tasks.generated'>): DomainRow[] | undefined =>
  withFigures(rows, domains, ({ written, accepted, rejected, taskLength, quality = null }) => ({
    ...{ written, accepted, rejected, taskLength, quality },
  }));

export function withAttempted(rows: Rows, rounds: readonly EventOf<'rollouts.finished'>[]): DomainRow[] | undefined {
  return withFigures(rows, rounds.at(-1)?.domains, ({ domain }) =>
    attempted(rounds.flatMap(({ domains = [] }) => domains.filter((own) => own.domain === domain))),
  );
}

export function withScored(
  rows: Rows,
  { domains, families }: EventOf<'families.scored'>,
  band: EpochRow['curriculum'],
): DomainRow[] | undefined {
  return withFigures(rows, domains, ({ domain, successRate, baseSuccessRate, ...scored }) => {
    const own = families.filter((family) => family.domain === domain);
    return {
      successRate: successRate.p === null ? null : successRate,
      baseSuccessRate: baseSuccessRate.p === null ? null : baseSuccessRate,
      ...ofFamilies(own, band),
      inBand: own.length === 0 ? null : scored.inBand,
      environmentReward: own.length === 0 ? null : scored.environmentReward,
      familiesKept: scored.familiesKept,
      effectiveSampleSize: rounded(effectiveSampleSize(own.map(({ weight }) => weight))),
    };
  });
}

/**
 * A validation by domain; a domain's tasks are consecutive.
 * @param first the validation to compare with; null for the first itself
 */
export function validatedDomains(
  { domains = [], outcomes }: EventOf<'validated'>,
  first: EventOf<'validated'> | null,
): NonNullable<ValidationRow['domains']> {
  let from = 0;
  return domains.map(({ domain, tasks, successRate, truncated = null, answerLength }) => {
    const own = { outcomes: outcomes.slice(from, from + tasks) };
    const before = first === null ? null : outcomesOf(first, domain);
    from += tasks;
    const paired = before === null ? null : pairedDifference(before, own);
    return { domain, successRate, truncated, answerLength, change: paired && changeOf(paired) };
  });
}

function outcomesOf({ domains = [], outcomes }: EventOf<'validated'>, name: string): { outcomes: string } | null {
  let from = 0;
  for (const { domain, tasks } of domains) {
    if (domain === name) return { outcomes: outcomes.slice(from, from + tasks) };
    from += tasks;
  }
  return null;
}

export const changeOf = ({ gained, lost, difference, low, high }: PairedDifference) => ({
  ...{ gained, lost, difference: rounded(difference) },
  ...{ low: rounded(low), high: rounded(high) },
});

const emptyRow = (domain: string): DomainRow => ({
  ...{ domain, successRate: null, baseSuccessRate: null, inBand: null, environmentReward: null },
  ...{ families: 0, spread: null, familiesKept: 0, effectiveSampleSize: null },
  ...{ written: 0, accepted: 0, rejected: {}, quality: null, complexity: {}, taskLength: null },
  ...{ answerLength: null, rollouts: 0, truncated: 0, invalid: 0, checkerErrors: 0 },
});

function spreadOf(families: readonly FamilyScore[], band: EpochRow['curriculum']): EpochRow['spread'] {
  let spread: EpochRow['spread'] = null;
  for (const { successRate } of families) {
    const { p } = successRate;
    if (p === null) continue;
    spread ??= { tooHard: 0, inBand: 0, tooEasy: 0, lowest: p, highest: p };
    spread[sideOfBand(p, band)] += 1;
    spread.lowest = Math.min(spread.lowest, p);
    spread.highest = Math.max(spread.highest, p);
  }
  return spread;
}

/** Mean over families, of the families that have the number. */
function meanComplexity(families: readonly FamilyScore[]): Record<string, number> {
  const names = new Set(families.flatMap(({ complexity }) => Object.keys(complexity)));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = families.flatMap(({ complexity }) => complexity[name] ?? []);
      return [name, rounded(values.reduce((sum, value) => sum + value, 0) / values.length)];
    }),
  );
}
