/** Writes the JSON Schemas that editors read (`npm run schemas`), generated from the zod schemas that check the files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { experimentFileSchema } from '../src/shared/experiment/jsonSchema.ts';

const folder = new URL('../media/schemas/', import.meta.url);
await mkdir(folder, { recursive: true });
const text = await format(JSON.stringify(experimentFileSchema()), { parser: 'json', printWidth: 120 });
await writeFile(new URL('genenv.schema.json', folder), text);
