// Of the icon font only the glyphs that pages show: 17 kB of 123.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';

/** `.codicon-NAME:before { content: "\ea60" }`, with several selectors where icons have several names. */
const rule = /^(?:\.codicon-[\w-]+:before,?\s*)+\{\s*content:\s*"\\(?<code>[0-9a-f]+)"\s*;?\s*\}/gm;
const name = /\.codicon-([\w-]+):before/g;

/** Words that stand by themselves in a text of a page's code, or name an icon in a class. */
const word = /(?<=["'`]|codicon-)[a-z][\w-]*(?=["'`\s])/g;

/**
 * Leaves rules and glyphs of other icons out of a style sheet's build.
 * @param {string} modules folder of the built pages
 * @returns {import('esbuild').Plugin}
 */
export function usedIcons(modules) {
  /** @type {Promise<{ contents: string, glyphs: string }> | undefined} */
  let sheet;
  /** @param {string} path of the style sheet */
  const used = async (path) => {
    const words = new Set();
    for (const file of (await readdir(modules)).filter((file) => file.endsWith('.js')))
      for (const [found] of (await readFile(join(modules, file), 'utf8')).matchAll(word))
        words.add(found.replace(/^codicon-/, ''));
    const codes = [];
    const contents = (await readFile(path, 'utf8')).replaceAll(rule, (whole, hex) => {
      if (![...whole.matchAll(name)].some(([, icon]) => words.has(icon))) return '';
      codes.push(Number.parseInt(hex, 16));
      return whole;
    });
    return { contents, glyphs: String.fromCodePoint(...codes) };
  };
  return {
    name: 'used icons',
    setup(build) {
      build.onLoad({ filter: /codicon\.css$/ }, async ({ path }) => {
        const { contents } = await (sheet ??= used(path));
        return { contents, loader: 'css' };
      });
      build.onLoad({ filter: /codicon\.ttf/ }, async ({ path }) => {
        const { glyphs } = await (sheet ??= used(path.replace(/\.ttf.*$/, '.css')));
        const whole = await readFile(path.replace(/\?.*$/, ''));
        return { contents: await subsetFont(whole, glyphs, { targetFormat: 'truetype' }), loader: 'file' };
      });
    },
  };
}
