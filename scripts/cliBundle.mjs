// The command line's bundle in parts. `cli.js` only begins; `cli/first.cjs` has what reads a command line and what judges
// files of answers, the one command whose start counts beside its work; the others' parts come when they are called.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as esbuild from 'esbuild';
import { commonJsParts, ownUrl, withOwnUrl } from './commonJsParts.mjs';
import { packParts, partsOf } from './packParts.mjs';

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
  const first = partsOf(metafile, inFirst);
  const texts = new Map(
    parts.map(({ path, code }) => [basename(path), code.includes(ownUrl) ? withOwnUrl(code) : code]),
  );
  const inside = new Map([...texts].filter(([name]) => first.has(name)));
  const begin = `require(".//${basename(parts.at(-1).path)}");`;
  await packParts(join(place, 'first.cjs'), inside, (name) => name, begin, options);
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
