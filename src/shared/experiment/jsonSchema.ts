/** The experiment as JSON Schema: the loader checks with `checked`; `editor` is for completion in text editors. */
import * as z from 'zod';
import { schemasAt, type JsonSchema } from './allowed.ts';
import { describeField, fieldAt } from './fields.ts';
import { fieldName, type Path } from './text/jsonText.ts';
import { experimentSchema } from './schema.ts';
import { defined } from '../defined.ts';

let checked: JsonSchema | undefined;

/** Every field required, as a resolved experiment has them. */
export function resolvedJsonSchema(): JsonSchema {
  checked ??= z.toJSONSchema(experimentSchema, { io: 'input' });
  return checked;
}

/**
 * Schema of the file a person writes: everything that a preset can give may be left out. Comments and trailing commas
 * are VS Code's own keywords.
 * @param describe a field's meaning by its dotted path; '' for none
 */
export function experimentFileSchema(describe = describeField): JsonSchema {
  const schema = z.toJSONSchema(experimentSchema, { io: 'input' });
  for (const section of ['', ...Object.keys(schema.properties ?? {})]) {
    if (section === 'earlyStop') continue;
    for (const part of schemasAt(schema, section === '' ? [] : [section])) leaveOut(part);
  }
  for (const [section, field] of [
    ['endpoints', 'agent'],
    ['endpoints', 'environment'],
    ['curriculum', 'reward'],
    ['curriculum', 'control'],
    ['rollouts', 'sampler'],
    ['agent', 'adam'],
    ['environment', 'adam'],
  ] as const) {
    for (const part of schemasAt(schema, [section, field])) leaveOut(part);
    for (const part of schemasAt(schema, [section])) ofSeveral(part.properties?.[field]);
  }
  for (const part of schemasAt(schema, ['domains', 0])) {
    part.required = ['share'];
    describeDomain(part, describe);
  }
  describeAll(schema, [], describe);
  const { $schema, type, properties, ...rest } = schema;
  return {
    ...defined({ $schema }),
    title: 'GenEnv experiment',
    description: 'What to run. A field that is left out comes from the preset.',
    allowComments: true,
    allowTrailingCommas: true,
    ...defined({ type }),
    properties: { $schema: { type: 'string', description: 'Where an editor finds this schema.' }, ...properties },
    ...rest,
  };
}

function leaveOut(schema: JsonSchema): void {
  delete schema.required;
}

/** Of forms without required fields several may fit what is written. */
function ofSeveral(schema: JsonSchema | boolean | undefined): void {
  if (typeof schema !== 'object' || schema.oneOf === undefined) return;
  schema.anyOf = schema.oneOf;
  delete schema.oneOf;
}

/** An entry of the list has the description of `domain`, and its share. */
function describeDomain({ properties }: JsonSchema, describe: typeof describeField): void {
  for (const [name, part] of Object.entries(properties ?? {})) {
    if (typeof part === 'boolean') continue;
    const text = describe(`domain.${name}`);
    part.description =
      text === '' ? 'Its part of each epoch’s families, base data and validation, beside the other shares.' : text;
  }
}

/** Hover and completion use the form's texts. */
function describeAll(schema: JsonSchema, path: Path, describe: typeof describeField): void {
  for (const { properties } of schemasAt(schema, path)) {
    for (const [name, part] of Object.entries(properties ?? {})) {
      const inner = [...path, name];
      const choices = fieldAt(fieldName(inner))?.choices;
      if (typeof part === 'boolean') continue;
      const text = describe(fieldName(inner));
      if (text !== '') part.description = text;
      if (choices !== undefined && part.enum !== undefined) {
        part['enumDescriptions'] = part.enum.map((choice) => choices[String(choice)] ?? '');
      }
      describeAll(schema, inner, describe);
    }
  }
}
