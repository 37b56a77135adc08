/** Part of `npm run l10n`: names of settings, which the exporter cannot see because no call holds them, go into the English bundle. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { fields } from '../../src/shared/experiment/fields.ts';
import { groups } from '../../webview/experiment/groups.ts';

/** Names, units and words for nothing, of fields and of their groups. */
export const fieldTexts = (): string[] => {
  const ofFields = Object.values(fields).flatMap(({ label, none, unit }) => [label, none, unit]);
  const ofGroups = groups.flatMap(({ title, about, parts }) => [title, about, ...parts.map((part) => part.title)]);
  return [...new Set([...ofFields, ...ofGroups])].flatMap((text) => (text === undefined || text === '' ? [] : [text]));
};

if (import.meta.main) {
  const file = fileURLToPath(new URL('../../l10n/bundle.l10n.json', import.meta.url));
  const bundle = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
  const names = Object.fromEntries(fieldTexts().map((text) => [text, text]));
  await writeFile(file, `${JSON.stringify({ ...bundle, ...names }, null, 2)}\n`);
}
