/** The report's browser code, built as `scripts/build.mjs report` builds it, into memory or a folder. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const webview = fileURLToPath(new URL('../../../webview/report', import.meta.url));

async function built(entry: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(webview, entry)],
    outdir: webview,
    bundle: true,
    write: false,
    minify: true,
    platform: 'browser',
    target: 'es2023',
    format: 'iife',
    logLevel: 'warning',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`esbuild made nothing of ${entry}`);
  return file.text;
}

let bundle: Promise<{ script: string; style: string }> | null = null;

/** Built once a process. */
export function reportBundle(): Promise<{ script: string; style: string }> {
  bundle ??= Promise.all([built('main.ts'), built('report.css')]).then(([script, style]) => ({ script, style }));
  return bundle;
}

/** A folder as `dist` is one for the report. */
export async function reportDist(): Promise<URL> {
  const { script, style } = await reportBundle();
  const dir = await mkdtemp(join(tmpdir(), 'genenv-report-'));
  await writeFile(join(dir, 'report.js'), script);
  await writeFile(join(dir, 'report.css'), style);
  return pathToFileURL(`${dir}/`);
}
