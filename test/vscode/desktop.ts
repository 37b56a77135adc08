/** The same suite in desktop VS Code, on a developer's machine. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath, runTests } from '@vscode/test-electron';
import { chromium, type Page } from 'playwright-core';
import { carrier, type SuiteLaunch } from './launch.ts';
import { stageExtension } from './stage.ts';
import { baseSettings, themes } from './settings.ts';
import { Window } from './window.ts';

/** Downloads VS Code, or takes the one that VSCODE_EXECUTABLE names. */
export async function runInDesktop({ folder, tests, env, theme, vsix, onWindow }: SuiteLaunch): Promise<void> {
  const executable = process.env['VSCODE_EXECUTABLE'] ?? (await downloadAndUnzipVSCode('stable'));
  const data = await mkdtemp(join(tmpdir(), 'genenv-desktop-'));
  const extension = await (vsix === undefined ? stageExtension() : carrier());
  try {
    const profile = [`--user-data-dir=${join(data, 'user')}`, `--extensions-dir=${join(data, 'extensions')}`];
    const user = join(data, 'user', 'User');
    await mkdir(user, { recursive: true });
    const settings = { ...baseSettings, 'workbench.colorTheme': themes[theme] ?? theme };
    await writeFile(join(user, 'settings.json'), JSON.stringify(settings));
    if (vsix !== undefined) install(executable, [...profile, '--install-extension', resolve(vsix)]);
    const port = await freePort();
    const stopped = new AbortController();
    // The desktop's window is a Chromium page too.
    void attach(port, stopped.signal).then((page) => {
      if (page !== undefined) onWindow(new Window(page));
    });
    await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: extension,
      extensionTestsPath: tests,
      extensionTestsEnv: env,
      reuseMachineInstall: true,
      launchArgs: [folder, ...profile, `--remote-debugging-port=${port}`],
    }).finally(() => stopped.abort());
  } finally {
    for (const folder of vsix === undefined ? [data] : [data, extension])
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function install(executable: string, args: string[]): void {
  const [cli, ...more] = resolveCliArgsFromVSCodeExecutablePath(executable, { reuseMachineInstall: true });
  if (cli === undefined) throw new Error(`${executable} has no command line.`);
  execFileSync(cli, [...more, ...args], { stdio: 'inherit', shell: process.platform === 'win32' });
}

function freePort(): Promise<number> {
  return new Promise((found, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}

async function attach(port: number, signal: AbortSignal): Promise<Page | undefined> {
  while (!signal.aborted) {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch(() => undefined);
    const pages = browser?.contexts().flatMap((context) => context.pages()) ?? [];
    const page = pages.find((one) => one.url().includes('workbench'));
    if (page !== undefined) return page;
    await browser?.close();
    await sleep(300);
  }
  return undefined;
}
