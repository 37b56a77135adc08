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

/** Fields that name an experiment and do not affect a run. */
const names: ReadonlySet<string> = new Set(['version', 'name', 'preset', 'earlyStop']);

/** Settings in which the form differs from a run's. */
export function differences(running: Experiment, form: Experiment): Difference[] {
  return Object.keys(fields)
    .filter(isFieldPath)
    .filter((path) => !names.has(path))
    .map((path) => ({ path, from: valueAt(running, path), to: valueAt(form, path), when: takesHold(path) }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}

/** `curriculum.alpha=0.6`: a change as a run takes it. */
export const assignment = ({ path, to }: Difference): string => `${path}=${JSON.stringify(to)}`;
