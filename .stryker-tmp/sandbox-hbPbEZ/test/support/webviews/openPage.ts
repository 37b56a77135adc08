/**
 * A page of the extension in a real browser, without the editor: its bundle under the editor's content security policy
 * and theme variables, and a host that is a channel in this process.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import type { Page } from 'playwright-core';
import { Channel } from '../../../src/shared/rpc/channel.ts';
import { themeSheet, type Theme } from './themes.ts';

/** The page's own: functions given to it run there. */
declare const window: { postMessage: (message: unknown, target: string) => void };

const origin = 'http://page.invalid';
const webview = fileURLToPath(new URL('../../../webview/', import.meta.url));

/** A page, and what a good one has not: errors, warnings, refused requests. */
export interface WatchedPage {
  page: Page;
  trouble: string[];
}

export interface OpenedPage {
  /** Loaded anew it has the state that it kept, as in a window that is reloaded. */
  page: Page;
  /** The host's side. */
  channel: Channel;
  /** What the page keeps. */
  state: () => unknown;
}

export interface PageState {
  theme?: Theme;
  /** What the page kept before. */
  state?: unknown;
}

const bundles = new Map<string, Promise<string>>();

/** Builds a page as `scripts/build.mjs webviews` does. @returns the folder */
function bundled(name: string): Promise<string> {
  const known = bundles.get(name);
  if (known !== undefined) return known;
  const building = build(name);
  bundles.set(name, building);
  return building;
}

async function build(name: string): Promise<string> {
  const outdir = await mkdtemp(join(tmpdir(), `genenv-${name}-`));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await esbuild.build({
    entryPoints: [
      { in: join(webview, name, 'main.ts'), out: name },
      { in: join(webview, name, `${name}.css`), out: name },
    ],
    outdir,
    bundle: true,
    platform: 'browser',
    target: 'es2023',
    format: 'iife',
    logLevel: 'warning',
    loader: { '.ttf': 'file' },
  });
  return outdir;
}

/** @param onOpen the page said hello, for the first time or again: send it a whole snapshot */
export async function openPage(
  { page, trouble }: WatchedPage,
  name: string,
  onOpen: (channel: Channel) => void,
  { theme = 'dark', state }: PageState = {},
): Promise<OpenedPage> {
  const folder = await bundled(name);
  let kept: unknown = state;
  let receive: (message: unknown) => void = () => undefined;
  await page.exposeFunction('hostReceives', (message: unknown) => receive(message));
  await page.exposeFunction('hostKeeps', (value: unknown) => void (kept = value));
  await page.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') {
      const body = html(name, theme, kept);
      return route.fulfill({ contentType: 'text/html', headers: { 'content-security-policy': policy }, body });
    }
    const contentType = types[extname(pathname)] ?? 'application/octet-stream';
    if (pathname === '/theme.css') return route.fulfill({ contentType, body: themeSheet(theme) });
    return route.fulfill({ contentType, body: await readFile(join(folder, basename(pathname))) });
  });

  const channel: Channel = new Channel(
    {
      post: (message) => {
        // A page that is just being loaded anew is told again when it says hello.
        page.evaluate((value) => window.postMessage(value, '*'), message).catch(() => undefined);
      },
      listen: (listener) => {
        receive = listener;
        return () => undefined;
      },
    },
    { onError: (error) => trouble.push(`host: ${error.message}`), onOpen: () => onOpen(channel) },
  );
  page.once('close', () => channel.dispose());
  await page.goto(`${origin}/`);
  return { page, channel, state: () => kept };
}

const types: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript', '.ttf': 'font/ttf' };
const policy = `default-src 'none'; img-src ${origin}; font-src ${origin}; style-src ${origin} 'nonce-style'; script-src 'nonce-ours'`;

function html(name: string, theme: Theme, kept: unknown): string {
  const api = `{
    let state = ${kept === undefined ? 'undefined' : JSON.stringify(kept)};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => void window.hostReceives(message),
      getState: () => state,
      setState: (value) => { state = value; void window.hostKeeps(value); },
    });
  }`;
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta property="csp-nonce" content="style"><title>${name}</title>
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/${name}.css"></head>
<body class="vscode-${theme}" data-vscode-theme-kind="vscode-${theme}"><main id="root"></main>
<script type="application/json" id="l10n"></script>
<script nonce="ours">${api}</script>
<script nonce="ours" src="/${name}.js"></script></body></html>`;
}
