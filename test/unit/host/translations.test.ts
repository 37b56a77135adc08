/** Every translated bundle beside its English one: the same keys and placeholders, and little that is missing. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** With what it says to translators a text is an object. */
const bundle = z.record(
  z.string(),
  z.string().or(z.looseObject({ message: z.string() }).transform(({ message }) => message)),
);
const read = (file: string): Map<string, string> =>
  new Map(Object.entries(bundle.parse(JSON.parse(readFileSync(`${root}${file}`, 'utf8')))));

/** Placeholders, icons, links, commands, code and the like: what a translator must leave as it is, in any order. */
const marks =
  /\$?\{[^}]*\}|\$\([\w~-]+\)|`[^`]*`|\]\([^)]*\)|\*(?:\.\w+)+|\*\*|https?:\/\/\S*|\bgenenv(?:\.\w+)+|\n|^\s|\s$|…$/g;
const marksIn = (text: string): string[] => [...text.matchAll(marks)].map(([mark]) => mark).sort();

const sources = [
  { english: 'l10n/bundle.l10n.json', folder: 'l10n/', translated: /^bundle\.l10n\.[a-z-]+\.json$/ },
  { english: 'package.nls.json', folder: '', translated: /^package\.nls\.[a-z-]+\.json$/ },
];

describe('Translations', () => {
  for (const { english, folder, translated } of sources) {
    const texts = read(english);
    const files = readdirSync(`${root}${folder}`).filter((name) => translated.test(name));

    it(`${english} has some`, () => assert.ok(files.includes(english.replace(/^.*\/|\.json$/g, '') + '.de.json')));

    for (const name of files) {
      const own = read(`${folder}${name}`);

      it(`${name} has no text that nothing asks for`, () => {
        assert.deepEqual(
          [...own.keys()].filter((key) => !texts.has(key)),
          [],
        );
      });

      it(`${name} keeps placeholders, links and code`, () => {
        const wrong = [...own].filter(
          ([key, text]) => texts.has(key) && marksIn(text).join('|') !== marksIn(texts.get(key) ?? '').join('|'),
        );
        assert.deepEqual(wrong, []);
      });

      it(`${name} lacks at most one text in twenty`, () => {
        const missing = [...texts.keys()].filter((key) => !own.has(key));
        assert.ok(missing.length <= texts.size / 20, `${missing.length} are missing:\n${missing.join('\n')}`);
      });
    }
  }
});
