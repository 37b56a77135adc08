/**
 * A suite of tests of pages in a real browser: one Chromium for all suites of a process, which are skipped where there is
 * none, and pages that end with their test, share nothing and ran into no trouble until then. Screenshots go to test/webview/screenshots.
 */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core';
import type { Channel } from '../../../src/shared/rpc/channel.ts';
import { chromiumFlags, findChromium } from '../chromium.ts';
import { skip } from '../skip.ts';
import { openPage, type OpenedPage, type PageState, type WatchedPage } from './openPage.ts';

export const screenshots = fileURLToPath(new URL('../../webview/screenshots/', import.meta.url));

export interface PageView extends PageState {
  width?: number;
  height?: number;
}

export interface PageSuite {
  /** An empty page. */
  page(options: BrowserContextOptions): Promise<WatchedPage>;
  /** A page of the extension, as `openPage` opens it. */
  open(name: string, onOpen: (channel: Channel) => void, view?: PageView): Promise<OpenedPage>;
}

/** Started by the first suite that needs it, and gone with the last one. */
let started: Promise<Browser> | undefined;
after(async () => (await started)?.close());

/** Of the icons on a page, as classes. */
const iconsWithoutGlyph = `[...document.querySelectorAll('.codicon')]
  .filter((icon) => getComputedStyle(icon, '::before').content === 'none')
  .map(({ className }) => className)`;

/** Called inside `describe`. */
export function pageSuite(): PageSuite {
  let browser: Browser | undefined;
  const pages: WatchedPage[] = [];

  before(async function () {
    const executablePath = findChromium();
    if (executablePath === undefined) return skip(this, 'there is no Chromium; CHROMIUM_PATH names one');
    // One that has died fails one suite.
    if (started !== undefined && !(await started).isConnected()) started = undefined;
    started ??= chromium.launch({ executablePath, args: [...chromiumFlags] });
    browser = await started;
    await mkdir(screenshots, { recursive: true });
  });
  afterEach(async () => {
    const unknown = await Promise.all(pages.map(({ page }) => page.evaluate(iconsWithoutGlyph)));
    const trouble = pages.flatMap((one) => one.trouble);
    await Promise.all(pages.splice(0).map(({ page }) => page.context().close()));
    assert.deepEqual(trouble, [], 'no error, no warning, no refused request');
    assert.deepEqual(unknown.flat(), [], 'every icon is in the font of the build (scripts/usedIcons.mjs)');
  });

  const page = async (options: BrowserContextOptions): Promise<WatchedPage> => {
    assert.ok(browser !== undefined);
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(60_000);
    const one: WatchedPage = { page: await context.newPage(), trouble: [] };
    one.page.on('console', (message) => one.trouble.push(`${message.type()}: ${message.text()}`));
    one.page.on('pageerror', (error) => one.trouble.push(error.message));
    pages.push(one);
    return one;
  };
  return {
    page,
    open: async (name, onOpen, { width = 1100, height = 800, ...state } = {}) =>
      openPage(await page({ viewport: { width, height } }), name, onOpen, state),
  };
}
