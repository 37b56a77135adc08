/** Figures of an epoch, for the whole run and for each of its domains alike. */
import { meanAnswerLength } from '../../engine/answerLength.ts';
import { effectiveSampleSize, sideOfBand } from '../../engine/math/curriculum.ts';
import { teaching } from '../../engine/math/teaching.ts';
import type { EventOf, FamilyScore } from '../../shared/journal/events.ts';
import type { DomainRow, EpochRow, PairedChange, ValidationRow } from '../../shared/report/data.ts';
import { pairedDifference, type PairedDifference } from '../../engine/math/paired/proportions.ts';
import { taskTries, type MeasuredTasks } from '../../engine/math/paired/taskTries.ts';
import { defined } from '../../shared/defined.ts';

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

type Validated = EventOf<'validated'>;

/** A validation, or its part of one domain, against the first that was measured alike. @param first null for that one itself */
export function validatedChange(
  own: MeasuredTasks,
  first: MeasuredTasks | null,
): Pick<ValidationRow, 'change' | 'unpaired'> {
  if (first === null) return { change: null, unpaired: null };
  const [before, after] = [taskTries(first), taskTries(own)];
  if (before === null || after === null) return { change: null, unpaired: 'attempts' };
  const paired = pairedDifference(before, after);
  return paired === null ? { change: null, unpaired: 'tasks' } : { change: changeOf(paired), unpaired: null };
}

/** A validation by domain. @param first null where there is none to compare it with */
export function validatedDomains(event: Validated, first: Validated | null): NonNullable<ValidationRow['domains']> {
  const before = first === null ? [] : partsOf(first);
  return partsOf(event).map(({ domain, successRate, truncated = null, answerLength, ...tasks }) => {
    const then = before.find((one) => one.domain === domain) ?? null;
    return { domain, successRate, truncated, answerLength, ...validatedChange({ successRate, ...tasks }, then) };
  });
}

/** A domain's tasks are consecutive. */
function partsOf({ domains = [], outcomes, tries }: Validated) {
  let from = 0;
  return domains.map((own) => {
    const [start, end] = [from, (from += own.tasks)];
    return { ...own, outcomes: outcomes.slice(start, end), ...defined({ tries: tries?.slice(start, end) }) };
  });
}

export const changeOf = ({ single, gained, lost, difference, low, high }: PairedDifference): PairedChange => ({
  ...{ single, gained, lost, difference: rounded(difference) },
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
