/** The calibration page with many families, in a real browser. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { manyFamilies } from '../support/calibration/manyFamilies.ts';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { pressAt } from '../support/focus.ts';
import { syntheticEvents } from '../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { eventually } from '../support/until.ts';
import { shows } from '../support/webviews/shows.ts';
import { pageSuite, screenshots, type PageView } from '../support/webviews/pageSuite.ts';

const course = syntheticCourse({ epochs: 20 });

describe('the calibration page with many families', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  /** The page, once it has drawn. */
  async function drawn(host: ScriptedHost, view: PageView): Promise<Page> {
    const { page } = await suite.open('calibration', (channel) => host.open(channel), { height: 1000, ...view });
    await page.locator('.tiles li').first().waitFor();
    return page;
  }

  it('draws 100,000 families, counts a selection among them and keeps tables short', async () => {
    const many = manyFamilies(100, 1000);
    const host = new ScriptedHost(course.experiment, many);
    const page = await drawn(host, { width: 1400 });
    await page.locator('body').press('t');
    await page.locator('#families table[aria-rowcount="100001"]').waitFor();
    await eventually(async () => assert.ok((await page.locator('#families tbody tr').count()) < 120));
    await page.evaluate("document.querySelector('#families .table').scrollTo(0, 1e9)");
    await page.locator('#families tr[aria-rowindex="100001"]').waitFor();
    await page.locator('#families').getByRole('button', { name: 'Show as table (t)' }).click();
    await page.locator('.cloud .chart-reader').focus();
    await pressAt(page.locator('.cloud .chart-reader'), 'End');
    for (let i = 0; i < 3; i++) await pressAt(page.locator('.cloud .chart-reader'), 'Shift+ArrowLeft');
    await page.getByRole('button', { name: 'Show 4,000 families in the tree' }).waitFor();
    await shows(page, '#families .frame-note', /^The stronger a cell/);
    await page.screenshot({ path: join(screenshots, 'calibration-100000.png') });
  });

  it('counts all families of an epoch, draws some, and says of bars and weights what there is', async () => {
    const page = await drawn(new ScriptedHost(course.experiment, manyFamilies(1, 2500)), { width: 1400 });
    const reading = page.locator('#epoch-families-reading');
    const form =
      /^Epoch 1: of 2,500 families \(160 of them are drawn\), ([\d,]+) too hard, ([\d,]+) in the band, ([\d,]+) too easy;/;
    await eventually(async () => assert.match((await reading.textContent()) ?? '', form));
    const [, ...texts] = form.exec((await reading.textContent()) ?? '') ?? [];
    const counts = texts.map((text) => Number(text.replace(',', '')));
    assert.equal(
      counts.reduce((sum, n) => sum + n, 0),
      2500,
    );
    const labels = (await page.locator('#epoch-families .group-label').allTextContents()).map((text) =>
      Number(/\d+$/.exec(text)?.[0]),
    );
    const some = counts.filter((n) => n > 0);
    assert.deepEqual(labels, some);
    await shows(page, '#families .frame-note', /Zoom in to see their intervals\.$/);
    await page.screenshot({ path: join(screenshots, 'calibration-2500.png') });
    await page.locator('#epoch-families').scrollIntoViewIfNeeded();
    await page.locator('#epoch-families').screenshot({ path: join(screenshots, 'families-2500.png') });
    const weights = await page.locator('#epoch-families').innerText();
    assert.doesNotMatch(weights, /\b0\.0 %/);
    const few = await drawn(new ScriptedHost(course.experiment, syntheticEvents(course)), { width: 1400 });
    await shows(few, '#families .frame-note', /bars are 95 % intervals\.$/);
  });
});
