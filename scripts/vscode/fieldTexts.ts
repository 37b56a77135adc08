/** Part of `npm run l10n`: texts of settings and of journals, which the exporter cannot see because no call holds them, go into the English bundle. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Field } from '../../src/shared/experiment/field.ts';
import { fieldAt, fields } from '../../src/shared/experiment/fields.ts';
import { recordedForms } from '../../src/shared/journal/recordedWords.ts';
import { adapterTemplates } from '../../src/features/adapter/host/adapterTemplates.ts';
import { templates } from '../../src/features/experiment/host/templates.ts';
import { adapterFileSchema } from '../../src/shared/adapters/jsonSchema.ts';
import { studyFileSchema } from '../../src/features/study/core/jsonSchema.ts';
import { experimentFileSchema } from '../../src/shared/experiment/jsonSchema.ts';
import { groups } from '../../webview/experiment/groups.ts';

/** Fields and their groups as the form shows them, the engine's sentences, starts of new files, and the schemas of files. The paper's bare values are the same in every language. */
export const fieldTexts = (): string[] => {
  const ofFields = Object.values<Field>(fields).flatMap(({ label, none, unit, meaning, choices, paper, file }) => [
    ...[label, none, unit, meaning, file?.kind, ...Object.values(choices ?? {})],
    paper?.includes(' ') === true ? paper : '',
  ]);
  const ofGroups = groups.flatMap(({ title, about, parts }) => [title, about, ...parts.map((part) => part.title)]);
  const ofTemplates = [...templates, ...adapterTemplates].flatMap(({ label, detail }) => [label, detail]);
  const ofSchemas = [experimentFileSchema(composed), studyFileSchema(composed), adapterFileSchema()].flatMap(textsIn);
  return [...new Set([...ofFields, ...ofGroups, ...recordedForms, ...ofTemplates, ...ofSchemas])].flatMap((text) =>
    text === undefined || text === '' ? [] : [text],
  );
};

/** `fieldInWords` puts the meaning of fields together from texts of their own. */
const composed = (path: string): string => (fieldAt(path) === undefined ? '' : ': values to go through.');

/** Of everything in a JSON Schema, but for what code has put together. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, own]) =>
    (name === 'description' || name === 'title') && typeof own === 'string'
      ? own.endsWith(': values to go through.')
        ? []
        : [own]
      : textsIn(own),
  );
}

if (import.meta.main) {
  const file = fileURLToPath(new URL('../../l10n/bundle.l10n.json', import.meta.url));
  const bundle = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
  const names = Object.fromEntries(fieldTexts().map((text) => [text, text]));
  await writeFile(file, `${JSON.stringify({ ...bundle, ...names }, null, 2)}\n`);
}
