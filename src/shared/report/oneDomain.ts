/** A run of several domains, as one of them sees it. */
import type { EpochRow, FamilyPoint, ReportData, ValidationRow } from './data.ts';

/** The domains in some rows, in their order; empty where the run has one. */
export const domainsIn = (rows: readonly { domains?: readonly { domain: string }[] | undefined }[]): string[] =>
  rows.findLast(({ domains }) => domains !== undefined)?.domains?.map(({ domain }) => domain) ?? [];

/** Figures of an epoch of which nothing is known yet. */
export const noFigures = {
  ...{ successRate: null, baseSuccessRate: null, inBand: null, environmentReward: null, families: 0, spread: null },
  ...{ familiesKept: 0, effectiveSampleSize: null, written: 0, accepted: 0 },
  ...{
    rejected: {},
    quality: null,
    complexity: {},
    taskLength: null,
    answerLength: null,
    rollouts: 0,
    truncated: 0,
    invalid: 0,
    checkerErrors: 0,
  },
};

/** Updates of both policies, time and tokens stay the whole run's; figures of groups are unknown by domain. */
export function epochOfDomain({ domains, ...row }: EpochRow, name: string): EpochRow {
  for (const { domain, ...figures } of domains ?? []) {
    if (domain === name) return { ...row, ...figures, groups: null };
  }
  return { ...row, ...noFigures, teaching: undefined, groups: null };
}

/** Null where nothing was measured of it. */
export function validationOfDomain(
  { epoch, measure, against, domains }: ValidationRow,
  name: string,
): ValidationRow | null {
  const own = domains?.find(({ domain }) => domain === name);
  if (own === undefined) return null;
  const { domain: _, ...figures } = own;
  return { epoch, measure, against, ...figures };
}

/** A report of one domain. */
export function reportOfDomain(data: ReportData, name: string): ReportData {
  const families: FamilyPoint[] = data.families.filter(({ domain }) => domain === name);
  return {
    ...data,
    epochs: data.epochs.map((row) => epochOfDomain(row, name)),
    validation: data.validation.flatMap((row) => validationOfDomain(row, name) ?? []),
    families,
    samples: data.samples.map(({ epoch, tasks }) => ({
      epoch,
      tasks: tasks.filter(({ domain }) => domain === name),
    })),
  };
}
