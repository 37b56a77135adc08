/** The adapter as JSON Schema, used for the wording of problems and for completion in text editors. */
import * as z from 'zod';
import type { JsonSchema } from '../experiment/allowed.ts';
import { adapterSchema } from './schema.ts';
import { defined } from '../defined.ts';

let checked: JsonSchema | undefined;

/** The loader's own schema. */
export function adapterJsonSchema(): JsonSchema {
  checked ??= z.toJSONSchema(adapterSchema, { io: 'input' });
  return checked;
}

/** The schema of the file a person writes. Comments and trailing commas are VS Code's own keywords. */
export function adapterFileSchema(): JsonSchema {
  const { $schema, type, properties, ...rest } = adapterJsonSchema();
  return {
    ...defined({ $schema }),
    title: 'GenEnv benchmark adapter',
    description: 'Where a benchmark’s data lies, how a record becomes a task, how an answer is scored.',
    allowComments: true,
    allowTrailingCommas: true,
    ...defined({ type }),
    properties: { $schema: { type: 'string', description: 'Where an editor finds this schema.' }, ...properties },
    ...rest,
  };
}
