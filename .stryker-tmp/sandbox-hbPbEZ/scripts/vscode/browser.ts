/** VS Code's server on this machine alone, for a browser: the packaged extension installed as a user has it. */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureHost } from '../../test/vscode/install.ts';
import { root } from './demoFolder.ts';
import { packageExtension } from './packageExtension.ts';

/** The same at every start where it is free: the browser keeps the window's state by port. */
const usualPort = 8139;
const usualData = join(root, '.vscode-test', 'browser');
const env = { ...process.env, EXTENSIONS_GALLERY: '{}' };

/** Prints the address to open; serves until it is stopped. @returns the server's exit code */
export async function serveBrowser(folder: string, elsewhere?: string): Promise<number> {
  const data = resolve(elsewhere ?? usualData);
  const main = await ensureHost();
  await firstSettings(data);
  const { file } = await packageExtension(join(data, 'genenv.vsix'));
  install(main, data, file);
  // Every process of this machine reaches the port; only who is given the address may use it.
  const token = randomBytes(24).toString('base64url');
  const tokenFile = join(data, 'token');
  await writeFile(tokenFile, token, { mode: 0o600 });
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      ...[main, ...common(data), '--host', '127.0.0.1', '--port', String(port)],
      ...['--connection-token-file', tokenFile, '--disable-workspace-trust', '--disable-getting-started-override'],
      ...['--agent-host-bridge-host', 'none'],
    ],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.includes('Extension host agent listening')) return;
    const query = new URLSearchParams({ tkn: token, folder });
    console.log(`\nVS Code with GenEnv: open\n\n  http://127.0.0.1:${port}/?${query.toString()}\n\nCtrl-C ends it.`);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGTERM'));
  return new Promise((ended, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => ended(code ?? 0));
  });
}

/** A quiet start; what its person changes stays. */
async function firstSettings(data: string): Promise<void> {
  const file = join(data, 'data', 'User', 'settings.json');
  await mkdir(dirname(file), { recursive: true });
  const settings = {
    'chat.disableAIFeatures': true,
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'git.openRepositoryInParentFolders': 'never',
    'extensions.autoCheckUpdates': false,
  };
  if (!existsSync(file)) await writeFile(file, JSON.stringify(settings, null, 2));
}

const common = (data: string): string[] => [
  '--server-data-dir',
  data,
  '--accept-server-license-terms',
  '--telemetry-level',
  'off',
];

function install(main: string, data: string, vsix: string): void {
  const args = [main, ...common(data), '--install-extension', vsix, '--force'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`The extension could not be installed.\n${stdout}${stderr}`);
}

function freePort(): Promise<number> {
  const tryPort = (port: number): Promise<number | null> =>
    new Promise((found) => {
      const server = createServer();
      server.once('error', () => found(null));
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => found(address !== null && typeof address === 'object' ? address.port : null));
      });
    });
  return tryPort(usualPort).then(async (port) => port ?? (await tryPort(0)) ?? usualPort);
}
