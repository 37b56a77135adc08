/** VS Code's server as a child process. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureHost } from './install.ts';
import { baseSettings, themes } from './settings.ts';

export interface ServerOptions {
  /** Settings, installed extensions, logs; a temporary folder when absent. */
  dataDir?: string;
  /** A short name of `themes`, or a theme's own. */
  theme?: string;
  settings?: Readonly<Record<string, unknown>>;
  /** Workspace trust is on: folders open in Restricted Mode. */
  trust?: boolean;
  /** Test switches: development extensions and suites work, toasts and dialogs do not appear. */
  smoke?: boolean;
  /** Fixed when the browser's storage must outlive the server: it is kept by host and port. */
  port?: number;
  /** For the server; the extension host inherits it. */
  env?: Readonly<Record<string, string>>;
  /** A .vsix to install first. */
  vsix?: string;
  /** Repeat what the server says. */
  verbose?: boolean;
}

export interface Server {
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const main = await ensureHost();
  const temporary = options.dataDir === undefined;
  const dataDir = resolve(options.dataDir ?? (await mkdtemp(join(tmpdir(), 'genenv-vscode-'))));
  await writeSettings(dataDir, options);
  if (options.vsix !== undefined) installExtension(main, dataDir, options.vsix);
  const child = spawn(process.execPath, [main, ...flags(dataDir, options)], {
    env: { ...process.env, EXTENSIONS_GALLERY: '{}', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: closing takes every process that the server started with it.
    detached: process.platform !== 'win32',
  });
  const kill = (signal: NodeJS.Signals): void => killGroup(child, signal);
  const atExit = (): void => kill('SIGKILL');
  process.once('exit', atExit);
  const port = await listening(child, options.verbose === true);
  return {
    port,
    pid: child.pid ?? 0,
    dataDir,
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = new Promise((done) => child.once('exit', done));
        kill('SIGTERM');
        await Promise.race([gone, sleep(3000, undefined, { ref: false })]);
      }
      kill('SIGKILL');
      process.off('exit', atExit);
      if (temporary) await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

function flags(dataDir: string, { port = 0, smoke = true, trust = false }: ServerOptions): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token'],
    ...['--accept-server-license-terms', '--server-data-dir', dataDir, '--telemetry-level', 'off'],
    ...['--disable-getting-started-override', '--agent-host-bridge-host', 'none'],
    ...(smoke ? ['--enable-smoke-test-driver'] : []),
    ...(trust ? [] : ['--disable-workspace-trust']),
  ];
}

async function writeSettings(dataDir: string, { theme = 'dark', settings = {} }: ServerOptions): Promise<void> {
  const folder = join(dataDir, 'data', 'User');
  await mkdir(folder, { recursive: true });
  const all = { ...baseSettings, 'workbench.colorTheme': themes[theme] ?? theme, ...settings };
  await writeFile(join(folder, 'settings.json'), JSON.stringify(all, null, 2));
}

function installExtension(main: string, dataDir: string, vsix: string): void {
  const args = ['--server-data-dir', dataDir, '--accept-server-license-terms', '--telemetry-level', 'off'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [main, ...args, '--install-extension', resolve(vsix)],
    { encoding: 'utf8', env: { ...process.env, EXTENSIONS_GALLERY: '{}' } },
  );
  if (status !== 0) throw new Error(`${vsix} could not be installed:\n${stdout}${stderr}`);
}

function listening(child: ChildProcess, verbose: boolean): Promise<number> {
  const said: string[] = [];
  return new Promise((found, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        if (said.length < 200) said.push(line);
        if (verbose) console.error('[server]', line);
        const port = /Extension host agent listening on (\d+)/.exec(line)?.[1];
        if (port !== undefined) found(Number(port));
      });
    }
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`VS Code's server ended (${code}).\n${said.join('\n')}`)));
    setTimeout(() => reject(new Error(`VS Code's server does not listen.\n${said.join('\n')}`)), 60_000).unref();
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Processes below one, by their command lines. */
export function processesBelow(root: number): { pid: number; args: string }[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1e8 });
  const all = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, args = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    args,
  }));
  const below = (id: number): { pid: number; args: string }[] =>
    all.filter(({ parent }) => parent === id).flatMap(({ pid, args }) => [{ pid, args }, ...below(pid)]);
  return below(root);
}
