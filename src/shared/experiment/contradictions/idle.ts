/** Settings that someone gave and that have no effect beside the others. */
import * as l10n from '@vscode/l10n';
import { isFieldPath } from '../fields.ts';
import { whyIdle } from '../relevance.ts';
import { at, isObject, startOf, withPreset, type JsonObject } from '../resolve.ts';
import { experimentSchema, type Experiment } from '../schema.ts';
import type { Override } from '../overrides.ts';
import type { Contradiction } from './contradiction.ts';

/** Settings by where they come from; `written` is {} for a run's own settings, which are all there. */
interface Given {
  written: JsonObject;
  overrides: readonly Override[];
}

/**
 * A warning of each. One of the file has an effect where only a value on top of it, as in an arm of a study, takes the
 * effect away: the file is meant for other values, too.
 * @param known contradictions that have words of their own for their fields
 */
export function idleSettings(
  experiment: Experiment,
  { written, overrides }: Given,
  known: readonly Contradiction[],
): Contradiction[] {
  const start = startOf({ ...experiment });
  const alone = overrides.length === 0 ? experiment : experimentSchema.safeParse(withPreset(written)).data;
  const ofFile = leaves(written).filter(
    (field) => alone === undefined || (isFieldPath(field) && whyIdle(field, alone) !== null),
  );
  const onTop = overrides.flatMap(({ path, value }) => leaves(value, path.join('.')));
  const told = known.flatMap(({ fields }) => fields);
  return [...new Set([...ofFile, ...onTop])].flatMap((field): Contradiction[] => {
    if (!isFieldPath(field) || told.some((other) => field === other || field.startsWith(`${other}.`))) return [];
    const path = field.split('.');
    const value = at(experiment, path);
    if (nothing.has(value) || JSON.stringify(value) === JSON.stringify(at(start, path))) return [];
    const why = whyIdle(field, experiment);
    if (why === null) return [];
    return [
      {
        fields: [field],
        message: l10n.t('{0} has no effect in this experiment. {1}', field, why),
        remedy: l10n.t('Remove it, or change what takes its effect away.'),
        severity: 'warning',
      },
    ];
  });
}

/** Values that ask for nothing: they get it. */
const nothing: ReadonlySet<unknown> = new Set([0, null, false, 'off', 'none']);

/** Paths of what is no object. */
function leaves(value: unknown, path = ''): string[] {
  if (!isObject(value)) return path === '' ? [] : [path];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`));
}
