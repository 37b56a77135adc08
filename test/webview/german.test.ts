/** Every page in German, whose words are longer than the English ones: nothing is cut, and no text of the page's own is English. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { eventually } from '../support/until.ts';
import { cutTexts } from '../support/webviews/cutTexts.ts';
import { englishInDrawings, englishTexts } from '../support/webviews/englishTexts.ts';
import { everyPage } from '../support/webviews/everyPage.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

describe('pages in German', function () {
  this.timeout(120_000);
  const suite = pageSuite();

  for (const [name, sample] of Object.entries(everyPage)) {
    it(`${name} shows its texts whole, and none in English`, async () => {
      const { onOpen, ready } = sample();
      const { page, messages } = await suite.open(name, onOpen, { language: 'de', width: 1440, height: 900 });
      await page.locator(ready).first().waitFor();
      for (const width of [1440, 900]) {
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: join(screenshots, `german-${name}-${width}.png`), fullPage: true });
        await eventually(async () => assert.deepEqual(await cutTexts(page), []), 3);
      }
      await eventually(async () => assert.deepEqual(await englishTexts(page, messages), []), 3);
      await eventually(async () => assert.deepEqual(await englishInDrawings(page), []), 3);
    });
  }
});
