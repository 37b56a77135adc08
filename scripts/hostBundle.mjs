// The extension host's bundle in parts: `extension.cjs` with what activation needs, and chunks that come with their first
// use. esbuild splits ES modules alone, VS Code's host asks for CommonJS: so it is split first, and every part translated.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as esbuild from 'esbuild';

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
 * Writes FOLDER/NAME.cjs, FOLDER/chunks/*.cjs and their maps; removes chunks of an older build.
 * @param {string} entry
 * @param {string} folder
 * @param {esbuild.BuildOptions} options
 */
export async function bundleHost(entry, folder, options) {
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints: [entry],
    outdir: folder,
    format: 'esm',
    splitting: true,
    write: false,
    sourcemap: 'inline',
    outExtension: { '.js': '.cjs' },
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [oneVscode, ...(options.plugins ?? [])],
  });
  const chunks = join(folder, 'chunks');
  await mkdir(chunks, { recursive: true });
  // The entry comes last: what it asks for is there before it is.
  for (const { path, text } of outputFiles.toSorted((a, b) => b.path.length - a.path.length)) {
    const { code, map } = await esbuild.transform(text, {
      format: 'cjs',
      platform: 'node',
      target: options.target,
      minifyWhitespace: options.minifyWhitespace,
      minifySyntax: options.minifySyntax,
      // Every use of another part is spelled with that part's name otherwise. Functions keep theirs, for stacks in a log.
      minifyIdentifiers: true,
      keepNames: true,
      // A part that comes later is required then, from its file: VS Code's host hooks into `require` alone.
      supported: { 'dynamic-import': false },
      sourcemap: 'external',
      sourcefile: path,
    });
    await writeFile(`${path}.map`, map);
    await writeFile(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
  }
  const written = new Set(outputFiles.map(({ path }) => path));
  for (const name of await readdir(chunks)) {
    if (!written.has(join(chunks, name.replace(/\.map$/, '')))) await rm(join(chunks, name));
  }
}
