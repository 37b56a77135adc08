/**
 * A page of the extension in a real browser, without the editor: its bundle under the editor's content security policy
 * and theme variables, and a host that is a channel in this process.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { Channel } from '../../../src/shared/rpc/channel.ts';
import { serve } from './pageServer.ts';
import type { Theme } from './themes.ts';

/** The page's own: functions given to it run there. */
declare const window: { postMessage: (message: unknown, target: string) => void };

const l10n = fileURLToPath(new URL('../../../l10n', import.meta.url));

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
  /** The page's saved state. */
  state: () => unknown;
  /** Every message of the host. */
  messages: readonly unknown[];
}

export interface PageState {
  theme?: Theme;
  /** The page's earlier saved state. */
  state?: unknown;
  /** The editor's language, one that `l10n` has a bundle of; English when absent. */
  language?: string;
}

/** @param onOpen the page said hello, for the first time or again: send it a whole snapshot */
export async function openPage(
  { page, trouble }: WatchedPage,
  name: string,
  onOpen: (channel: Channel) => void,
  { theme = 'dark', state, language }: PageState = {},
): Promise<OpenedPage> {
  const texts = language === undefined ? '' : await readFile(join(l10n, `bundle.l10n.${language}.json`), 'utf8');
  let kept: unknown = state;
  let receive: (message: unknown) => void = () => undefined;
  await page.exposeFunction('hostReceives', (message: unknown) => receive(message));
  await page.exposeFunction('hostKeeps', (value: unknown) => void (kept = value));
  const { url, end } = await serve(() => html(name, theme, kept, { language: language ?? 'en', texts }));

  const messages: unknown[] = [];
  const channel: Channel = new Channel(
    {
      post: (message) => {
        messages.push(message);
        // A page that is being reloaded gets its state again after its hello.
        page.evaluate((value) => window.postMessage(value, '*'), message).catch(() => undefined);
      },
      listen: (listener) => {
        receive = listener;
        return () => undefined;
      },
    },
    { onError: (error) => trouble.push(`host: ${error.message}`), onOpen: () => onOpen(channel) },
  );
  page.once('close', () => {
    channel.dispose();
    end();
  });
  await page.goto(url);
  return { page, channel, state: () => kept, messages };
}

/** As the editor sets them: its light high contrast is both kinds of high contrast. */
const classes = (theme: Theme): string =>
  theme === 'high-contrast-light' ? 'vscode-high-contrast-light vscode-high-contrast' : `vscode-${theme}`;

/** Changes the theme of an open page, as the editor does. */
export async function wear(page: Page, theme: Theme): Promise<void> {
  const [sheet, kinds, kind] = [`/theme.css?${theme}`, classes(theme), `vscode-${theme}`].map((text) =>
    JSON.stringify(text),
  );
  await page.evaluate(`new Promise((worn, failed) => {
    const link = document.querySelector('link[href^="/theme.css"]');
    link.addEventListener('load', () => {
      document.body.className = ${kinds};
      document.body.dataset.vscodeThemeKind = ${kind};
      requestAnimationFrame(() => worn());
    }, { once: true });
    link.addEventListener('error', failed, { once: true });
    link.href = ${sheet};
  })`);
}

interface Words {
  language: string;
  /** The bundle that the host puts into the page. */
  texts: string;
}

function html(name: string, theme: Theme, kept: unknown, { language, texts }: Words): string {
  const api = `{
    let state = ${kept === undefined ? 'undefined' : JSON.stringify(kept)};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => void window.hostReceives(message),
      getState: () => state,
      setState: (value) => { state = value; void window.hostKeeps(value); },
    });
  }`;
  return `<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><meta property="csp-nonce" content="style"><title>${name}</title>
<link rel="stylesheet" href="/theme.css?begins=${theme}"><link rel="stylesheet" href="/base.css"><link rel="stylesheet" href="/${name}.css"></head>
<body class="${classes(theme)}" data-vscode-theme-kind="vscode-${theme}"><main id="root"></main>
<script type="application/json" id="l10n">${texts.replaceAll('<', '\\u003c')}</script>
<script nonce="ours">${api}</script>
<script type="module" nonce="ours" src="/${name}.js"></script></body></html>`;
}
