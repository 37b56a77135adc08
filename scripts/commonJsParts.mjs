// A program in parts of CommonJS. esbuild splits ES modules alone: so it is split first, and every part translated.
import * as esbuild from 'esbuild';
import { withNeededAlone } from './neededParts.mjs';

/**
 * A part's path ends in .cjs, and its code in a map to its sources. The entries come last.
 * @param {string | Record<string, string>} entry or several, by the names of their parts
 * @param {string} folder
 * @param {esbuild.BuildOptions} options `chunkNames` says where the other parts lie
 * @returns {Promise<{ parts: { path: string, code: string }[], metafile: esbuild.Metafile }>}
 */
export async function commonJsParts(entry, folder, options) {
  const built = await esbuild.build({
    ...options,
    entryPoints: typeof entry === 'string' ? [entry] : entry,
    outdir: folder,
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    sourcemap: 'inline',
    outExtension: { '.js': '.cjs' },
  });
  const parts = [];
  for (const [path, text] of [...withNeededAlone(built)].toSorted(([a], [b]) => b.length - a.length)) {
    const { code } = await esbuild.transform(text, {
      format: 'cjs',
      platform: 'node',
      target: options.target,
      // A part that comes later is required then, from its file: VS Code's host hooks into `require` alone.
      supported: { 'dynamic-import': false },
      sourcemap: 'inline',
      sourcefile: path,
    });
    parts.push({ path, code });
  }
  return { parts, metafile: built.metafile };
}

/** A part's own address: `import.meta.url` of its sources, for which CommonJS has its file's name. */
export const ownUrl = 'partUrl';
/** @param {string} code */
export const withOwnUrl = (code) => `const ${ownUrl}=require("node:url").pathToFileURL(__filename).href;${code}`;
