/** The Chromium that drives pages and the workbench: CHROMIUM_PATH, or one in a usual place. */
import { existsSync } from 'node:fs';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * The suggestions below the address bar are a page of the browser's own: each new window loads it in a process of its own,
 * from 300 files, which costs more than most of our pages.
 */
const ownPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** After each page begins a process for the next site, should there be one. */
const ahead = 'SpareRendererForSitePerProcess';

/** Playwright's: Chromium heeds the last list alone. */
const offForPlaywright = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  'PreconnectToSearch',
];

/** For every browser that tests start. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  `--disable-features=${[...offForPlaywright, ...ownPages, ahead].join(',')}`,
];

/** Undefined where there is none. */
export function findChromium(): string | undefined {
  const wanted = process.env['CHROMIUM_PATH'];
  if (wanted === undefined) return usual.find((path) => existsSync(path));
  return existsSync(wanted) ? wanted : undefined;
}

/** @throws Error that says how to bring one */
export function chromiumPath(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  const wanted = process.env['CHROMIUM_PATH'];
  throw new Error(
    wanted === undefined
      ? `There is no Chromium at ${usual.slice(0, 3).join(', ')}. Install one, or name one by CHROMIUM_PATH.`
      : `CHROMIUM_PATH names ${wanted}, which does not exist.`,
  );
}
