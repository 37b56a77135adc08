/** The end of `npm run l10n`: from every translated bundle goes what the code no longer asks for. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const folder = fileURLToPath(new URL('../../l10n/', import.meta.url));
const bundle = z.record(z.string(), z.unknown());
const read = async (name: string): Promise<z.infer<typeof bundle>> =>
  bundle.parse(JSON.parse(await readFile(`${folder}${name}`, 'utf8')));

const english = new Set(Object.keys(await read('bundle.l10n.json')));
for (const name of await readdir(folder)) {
  if (!/^bundle\.l10n\.[a-z-]+\.json$/.test(name)) continue;
  const texts = Object.entries(await read(name));
  const kept = texts.filter(([key]) => english.has(key));
  if (kept.length < texts.length)
    await writeFile(`${folder}${name}`, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
  console.log(`${name}: ${texts.length - kept.length} stale texts removed, ${english.size - kept.length} are missing`);
}
