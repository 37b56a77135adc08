/** A study's report as a person meets it: opened from disk in a real browser that has no network. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { wholePage } from '../../src/features/report/node/page.ts';
import { pageCode } from '../../src/features/report/node/pageCode.ts';
import { studyReportData } from '../../src/features/study/core/report.ts';
import { reportDist } from '../support/report/bundle.ts';
import { syntheticStudy } from '../support/study/syntheticStudy.ts';
import { eventually } from '../support/until.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

describe('the report of a study in a browser', function () {
  this.timeout(120_000);
  const suite = pageSuite();

  it('has sentences, tables, charts, files and versions, and asks for nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-study-report-'));
    try {
      const results = syntheticStudy();
      const hostile = '</script><script>document.title = "taken"</script>';
      const facts = {
        files: [{ name: 'curricula.study.json', text: hostile }],
        versions: [{ name: 'genenv', value: '0.1.0' }],
        madeAt: 0,
      };
      const data = studyReportData(results, facts, 30);
      const parts = { title: 'A study', absent: '', dataId: 'study-data' as const, data };
      const out = join(folder, 'report.html');
      await writeFile(out, wholePage({ ...(await pageCode(await reportDist())), ...parts }));
      const url = pathToFileURL(out).href;
      const { page, trouble } = await suite.page({ viewport: { width: 1280, height: 900 }, offline: true });
      page.on('request', (request) => {
        if (request.url() !== url) trouble.push(`request: ${request.url()}`);
      });
      await page.goto(url);
      await eventually(async () => {
        assert.equal(await page.locator('h1').innerText(), results.name);
        assert.deepEqual(await page.locator('.answers li').allInnerTexts(), results.sentences);
        assert.equal(await page.locator('table').first().locator('tbody tr').count(), 3);
        assert.equal(await page.locator('table').nth(1).locator('tbody tr').count(), results.comparisons.length);
        assert.equal(await page.locator('path.mean').count(), 3);
      });
      await page.getByLabel('A line per seed').check();
      await eventually(async () => assert.equal(await page.locator('path.seed').count(), 24));
      await page.getByText('curricula.study.json', { exact: true }).click();
      await eventually(async () => {
        assert.equal(await page.locator('pre').innerText(), hostile);
        assert.match(await page.locator('#sources').innerText(), /0\.1\.0[\s\S]*30 points[\s\S]*no network/);
        assert.equal(await page.title(), 'A study');
      });
      await page.screenshot({ path: join(screenshots, 'study-report.png'), fullPage: true });
      assert.deepEqual(trouble, []);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
