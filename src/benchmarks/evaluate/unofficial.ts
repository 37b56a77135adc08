/** Reasons why figures over an evaluation's tasks are not its benchmark's own. */
import type { EvaluationData, EvaluationSettings, Unofficial } from '../../shared/records/evaluation.ts';

/** Rules of benchmarks whose authors give figures for one split at a time. */
const splitBySplit: readonly string[] = ['alfworld', 'travelplanner'];

/** How far it has come: attempts that are there, of all. */
export interface Extent {
  answered: number;
  asked: number;
  /** Whether everything was asked for: what is missing then was not answered. */
  finished: boolean;
}

/** Empty for a complete benchmark. @param data null where older versions did not record its completeness */
export function unofficial(
  { rule, splits, sample, tasks }: Pick<EvaluationSettings, 'rule' | 'splits' | 'sample' | 'tasks'>,
  data: EvaluationData | null,
  { answered, asked, finished }: Extent,
): Unofficial[] {
  const drawn = sample !== null && tasks < (data?.tasks ?? Infinity);
  const unknown = data?.splits.find(({ expected, missing }) => expected === null && missing.length === 0);
  return [
    ...(finished ? [] : [{ kind: 'unfinished', answered, asked } as const]),
    ...(drawn ? [{ kind: 'sample', tasks, of: data?.tasks ?? null } as const] : []),
    ...(data === null ? [{ kind: 'untold' } as const] : faultsOf(data)),
    ...(unknown === undefined ? [] : [{ kind: 'size', split: unknown.name } as const]),
    ...(splitBySplit.includes(rule) && splits.length > 1 ? [{ kind: 'splits', splits: splits.length } as const] : []),
  ];
}

/** Faults of the data. */
export function faultsOf({ splits, problems, example }: Omit<EvaluationData, 'v' | 'tasks'>): Unofficial[] {
  return [
    ...splits.flatMap(({ name: split, fit, expected, missing }): Unofficial[] => {
      if (missing.length > 0) return [{ kind: 'files', split, patterns: missing }];
      return expected === null || expected === fit ? [] : [{ kind: 'records', split, fit, expected }];
    }),
    ...(problems === 0 ? [] : [{ kind: 'problems', count: problems, example: example ?? '' } as const]),
  ];
}

const broken: readonly Unofficial['kind'][] = ['files', 'records', 'problems'];

/** Whether it is the data that is broken, and not only less of it asked for. */
export const isFault = ({ kind }: Unofficial): boolean => broken.includes(kind);
