// Of the icon font only what pages show: half of a percent of its glyphs weigh as much as the largest page.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';

/** `.codicon-NAME:before { content: "\ea60" }`, with several selectors where icons have several names. */
const rule = /^(?:\.codicon-[\w-]+:before,?\s*)+\{\s*content:\s*"\\(?<code>[0-9a-f]+)"\s*;?\s*\}/gm;
const name = /\.codicon-([\w-]+):before/g;

/**
 * Leaves rules and glyphs of other icons out of a style sheet's build. An icon counts as used where its name stands by
 * itself in a text of the pages' code, or in a class.
 * @param {string} modules folder of the built pages
 * @returns {import('esbuild').Plugin}
 */
export function usedIcons(modules) {
  /** @type {Promise<string> | undefined} */
  let code;
  const read = async () => {
    const files = (await readdir(modules)).filter((file) => file.endsWith('.js'));
    return (await Promise.all(files.map((file) => readFile(join(modules, file), 'utf8')))).join('\n');
  };
  /** @param {string} path of the style sheet */
  const sheet = async (path) => {
    const text = await readFile(path, 'utf8');
    const used = await (code ??= read());
    const shown = (icon) => new RegExp(`(?:["'\`]|codicon-)${icon}(?=["'\`\\s])`).test(used);
    const codes = [];
    const contents = text.replaceAll(rule, (whole, hex) => {
      if (![...whole.matchAll(name)].some(([, icon]) => shown(icon))) return '';
      codes.push(Number.parseInt(hex, 16));
      return whole;
    });
    return { contents, glyphs: String.fromCodePoint(...codes) };
  };
  return {
    name: 'used icons',
    setup(build) {
      build.onLoad({ filter: /codicon\.css$/ }, async ({ path }) => {
        const { contents } = await sheet(path);
        return { contents, loader: 'css' };
      });
      build.onLoad({ filter: /codicon\.ttf/ }, async ({ path }) => {
        const { glyphs } = await sheet(path.replace(/\.ttf.*$/, '.css'));
        const whole = await readFile(path.replace(/\?.*$/, ''));
        return { contents: await subsetFont(whole, glyphs, { targetFormat: 'truetype' }), loader: 'file' };
      });
    },
  };
}
