/** Code of the bundle that the editor reads before the extension registers anything: its own, without zod. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { dist } from '../../support/built.ts';

const folder = fileURLToPath(dist);
const declared = readFileSync(new URL('../../../node_modules/@types/vscode/index.d.ts', import.meta.url), 'utf8');
const names = Array.from(
  declared.matchAll(/^\texport (?:abstract )?(?:class|enum|namespace|const|let|function) (\w+)/gm),
  ([, name]) => name,
);

/** The editor's API: everything that is asked of it can be called, and made with `new`. */
const editor = `
const any = () => new Proxy(class {}, {
  get: (made, key) => (key === Symbol.toPrimitive ? () => '' : (made[key] ??= any())),
  apply: any,
});
for (const name of ${JSON.stringify(names)}) exports[name] = any();
`;

const modules = mkdtempSync(join(tmpdir(), 'genenv-load-'));

describe('loading the extension', () => {
  after(() => {
    rmSync(modules, { recursive: true });
  });

  it('takes at most 300 kB of its code, and no zod', () => {
    mkdirSync(join(modules, 'vscode'));
    writeFileSync(join(modules, 'vscode', 'index.js'), editor);
    const load = `require(${JSON.stringify(join(folder, 'extension.cjs'))}); JSON.stringify(Object.keys(require.cache))`;
    const env = { ...process.env, NODE_PATH: modules };
    const told = execFileSync(process.execPath, ['-p', load], { env, encoding: 'utf8' });
    const files = filesSchema.parse(JSON.parse(told)).filter((file) => file.startsWith(folder));
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    assert.ok(bytes > 0 && bytes <= 300_000, `${bytes} bytes: ${files.map((file) => basename(file)).join(', ')}`);
    assert.deepEqual(files.filter(hasZod), []);
  });
});

const filesSchema = z.array(z.string());
const mapSchema = z.object({ sources: z.array(z.string()) });

const hasZod = (file: string): boolean =>
  existsSync(`${file}.map`) &&
  mapSchema
    .parse(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
    .sources.some((source) => source.includes('/zod/v4/core/'));
