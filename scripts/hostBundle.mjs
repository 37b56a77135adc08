// The extension's bundle in parts: `extension.cjs` with what activation needs, `runner.cjs` with what a runner of its runs
// begins with, `agents.cjs` with what a server for coding agents begins with, `genenv.cjs` with what the command line begins
// with, and chunks of all that come with their first use.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as esbuild from 'esbuild';
import { commonJsParts, ownUrl, withOwnUrl } from './commonJsParts.mjs';
import { reaching, requiredLate } from './lateParts.mjs';
import { packParts, partsOf } from './packParts.mjs';

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
  const { parts, metafile } = await commonJsParts(entries, folder, {
    ...options,
    // Parts ask each other for short names. Places in a log's stack are found again by the maps of the same build.
    minifyIdentifiers: true,
    chunkNames: 'chunks/[name]-[hash]',
    define: { ...options.define, 'import.meta.url': ownUrl },
    plugins: [oneVscode, ...(options.plugins ?? [])],
  });
  for (const part of parts) {
    part.isChunk = part.path.startsWith(chunks);
    const code = helpers.takeFrom(part.code, part.isChunk ? './/' : './chunks/');
    part.code = code.includes(ownUrl) ? withOwnUrl(code) : code;
  }
  await writeFile(join(chunks, helperFile), helpers.module);
  const first = partsOf(metafile, [atActivation]);
  const ever = partsOf(metafile, [atActivation], 'ever');
  const packs = new Packs(parts, first, ever);
  // At activation nothing brings zod. Afterwards nothing brings a large part (templates, games, the loop) that it does not use.
  const late = reaching(metafile, (name) => !packs.has(name));
  const large = new Set(
    parts
      .filter(({ path, code, isChunk }) => isChunk && !first.has(basename(path)) && mapless(code) > 20_000)
      .map(({ path }) => basename(path)),
  );
  for (const part of parts) {
    const name = basename(part.path);
    if (ever.has(name)) part.code = requiredLate(part.code, first.has(name) ? late : large);
  }
  // The entries came last: what they ask for is there before they are.
  for (const { path, code: named, isChunk } of parts) {
    if (packs.has(path)) continue;
    const { code, map } = await esbuild.transform(packs.lead(named, isChunk ? './' : './chunks/'), {
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
  const packed = await packs.write(chunks, options);
  const written = new Set([join(chunks, helperFile), ...packed, ...parts.map(({ path }) => path)]);
  for (const name of await readdir(chunks)) {
    if (packs.has(name.replace(/\.map$/, '')) || !written.has(join(chunks, name.replace(/\.map$/, ''))))
      await rm(join(chunks, name));
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

/** What is needed at activation is packed apart: nothing else is read then. */
const atActivation = 'src/extension.ts';

/** Characters, map aside. Larger parts keep a file of their own: the editor reads no more than it asks for. */
const smallFor = { 'first.cjs': 4000, 'later.cjs': 12_000, 'others.cjs': 16_000 };

/** Characters, map aside. */
function mapless(code) {
  const end = code.lastIndexOf('\n//# sourceMappingURL=');
  return end < 0 ? code.length : end;
}

/** Parts that are small, in three files. */
class Packs {
  /** @type {Map<string, { pack: string, key: string, part: { code: string } }>} by the parts' names */
  #parts = new Map();

  /**
   * @param {readonly { path: string, code: string, isChunk: boolean }[]} parts
   * @param {ReadonlySet<string>} first names of those that activation needs
   * @param {ReadonlySet<string>} later of all that the extension may need; the command line's are no burden on it
   */
  constructor(parts, first, later) {
    for (const part of parts) {
      const { path, code, isChunk } = part;
      const name = basename(path);
      const pack = first.has(name) ? 'first.cjs' : later.has(name) ? 'later.cjs' : 'others.cjs';
      if (!isChunk || mapless(code) > smallFor[pack]) continue;
      this.#parts.set(name, { pack, key: this.#parts.size.toString(36), part });
    }
  }

  has(path) {
    return this.#parts.has(basename(path));
  }

  /** A part's code, which asks the packs for what is in them. `from`: where they lie, seen from it. */
  lead(code, from, inside = '') {
    return code.replaceAll(/\brequire\("(?:\.\/)+(?:chunks\/)?([^"/]+)"\)/g, (whole, name) => {
      const part = this.#parts.get(name);
      return part === undefined || part.pack === inside
        ? whole
        : `require("${from}${part.pack}").parts["${part.key}"]()`;
    });
  }

  /** @returns the files' paths */
  async write(chunks, options) {
    const files = [];
    for (const pack of new Set(Array.from(this.#parts.values(), (part) => part.pack))) {
      const ours = [...this.#parts].filter(([, part]) => part.pack === pack);
      const texts = new Map(ours.map(([name, { part }]) => [name, this.lead(part.code, './', pack)]));
      const file = join(chunks, pack);
      await packParts(file, texts, (name) => this.#parts.get(name).key, '', { ...options, minifyIdentifiers: true });
      files.push(file);
    }
    return files;
  }
}

/** A statement of esbuild's own: on one line, or ended by a bracket at a line's beginning. */
const helper = /^var (__\w+) = (?:.*;\n|.*\n(?:[ ].*\n)*[)}]+;\n)/;
