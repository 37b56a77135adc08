/** The study file as JSON Schema, for editors: completion knows the experiment's fields in arms and grid. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { describeField, fieldAt, fields } from '../../../shared/experiment/fields.ts';
import type { JsonSchema } from '../../../shared/experiment/allowed.ts';
import { defined } from '../../../shared/defined.ts';
import { studySchema } from '../contract/file.ts';

/** @param describe a field's meaning by its dotted path */
export function studyFileSchema(describe = describeField): JsonSchema {
  const schema = z.toJSONSchema(studySchema, { io: 'input' });
  const described: Record<string, JsonSchema> = Object.fromEntries(
    Object.keys(fields).map((path) => [path, { description: describe(path) }]),
  );
  const values: Record<string, JsonSchema> = Object.fromEntries(
    Object.keys(described).map((path): [string, JsonSchema] => [
      path,
      {
        description: l10n.t('{0}: values to go through.', l10n.t(fieldAt(path)?.label ?? path)),
        type: 'array',
        minItems: 1,
      },
    ]),
  );
  const { arms, grid, ...properties } = schema.properties ?? {};
  const { $schema, ...rest } = schema;
  return {
    ...defined({ $schema }),
    ...rest,
    title: 'GenEnv study',
    description: 'One question asked of many runs: arms and values, the same seeds and the same budget for each.',
    allowComments: true,
    allowTrailingCommas: true,
    properties: {
      $schema: { type: 'string', description: 'Where an editor finds this schema.' },
      ...properties,
      ...(typeof arms === 'object' && {
        arms: { ...arms, additionalProperties: { type: 'object', properties: described } },
      }),
      ...(typeof grid === 'object' && { grid: { ...grid, properties: values } }),
    },
  };
}
