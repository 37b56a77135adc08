/**
 * A real VS Code, started and driven: the server, and a headless Chromium that shows its workbench.
 *
 *     const host = await startHost({ theme: 'light' });
 *     const win = await host.open({ folder });
 *     await win.command('GenEnv: Run the Demo');
 *     await host.close();
 */
import { resolve } from 'node:path';
import { chromium, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { chromiumFlags, chromiumPath } from '../support/chromium.ts';
import { processesBelow, startServer, type Server, type ServerOptions } from './server.ts';
import { stageExtension } from './stage.ts';
import { Window } from './window.ts';

export interface HostOptions extends ServerOptions {
  /** The browser's own storage; with a fixed `port` state survives a restart of the server. */
  profileDir?: string;
  viewport?: { width: number; height: number };
  /** The editor's language for extensions, as with its language pack; its own texts stay English. */
  language?: string;
}

interface OpenOptions {
  /** Folder or .code-workspace file; none opens an empty window. */
  folder?: string;
  /** Development extension; this project's when absent, null for the installed ones alone. */
  extension?: string | null;
  /** Module whose `run` VS Code calls in the extension host. */
  tests?: string;
}

export interface Host {
  readonly server: Server;
  readonly context: BrowserContext;
  open(options?: OpenOptions): Promise<Window>;
  /** Process ids of the extension hosts, one a window. */
  extensionHosts: () => number[];
  close(): Promise<void>;
}

const browserFlags = [
  ...chromiumFlags,
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  // Nothing leaves the machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** SecretStorage outlives a reload only with a key from the server, which this one does not mint. */
const fixedKey = `{
  const real = window.fetch;
  window.fetch = (to, ...more) =>
    String(to).endsWith('/mint-key') ? Promise.resolve(new Response(new Uint8Array(32).fill(7))) : real.call(window, to, ...more);
}`;

/**
 * Without a graphics card each step of a spinning icon draws the window anew, 20 times a second while anything runs: half a
 * core. The editor spins its icons even where motion is reduced. Such a sheet is no matter of a page's security policy.
 */
const still = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '.codicon-modifier-spin, .codicon-loading, .codicon-tree-item-loading::before, .progress-bit { animation: none !important; }',
  );
  document.adoptedStyleSheets.push(sheet);
}`;

export async function startHost(options: HostOptions = {}): Promise<Host> {
  const executablePath = chromiumPath();
  const server = await startServer(options);
  const { viewport = { width: 1400, height: 900 }, profileDir } = options;
  const launch = { executablePath, args: browserFlags };
  const view: BrowserContextOptions = { viewport, reducedMotion: 'reduce' };
  const browser = profileDir === undefined ? await chromium.launch(launch) : null;
  const context =
    browser === null
      ? await chromium.launchPersistentContext(resolve(profileDir ?? ''), { ...launch, ...view })
      : await browser.newContext(view);
  context.setDefaultTimeout(120_000);
  await context.addInitScript(fixedKey);
  await context.addInitScript(still);
  const { language } = options;
  if (language !== undefined)
    await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)}`);
  return {
    server,
    context,
    async open({ extension, ...open } = {}) {
      const developed = extension === undefined ? await stageExtension() : extension;
      return openWindow(context, server.port, { ...open, extension: developed }, options.verbose === true);
    },
    extensionHosts: () =>
      processesBelow(server.pid)
        .filter(({ args }) => args.includes('--type=extensionHost'))
        .map(({ pid }) => pid),
    async close() {
      try {
        await context.close();
        await browser?.close();
      } finally {
        // Whatever became of the browser: a server that stays would keep this process for ever.
        await server.close();
      }
    },
  };
}

async function openWindow(
  context: BrowserContext,
  port: number,
  { folder, extension = null, tests }: OpenOptions,
  verbose: boolean,
): Promise<Window> {
  const page = await context.newPage();
  if (verbose) page.on('console', (message) => console.error('[page]', message.text()));
  const win = new Window(page);
  await win.expectExit();
  const uri = (path: string): string => `vscode-remote://127.0.0.1:${port}${resolve(path)}`;
  const payload = [
    ['skipWelcome', 'true'],
    ...(extension === null ? [] : [['extensionDevelopmentPath', uri(extension)]]),
    ...(tests === undefined ? [] : [['extensionTestsPath', uri(tests)]]),
  ];
  const query = new URLSearchParams({ payload: JSON.stringify(payload) });
  if (folder === undefined) query.set('ew', 'true');
  else query.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', resolve(folder));
  // Later loading depends on the machine's load; `ready` waits for the parts that matter.
  await page.goto(`http://127.0.0.1:${port}/?${query.toString()}`, { waitUntil: 'commit' });
  await win.ready();
  return win;
}
