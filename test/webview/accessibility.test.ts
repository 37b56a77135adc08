/**
 * Every page under axe's rules for WCAG 2, levels A and AA, contrast of colours among them, in dark and light. Wide and
 * narrow, no text is cut.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { pages } from '../../scripts/pages.mjs';
import { writeReport } from '../../src/features/report/node/writeReport.ts';
import { reportDist } from '../support/report/bundle.ts';
import { syntheticSource } from '../support/report/syntheticSource.ts';
import { eventually } from '../support/until.ts';
import { cutTexts } from '../support/webviews/cutTexts.ts';
import { everyPage } from '../support/webviews/everyPage.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { unevenLines } from '../support/webviews/unevenLines.ts';
import { pageSuite } from '../support/webviews/pageSuite.ts';

/** Colours alone change with a theme: the other rules need one look. */
const rules = {
  dark: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  light: ['color-contrast'],
};
const found = z.array(
  z.object({
    id: z.string(),
    help: z.string(),
    nodes: z.array(z.object({ html: z.string(), any: z.array(z.object({ message: z.string() })) })),
  }),
);

/** @returns a line for each place that breaks a rule */
async function violations(page: Page, runOnly: readonly string[]): Promise<string[]> {
  // The page's content security policy holds for scripts in the page; this one comes from outside.
  await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const run = `axe.run(document, ${options}).then(({ violations }) => violations)`;
  return found
    .parse(await page.evaluate(run))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
    );
}

const holds = (page: Page, runOnly: readonly string[]): Promise<void> =>
  eventually(async () => assert.deepEqual(await violations(page, runOnly), []), 10);

describe('accessibility', function () {
  this.timeout(120_000);
  const suite = pageSuite();

  it('is looked at on every page', () => assert.deepEqual(Object.keys(everyPage).toSorted(), pages));

  for (const [name, sample] of Object.entries(everyPage)) {
    it(`of the page ${name}`, async () => {
      const { onOpen, ready } = sample();
      const { page } = await suite.open(name, onOpen, { width: 1440, height: 1000 });
      await page.locator(ready).first().waitFor();
      await inThemes(page, ['dark', 'light'], async (theme) => {
        await page.setViewportSize({ width: 1440, height: 1000 });
        await holds(page, rules[theme]);
        for (const width of theme === 'dark' ? [1440, 900] : []) {
          await page.setViewportSize({ width, height: 900 });
          await eventually(async () => assert.deepEqual(await cutTexts(page), []), 3);
          await eventually(async () => assert.deepEqual(await unevenLines(page), []), 3);
        }
      });
    });
  }

  it('of a run’s report', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-report-'));
    try {
      const out = join(folder, 'report.html');
      await writeReport(syntheticSource(folder, { epochs: 12, changeAt: 9 }), { dist: await reportDist(), out });
      const { page } = await suite.page({ viewport: { width: 1440, height: 1000 }, colorScheme: 'dark' });
      await page.goto(pathToFileURL(out).href);
      await page.locator('#calibration svg[viewBox]').first().waitFor();
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await holds(page, rules[theme]);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
