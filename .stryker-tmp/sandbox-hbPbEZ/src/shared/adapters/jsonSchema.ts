/** The adapter as JSON Schema: what problems are worded from, and what a text editor completes from. */
import * as z from 'zod';
import type { JsonSchema } from '../experiment/allowed.ts';
import { adapterSchema } from './schema.ts';

let checked: JsonSchema | undefined;

/** What the loader checks with. */
export function adapterJsonSchema(): JsonSchema {
  checked ??= z.toJSONSchema(adapterSchema, { io: 'input' });
  return checked;
}

/** The schema of the file a person writes. Comments and trailing commas are VS Code's own keywords. */
export function adapterFileSchema(): JsonSchema {
  const { $schema, type, properties, ...rest } = adapterJsonSchema();
  return {
    ...($schema === undefined ? {} : { $schema }),
    title: 'GenEnv benchmark adapter',
    description: 'Where a benchmark’s data lies, how a record becomes a task, how an answer is scored.',
    allowComments: true,
    allowTrailingCommas: true,
    ...(type === undefined ? {} : { type }),
    properties: { $schema: { type: 'string', description: 'Where an editor finds this schema.' }, ...properties },
    ...rest,
  };
}
