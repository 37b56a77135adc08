// The extension's bundle in parts: `extension.cjs` with what activation needs, `runner.cjs` with what a runner of its runs
// begins with, `agents.cjs` with what a server for coding agents begins with, and chunks of all that come with their first use.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as esbuild from 'esbuild';
import { commonJsParts } from './commonJsParts.mjs';

/** Every `import * as vscode` would copy the API's 350 names for itself: all share one copy. @type {esbuild.Plugin} */
const oneVscode = {
  name: 'one-vscode',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'shared' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'shared' },
    );
    build.onLoad({ filter: /^vscode$/, namespace: 'shared' }, () => ({ contents: "export * from 'vscode';" }));
  },
};

/**
 * Writes FOLDER/NAME.cjs of each entry, FOLDER/chunks/*.cjs and their maps; removes chunks of an older build.
 * @param {Record<string, string>} entries by NAME
 * @param {string} folder
 * @param {esbuild.BuildOptions} options
 */
export async function bundleHost(entries, folder, options) {
  const chunks = join(folder, 'chunks');
  await mkdir(chunks, { recursive: true });
  const helpers = new Helpers();
  const { parts } = await commonJsParts(entries, folder, {
    ...options,
    // Parts ask each other for short names. Places in a log's stack are found again by the maps of the same build.
    minifyIdentifiers: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [oneVscode, ...(options.plugins ?? [])],
  });
  for (const part of parts) part.code = helpers.takeFrom(part.code, part.path.startsWith(chunks) ? './/' : './chunks/');
  await writeFile(join(chunks, helperFile), helpers.module);
  // The entries came last: what they ask for is there before they are.
  for (const { path, code: named } of parts) {
    const { code, map } = await esbuild.transform(named, {
      format: 'cjs',
      platform: 'node',
      target: options.target,
      minifyWhitespace: options.minifyWhitespace,
      minifySyntax: options.minifySyntax,
      // Every use of another part is spelled with that part's name otherwise.
      minifyIdentifiers: true,
      sourcemap: 'external',
      sourcefile: path,
    });
    await writeFile(`${path}.map`, map);
    await writeFile(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
  }
  const written = new Set([join(chunks, helperFile), ...parts.map(({ path }) => path)]);
  for (const name of await readdir(chunks)) {
    if (!written.has(join(chunks, name.replace(/\.map$/, '')))) await rm(join(chunks, name));
  }
}

const helperFile = 'helpers.cjs';

/** Hundreds of parts would each bring esbuild's helpers: they stand in one. */
class Helpers {
  /** @type {Map<string, string>} */
  #texts = new Map();

  /**
   * The part without the helpers that it begins with, as many lines long as before.
   * @param {string} code
   * @param {string} from where parts lie, seen from this one
   */
  takeFrom(code, from) {
    const names = [];
    let rest = code.replace(/^"use strict";\n/, '');
    for (let found; (found = helper.exec(rest)) !== null; rest = rest.slice(found[0].length)) {
      const [, name] = found;
      // A helper's own variables are numbered where the part has some of their names.
      const text = found[0].replaceAll(/\b([A-Za-z]+)\d+\b/g, '$1');
      if ((this.#texts.get(name) ?? text) !== text) throw new Error(`esbuild writes its helper ${name} in two ways.`);
      this.#texts.set(name, text);
      names.push(name);
    }
    const lines = code.slice(0, code.length - rest.length).split('\n').length - 1;
    const used = names.filter((name) => rest.includes(name));
    return `"use strict";const {${used.join()}}=require("${from}${helperFile}");${'\n'.repeat(lines)}${rest}`;
  }

  get module() {
    return `"use strict";\n${[...this.#texts.values()].join('')}module.exports = { ${[...this.#texts.keys()].join()} };\n`;
  }
}

/** A statement of esbuild's own: on one line, or ended by a bracket at a line's beginning. */
const helper = /^var (__\w+) = (?:.*;\n|.*\n(?:[ ].*\n)*[)}]+;\n)/;
