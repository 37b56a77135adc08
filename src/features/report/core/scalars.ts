/** An epoch's numbers as scalars: their names are those of the report's data, parts of names divided by slashes. */
import type { EpochRow, EvaluationRow, ValidationRow } from '../../../shared/report/data.ts';

/** A number by its name. */
export interface Scalar {
  readonly tag: string;
  readonly value: number;
}

/** Drawn by the report as figures of their own. */
const left: ReadonlySet<string> = new Set([
  ...['epoch', 'timeline', 'crossPlay', 'domains', 'versions', 'control'],
  // Of a validation: epochs too, not figures.
  ...['measure', 'against'],
]);

export function epochScalars(row: EpochRow): Scalar[] {
  return [
    ...scalarsOf(row, 'epoch'),
    ...(row.domains ?? []).flatMap((domain) => scalarsOf(domain, `domain ${domain.domain}`)),
  ];
}

export const validationScalars = (row: ValidationRow): Scalar[] => [
  ...scalarsOf(row, 'validation'),
  ...(row.domains ?? []).flatMap((domain) => scalarsOf(domain, `validation ${domain.domain}`)),
];

export const evaluationScalars = ({ pass, truncated, change }: EvaluationRow): Scalar[] => [
  ...pass.flatMap(({ k, ...rate }) => scalarsOf(rate, `evaluation pass@${k}`)),
  ...(truncated === null ? [] : scalarsOf({ truncated }, 'evaluation')),
  ...(change === null ? [] : scalarsOf(change, 'evaluation change')),
];

/** Every finite number in it: those that stand alone under `alone`, those of a part under the part's name. */
function scalarsOf(row: object, alone: string): Scalar[] {
  const scalars: Scalar[] = [];
  const add = (prefix: string, value: unknown): void => {
    if (typeof value === 'number' && Number.isFinite(value)) scalars.push({ tag: prefix, value });
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, part] of Object.entries(value)) add(`${prefix}/${name}`, part);
    }
  };
  for (const [name, value] of Object.entries(row)) {
    if (left.has(name)) continue;
    const inside = typeof value === 'object' && alone === 'epoch' ? name : `${alone}/${name}`;
    add(inside, value);
  }
  return scalars;
}
