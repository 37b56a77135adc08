/** Pages of a run of several domains, in a real browser: together and one by one. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeReport } from '../../src/features/report/node/writeReport.ts';
import type { EventOf } from '../../src/shared/journal/events.ts';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { reportDist } from '../support/report/bundle.ts';
import { mixedDomain, mixedExperiment } from '../support/scripted/mixed.ts';
import { MemoryRun, runScripted } from '../support/scripted/scriptedRun.ts';
import { withTempRuns } from '../support/runs/tempRuns.ts';
import { eventually } from '../support/until.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

const experiment = mixedExperiment({
  ...{ epochs: 6, validation: { every: 1, tasks: 8 } },
  generation: { families: 12, variations: 2 },
});

describe('pages of a run of several domains, in a browser', function () {
  this.timeout(240_000);
  const suite = pageSuite();
  let run = new MemoryRun();

  before(async () => {
    run = await runScripted(experiment, run, { ports: { domain: await mixedDomain() } });
  });

  const families = (domain: string, epoch: number | null = null): number =>
    run.events
      .filter((event): event is EventOf<'families.scored'> => event.type === 'families.scored')
      .filter((event) => epoch === null || event.epoch === epoch)
      .flatMap((event) => event.families.filter((family) => family.domain === domain)).length;

  it('the calibration page shows the charts of the domain that is chosen, and keeps the choice', async () => {
    const host = new ScriptedHost(experiment, run.events);
    const { page } = await suite.open('calibration', (channel) => host.open(channel), { height: 1000 });
    await page.locator('.tiles li').first().waitFor();
    const choice = page.getByRole('combobox', { name: 'Domain', exact: true });
    await eventually(async () =>
      assert.deepEqual(await choice.locator('option').allTextContents(), ['all together', 'storekeeper', 'stairs']),
    );
    await page.screenshot({ path: join(screenshots, 'domains-together.png'), fullPage: true });
    await eventually(async () => assert.equal(await page.locator('#kl-start').count(), 1));
    await choice.selectOption('stairs');
    await eventually(async () => {
      assert.equal(await page.locator('#kl-start').count(), 0, 'what is the whole run’s is left out');
      assert.equal(await page.locator('#rejections').count(), 1);
    });
    const last = families('stairs', 6);
    await eventually(async () => assert.equal(await page.locator('#epoch-families .family').count(), last));
    await page.screenshot({ path: join(screenshots, 'domains-stairs.png'), fullPage: true });
    assert.ok(last > 0);
    await choice.selectOption('');
    await eventually(async () => assert.equal(await page.locator('#kl-start').count(), 1));
  });

  it('the report shows one domain or all of them', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const folder = await mkdtemp(join(tmpdir(), 'genenv-report-'));
      try {
        const writer = await store.create({ experiment });
        const ports = { domain: await mixedDomain(), journal: writer, records: writer };
        await runScripted(experiment, new MemoryRun(), { ports });
        await writer.close();
        const reader = await store.openReader(basename(writer.dir));
        const out = join(folder, 'mixed.html');
        await writeReport(reader, { dist: await reportDist(), out });
        await reader.close();
        const { page } = await suite.page({ viewport: { width: 1280, height: 900 }, offline: true });
        await page.goto(pathToFileURL(out).href);
        const choice = page.getByRole('combobox', { name: 'Domain', exact: true });
        const dots = (): Promise<number> => page.locator('#calibration-chart .dot').count();
        await eventually(async () => assert.equal(await dots(), families('storekeeper') + families('stairs')));
        await page.screenshot({ path: join(screenshots, 'report-domains.png'), fullPage: true });
        await choice.selectOption('stairs');
        await eventually(async () => {
          assert.equal(await dots(), families('stairs'));
          assert.equal(await page.locator('#updates').count(), 0);
        });
        await eventually(async () => assert.equal(await choice.inputValue(), 'stairs'));
        await page.screenshot({ path: join(screenshots, 'report-domain-stairs.png'), fullPage: true });
        await choice.selectOption('');
        await eventually(async () => assert.equal(await dots(), families('storekeeper') + families('stairs')));
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });
});
