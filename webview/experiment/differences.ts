/** The form's changes to a run. Pure. */
import { takesHold, valueAt } from '../../src/shared/experiment/changeable.ts';
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { fields, isFieldPath } from '../../src/shared/experiment/fields.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';

export interface Difference {
  path: FieldPath;
  from: unknown;
  to: unknown;
  /** When a change of it takes effect during a run; null when it cannot change. */
  when: 'scoring' | 'epoch' | null;
}

/** Fields that name an experiment and do not affect a run, and sections, whose fields stand for them. */
const names: ReadonlySet<string> = new Set(['version', 'name', 'preset', 'earlyStop']);

/** Settings in which the form differs from a run's. A section that the form has off is one of them. */
export function differences(running: Experiment, form: Experiment): Difference[] {
  const paths = Object.keys(fields).filter(isFieldPath);
  const off = paths.filter((path) => valueAt(form, path) === null && paths.some((other) => isWithin(other, path)));
  return paths
    .filter((path) => off.includes(path) || !names.has(path))
    .filter((path) => !off.some((section) => isWithin(path, section)))
    .map((path) => ({ path, from: valueAt(running, path), to: valueAt(form, path), when: takesHold(path) }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}

const isWithin = (path: FieldPath, section: FieldPath): boolean => path.startsWith(`${section}.`);

/** `curriculum.alpha=0.6`: a change as a run takes it. */
export const assignment = ({ path, to }: Difference): string => `${path}=${JSON.stringify(to)}`;
