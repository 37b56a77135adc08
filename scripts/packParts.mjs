// Many parts of a program in one file: Node takes as long to find a file as to load ten pages of it, and a package of many
// small files is larger by half. A part runs when it is first asked for, as if it had a file of its own.
import { basename } from 'node:path';
import * as esbuild from 'esbuild';

/**
 * Writes FILE, with `parts`: by each part's key a function that gives its exports.
 * @param {string} file
 * @param {ReadonlyMap<string, string>} texts codes of the parts, with their maps inside, by name; they ask for each other as `./NAME`
 * @param {(name: string) => string} keyOf
 * @param {string} then code that runs when FILE is asked for
 * @param {esbuild.BuildOptions} options
 */
export async function packParts(file, texts, keyOf, then, options) {
  const inside = [...texts.keys()].map((name) => `${JSON.stringify(keyOf(name))}:()=>require(".//${name}")`);
  await esbuild.build({
    stdin: { contents: `exports.parts={${inside.join()}};${then}`, resolveDir: '/' },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: options.target,
    minifyWhitespace: options.minifyWhitespace,
    minifySyntax: options.minifySyntax,
    minifyIdentifiers: options.minifyIdentifiers,
    external: ['vscode'],
    sourcemap: 'linked',
    plugins: [
      {
        name: 'parts',
        setup(build) {
          build.onResolve({ filter: /^\.\// }, ({ path }) =>
            // By name alone: what it resolves to is written into the bundle, which must not name folders of this machine.
            texts.has(basename(path)) ? { path: basename(path), namespace: 'parts' } : { path, external: true },
          );
          build.onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => ({
            contents: texts.get(path),
            resolveDir: '/',
          }));
        },
      },
    ],
  });
}

/**
 * Names of the parts that these have, and of all that they import: at once, or with a first use too.
 * @param {esbuild.Metafile} metafile
 * @param {readonly string[]} sources first files of parts, from the root
 */
export function partsOf({ outputs }, sources, when = 'at once') {
  const found = new Set();
  const follow = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind, external } of outputs[path].imports) {
      if ((kind === 'import-statement' || when === 'ever') && !external) follow(next);
    }
  };
  for (const source of sources) {
    const path = Object.keys(outputs).find((output) => outputs[output].entryPoint === source);
    if (path === undefined) throw new Error(`No part begins with ${source}.`);
    follow(path);
  }
  return new Set(Array.from(found, (path) => basename(path)));
}
