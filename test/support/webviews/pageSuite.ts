/**
 * A suite of tests of pages in a real browser: one Chromium for all suites of a process, which are skipped where there is
 * none, and pages that end with their test, keep nothing in the browser and ran into no trouble until then. Screenshots go to
 * test/webview/screenshots.
 */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import type { Channel } from '../../../src/shared/rpc/channel.ts';
import { chromiumFlags, findChromium } from '../chromium.ts';
import { skip } from '../skip.ts';
import { openPage, type OpenedPage, type PageState, type WatchedPage } from './openPage.ts';
import { serve } from './pageServer.ts';

export const screenshots = fileURLToPath(new URL('../../webview/screenshots/', import.meta.url));

export interface PageView extends PageState {
  width?: number;
  height?: number;
}

export interface PageSuite {
  /** An empty page in a window of its own. */
  page(options: BrowserContextOptions): Promise<WatchedPage>;
  /** A page of the extension, as `openPage` opens it. */
  open(name: string, onOpen: (channel: Channel) => void, view?: PageView): Promise<OpenedPage>;
}

interface Started {
  browser: Browser;
  /** Where pages of the extension open. */
  shared: BrowserContext;
}

/** Started by the first suite that needs it, and gone with the last one. */
let started: Promise<Started> | undefined;
after(async () => (await started)?.browser.close());

const usualSize = { width: 1100, height: 800 };
const usual: BrowserContextOptions = { reducedMotion: 'reduce', viewport: usualSize };

/**
 * Pages of the extension keep nothing in the browser, so they share a window and a process: a new one each took a third of
 * their processor time.
 */
async function start(executablePath: string): Promise<Started> {
  const browser = await chromium.launch({ executablePath, args: [...chromiumFlags, '--process-per-site'] });
  const shared = await browser.newContext(usual);
  shared.setDefaultTimeout(60_000);
  // The window and the process end with their last page: this one stays.
  const { url } = await serve(() => '<!DOCTYPE html><title>stays</title>');
  await (await shared.newPage()).goto(url);
  return { browser, shared };
}

/** Of the icons on a page, as classes. */
const iconsWithoutGlyph = `[...document.querySelectorAll('.codicon')]
  .filter((icon) => getComputedStyle(icon, '::before').content === 'none')
  .map(({ className }) => className)`;

/** Called inside `describe`. */
export function pageSuite(): PageSuite {
  let ours: Started | undefined;
  const pages: WatchedPage[] = [];

  before(async function () {
    const executablePath = findChromium();
    if (executablePath === undefined) return skip(this, 'there is no Chromium; CHROMIUM_PATH names one');
    // One that has died fails one suite.
    if (started !== undefined && !(await started).browser.isConnected()) started = undefined;
    started ??= start(executablePath);
    ours = await started;
    await mkdir(screenshots, { recursive: true });
  });
  afterEach(async () => {
    const unknown = await Promise.all(pages.map(({ page }) => page.evaluate(iconsWithoutGlyph)));
    const trouble = pages.flatMap((one) => one.trouble);
    await Promise.all(
      pages.splice(0).map(({ page }) => (page.context() === ours?.shared ? page.close() : page.context().close())),
    );
    assert.deepEqual(trouble, [], 'no error, no warning, no refused request');
    assert.deepEqual(unknown.flat(), [], 'every icon is in the font of the build (scripts/usedIcons.mjs)');
  });

  const watched = (page: Page): WatchedPage => {
    const one: WatchedPage = { page, trouble: [] };
    page.on('console', (message) => one.trouble.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => one.trouble.push(error.message));
    pages.push(one);
    return one;
  };
  return {
    async page(options) {
      assert.ok(ours !== undefined);
      const context = await ours.browser.newContext({ ...usual, ...options });
      context.setDefaultTimeout(60_000);
      return watched(await context.newPage());
    },
    async open(name, onOpen, { width = usualSize.width, height = usualSize.height, ...state } = {}) {
      assert.ok(ours !== undefined);
      const one = watched(await ours.shared.newPage());
      await one.page.setViewportSize({ width, height });
      return openPage(one, name, onOpen, state);
    },
  };
}
