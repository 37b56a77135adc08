/** Every field's description, from one source: form, hover, completion and report say the same. */
import type { Field, FieldPath } from './field.ts';
import { curriculumFields } from './fields/curriculum.ts';
import { evaluationFields } from './fields/evaluation.ts';
import { generationFields } from './fields/generation.ts';
import { inputFields } from './fields/inputs.ts';
import { agentFields, environmentFields } from './fields/policies.ts';
import { rewardFields } from './fields/reward.ts';
import { rolloutFields } from './fields/rollouts.ts';
import { endFields, runFields } from './fields/run.ts';

export const fields: Readonly<Record<FieldPath, Field>> = {
  ...runFields,
  ...inputFields,
  ...rewardFields,
  ...curriculumFields,
  ...generationFields,
  ...rolloutFields,
  ...evaluationFields,
  ...agentFields,
  ...environmentFields,
  ...endFields,
};

const byPath: ReadonlyMap<string, Field> = new Map(Object.entries(fields));

/** Whether a path names a field of an experiment. */
export const isFieldPath = (path: string): path is FieldPath => byPath.has(path);

/** The description of a field; undefined where the path names none. */
export const fieldAt = (path: string): Field | undefined => byPath.get(path);

/** `α. The success rate … Paper: 0.5.`; '' where the path names no field. */
export function describeField(path: string): string {
  const field = fieldAt(path);
  if (field === undefined) return '';
  const { symbol, meaning, unit, paper } = field;
  const parts = [
    ...(symbol === undefined ? [] : [`${symbol}.`]),
    meaning,
    ...(unit === undefined ? [] : [`Unit: ${unit}.`]),
    ...(paper === null ? [] : [`Paper: ${paper}.`]),
  ];
  return parts.join(' ');
}
