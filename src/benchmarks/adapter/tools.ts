/** The functions that a record offers, as tool specs. */
import * as l10n from '@vscode/l10n';
import type { ToolsMapping } from '../../shared/adapters/mapping.ts';
import { isObject, type JsonObject } from '../../shared/experiment/resolve.ts';
import type { ToolSpec } from '../../shared/records/task.ts';
import { RecordFault, plainAt, valueAt, type Scope } from './scope.ts';

/** @throws RecordFault when one of them has no name or no parameters */
export function toolsOf({ each, name, description, parameters, types }: ToolsMapping, scope: Scope): ToolSpec[] {
  const list = plainAt(scope, each);
  if (!Array.isArray(list)) throw new RecordFault(l10n.t('there is no list at {0}', each), 'task.tools.each');
  return list.map((one: unknown, i) => {
    const called = valueAt(one, name);
    const about = valueAt(one, description);
    const schema = valueAt(one, parameters);
    if (typeof called !== 'string')
      throw new RecordFault(l10n.t('function {0} has no name at {1}', i + 1, name), 'task.tools.name');
    if (!isObject(schema)) {
      throw new RecordFault(
        l10n.t('function {0} has no parameters at {1}', i + 1, parameters),
        'task.tools.parameters',
      );
    }
    return {
      name: called,
      description: typeof about === 'string' ? about : '',
      parameters: types === undefined ? schema : renamed(schema, types),
    };
  });
}

/** A schema whose types are JSON Schema's. A parameter that is called "type" stays what it is. */
function renamed(schema: JsonObject, types: Readonly<Record<string, string>>): JsonObject {
  const fields = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'type' && typeof value === 'string') {
      const type = Object.hasOwn(types, value) ? types[value] : value;
      return type === '' ? [] : [[key, type]];
    }
    if (key === 'properties' && isObject(value)) {
      return [[key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, part(inner, types)]))]];
    }
    return [[key, key === 'items' || key === 'additionalProperties' ? part(value, types) : value]];
  });
  return Object.fromEntries(fields);
}

const part = (value: unknown, types: Readonly<Record<string, string>>): unknown =>
  isObject(value) ? renamed(value, types) : value;
