/** Part of `npm run l10n`: texts of settings and of journals, which the exporter cannot see because no call holds them, go into the English bundle. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Field } from '../../src/shared/experiment/field.ts';
import { fields } from '../../src/shared/experiment/fields.ts';
import { recordedForms } from '../../src/shared/journal/recordedWords.ts';
import { groups } from '../../webview/experiment/groups.ts';

/** Fields and their groups as the form shows them, and the engine's sentences. The paper's bare values are the same in every language. */
export const fieldTexts = (): string[] => {
  const ofFields = Object.values<Field>(fields).flatMap(({ label, none, unit, meaning, choices, paper }) => [
    ...[label, none, unit, meaning, ...Object.values(choices ?? {})],
    paper?.includes(' ') === true ? paper : '',
  ]);
  const ofGroups = groups.flatMap(({ title, about, parts }) => [title, about, ...parts.map((part) => part.title)]);
  return [...new Set([...ofFields, ...ofGroups, ...recordedForms])].flatMap((text) =>
    text === undefined || text === '' ? [] : [text],
  );
};

if (import.meta.main) {
  const file = fileURLToPath(new URL('../../l10n/bundle.l10n.json', import.meta.url));
  const bundle = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
  const names = Object.fromEntries(fieldTexts().map((text) => [text, text]));
  await writeFile(file, `${JSON.stringify({ ...bundle, ...names }, null, 2)}\n`);
}
