// The command line's bundle in parts. `cli.js` only begins; `cli/first.cjs` has what reads a command line and what judges
// files of answers, the one command whose start counts beside its work; the others' parts come when they are called.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as esbuild from 'esbuild';
import { commonJsParts } from './commonJsParts.mjs';

/** Sources in the first file, with all that they import: Node takes as long to find a file as to load ten pages of it. */
const inFirst = ['src/cli/main.ts', 'src/features/offline/cli/score.ts', 'src/benchmarks/bfcl/offline.ts'];

/**
 * The compiled code is kept between calls, which Node 22.0 does not do yet. Kept is what was compiled when a file had been
 * read: all functions of the first one, where that was measured, and not those alone that stand outside of others.
 */
const beginning = `#!/usr/bin/env node
import * as module from 'node:module';
import { setFlagsFromString } from 'node:v8';
const isMeasured = /^13\\.6\\./.test(process.versions.v8);
module.enableCompileCache?.();
if (isMeasured) setFlagsFromString('--no-lazy');
module.createRequire(import.meta.url)('./cli/first.cjs');
if (isMeasured) setFlagsFromString('--lazy');
`;

/** A part's own address, for which CommonJS has its file's name. */
const ownUrl = 'partUrl';
const ownUrlLine = `const ${ownUrl}=require("node:url").pathToFileURL(__filename).href;`;

/**
 * Writes FOLDER/cli.js, FOLDER/cli/*.cjs and their maps.
 * @param {string} entry
 * @param {string} folder
 * @param {esbuild.BuildOptions} options
 */
export async function bundleCli(entry, folder, options) {
  const place = join(folder, 'cli');
  // Parts of an older build would only lie about.
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  const { parts, metafile } = await commonJsParts(entry, place, {
    ...options,
    define: { 'import.meta.url': ownUrl },
    chunkNames: '[name]-[hash]',
  });
  const first = closure(metafile, inFirst);
  const texts = new Map(
    parts.map(({ path, code }) => [basename(path), code.includes(ownUrl) ? ownUrlLine + code : code]),
  );
  await writeFirst(place, texts, first, basename(parts.at(-1).path), options);
  for (const [name, text] of texts) {
    if (first.has(name)) continue;
    const code = text.replaceAll(/\brequire\("(\.\/[^"]+)"\)/g, (whole, asked) =>
      first.has(basename(asked)) ? `require("./first.cjs").parts["${basename(asked)}"]()` : whole,
    );
    await writePart(join(place, name), code, options);
  }
  await writeFile(join(folder, 'cli.js'), beginning);
}

/**
 * Names of the parts that these sources are in, and of all that they import at once.
 * @param {esbuild.Metafile} metafile
 * @param {readonly string[]} sources
 */
function closure({ outputs }, sources) {
  const found = new Set();
  const follow = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind, external } of outputs[path].imports) {
      if (kind === 'import-statement' && !external) follow(next);
    }
  };
  for (const source of sources) {
    const path = Object.keys(outputs).find((output) => outputs[output].entryPoint === source);
    if (path === undefined) throw new Error(`No part of the command line begins with ${source}.`);
    follow(path);
  }
  return new Set(Array.from(found, (path) => basename(path)));
}

/** One file of many parts; imports of one of them from outside come from here, so that there is one of each. */
async function writeFirst(place, texts, first, entry, options) {
  const inside = [...first].map((name) => `"${name}":()=>require(".//${name}")`);
  await esbuild.build({
    stdin: { contents: `exports.parts={${inside.join()}};require(".//${entry}");`, resolveDir: place },
    outfile: join(place, 'first.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: options.target,
    minifyWhitespace: options.minifyWhitespace,
    minifySyntax: options.minifySyntax,
    sourcemap: 'linked',
    plugins: [
      {
        name: 'parts',
        setup(build) {
          build.onResolve({ filter: /^\.\// }, ({ path }) =>
            // By name alone: what it resolves to is written into the bundle, which must not name folders of this machine.
            first.has(basename(path)) ? { path: basename(path), namespace: 'parts' } : { path, external: true },
          );
          build.onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => ({
            contents: texts.get(path),
            resolveDir: place,
          }));
        },
      },
    ],
  });
}

/**
 * @param {string} path
 * @param {string} code
 * @param {esbuild.BuildOptions} options
 */
async function writePart(path, code, options) {
  const { code: written, map } = await esbuild.transform(code, {
    format: 'cjs',
    platform: 'node',
    target: options.target,
    minifyWhitespace: options.minifyWhitespace,
    minifySyntax: options.minifySyntax,
    sourcemap: 'external',
    sourcefile: path,
  });
  await writeFile(`${path}.map`, map);
  await writeFile(path, `${written}//# sourceMappingURL=${basename(path)}.map\n`);
}
