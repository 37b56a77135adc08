/** Writes the JSON Schemas that editors read, from the zod schemas that check the files, and the page of settings (`npm run schemas`). */
import { mkdir, writeFile } from 'node:fs/promises';
import { format } from 'oxfmt';
import { adapterFileSchema } from '../src/shared/adapters/jsonSchema.ts';
import { studyFileSchema } from '../src/features/study/core/jsonSchema.ts';
import { settingsPage } from './settingsPage.ts';
import { experimentFileSchema } from '../src/shared/experiment/jsonSchema.ts';

const folder = new URL('../media/schemas/', import.meta.url);
await mkdir(folder, { recursive: true });
const files = {
  'genenv.schema.json': experimentFileSchema(),
  'adapter.schema.json': adapterFileSchema(),
  'study.schema.json': studyFileSchema(),
};
for (const [name, schema] of Object.entries(files)) {
  const { code } = await format(name, JSON.stringify(schema), { printWidth: 120 });
  await writeFile(new URL(name, folder), code);
}
const page = 'settings.md';
const { code } = await format(page, settingsPage(), { printWidth: 120 });
await writeFile(new URL(`../docs/${page}`, import.meta.url), code);
