/** A study's results as a person meets them. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { studyNamed, studyShown, readAgain, exportStudyReport } from '../../src/features/study/contract/page.ts';
import { syntheticStudy } from '../support/study/syntheticStudy.ts';
import { eventually } from '../support/until.ts';
import { cutTexts } from '../support/webviews/cutTexts.ts';
import { atWidths } from '../support/webviews/atWidths.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

describe('The page of a study', () => {
  const suite = pageSuite();

  it('says first what was found, and shows tables, courses and every seed', async () => {
    const shown = syntheticStudy();
    let asked = 0;
    let exported = 0;
    const { page, state } = await suite.open('study', (channel) => {
      channel.handle(readAgain, () => {
        asked += 1;
        return null;
      });
      channel.handle(exportStudyReport, () => {
        exported += 1;
        return null;
      });
      channel.emit(studyNamed, { study: 'file:///s.study.json' });
      channel.emit(studyShown, shown);
    });
    await eventually(async () => {
      assert.equal(await page.locator('h1').innerText(), 'Curricula of the storekeeper');
      assert.equal(await page.locator('.answers li').count(), shown.sentences.length);
      assert.equal(await page.locator('table').first().locator('tbody tr').count(), 3);
      assert.equal(await page.locator('path.mean').count(), 3);
      assert.equal(await page.locator('path.seed').count(), 0);
    });
    await page.getByLabel('A line per seed').check();
    await eventually(async () => assert.equal(await page.locator('path.seed').count(), 24));
    await page.getByLabel('What is drawn').selectOption('successRate');
    await eventually(async () =>
      assert.deepEqual(await Promise.resolve(state()), {
        study: 'file:///s.study.json',
        course: 'successRate',
        perSeed: true,
      }),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    await eventually(async () => assert.equal(await Promise.resolve(asked), 1));
    await page.getByRole('button', { name: 'Export Report…' }).click();
    await eventually(async () => assert.equal(await Promise.resolve(exported), 1));
  });

  it('draws a grid as lines through its values and as a map', async () => {
    const shown = syntheticStudy({
      arms: {},
      grid: { 'curriculum.alpha': [0.3, 0.5, 0.7], 'curriculum.kMin': [0.1, 0.2, 0.3] },
    });
    assert.deepEqual(shown.sentences.slice(0, 2), [
      '24 of 24 differences are not shown; the table has each.',
      'With 8 seeds p cannot fall below 0.0078: too few seeds to show a difference among 24 comparisons.',
    ]);
    const { page } = await suite.open('study', (channel) => channel.emit(studyShown, shown), {
      width: 1440,
      height: 1600,
    });
    await eventually(async () => {
      assert.equal(await page.locator('.heat rect').count(), 9);
      const value = 100 * (shown.arms[0]?.cells[0]?.mean ?? NaN);
      assert.equal(await page.locator('.heat .value').first().textContent(), value.toFixed(1));
    });
    await page.screenshot({ path: join(screenshots, 'study-grid.png'), fullPage: true });
  });

  for (const width of [900, 1440]) {
    it(`speaks German at ${width} px, and cuts nothing`, async () => {
      const view = { width, height: 1100, language: 'de' };
      const { page } = await suite.open('study', (channel) => channel.emit(studyShown, syntheticStudy()), view);
      await eventually(async () => {
        assert.equal(await page.locator('path.mean').count(), 3);
        const titles = await page.locator('h2').allInnerTexts();
        for (const title of ['Arme', 'Differenzen, gepaart nach Seed', 'Verläufe'])
          assert.ok(titles.includes(title), title);
      });
      await page.getByRole('button', { name: 'Bericht exportieren…' }).waitFor();
      await page.getByLabel('Eine Linie je Seed').waitFor();
      await eventually(async () => assert.deepEqual(await cutTexts(page), []));
      await page.screenshot({ path: join(screenshots, `study-german-${width}.png`), fullPage: true });
    });
  }

  it('keeps its place at 900 and 1440 px in each theme', async () => {
    const view = { width: 900, height: 1100 };
    const { page } = await suite.open('study', (channel) => channel.emit(studyShown, syntheticStudy()), view);
    await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
      await atWidths(page, [900, 1440], async (width) => {
        await eventually(async () => assert.equal(await page.locator('path.mean').count(), 3));
        await eventually(async () =>
          assert.ok(
            await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
            'no sideways scroll',
          ),
        );
        await page.screenshot({ path: join(screenshots, `study-${theme}-${width}.png`), fullPage: true });
      });
    });
  });
});
