/** Groups that fell out, on the calibration page and in the report, in a real browser. Screenshots go beside the others. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeReport } from '../../src/features/report/node/writeReport.ts';
import { eventSchema, type JournalEvent } from '../../src/shared/journal/events.ts';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { fromArray } from '../support/report/fromArray.ts';
import { reportDist } from '../support/report/bundle.ts';
import { syntheticEvents } from '../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { syntheticSource } from '../support/report/syntheticSource.ts';
import { eventually } from '../support/until.ts';
import { atWidths } from '../support/webviews/atWidths.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

const course = syntheticCourse({ epochs: 12 });

/** As if the slowest two or three groups of each epoch had fallen out. */
const events = syntheticEvents(course).map((event): JournalEvent => {
  if (event.type !== 'rollouts.finished') return event;
  const groups = Array.from({ length: 2 + (event.epoch % 2) }, (_, i) => ({ task: `out${i}`, attempts: 3 }));
  const dropped = {
    groups,
    ...{ attempts: 3 * groups.length, tokens: Math.round((event.tokens ?? NaN) / 20), left: 5 * groups.length },
    likely: Math.round((event.tokens ?? NaN) / 10),
    ...(event.epoch > 1 && { expected: { counted: 120 + event.epoch, dropped: 180 + 2 * event.epoch } }),
  };
  return eventSchema.parse({ ...event, dropped });
});

describe('groups that fell out, in a browser', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  it('are two figures of the report, with their tables and what follows from them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-fell-out-'));
    try {
      const out = join(folder, 'report.html');
      const source = { ...syntheticSource(folder, { epochs: 12 }), events: () => fromArray(events) };
      await writeReport(source, { dist: await reportDist(), out });
      const { page } = await suite.page({ viewport: { width: 1000, height: 900 }, offline: true });
      await page.goto(pathToFileURL(out).href);
      await page.locator('#fell-out svg[viewBox]').waitFor();
      await page.locator('#fell-out-lengths svg[viewBox]').waitFor();
      await eventually(async () =>
        assert.match(
          (await page.locator('#fell-out .reading').textContent()) ?? '',
          /^30 of [\d,]+ groups fell out, for 13 % of the tokens of all attempts\. .* 1\.5\d times .* lean to tasks/,
        ),
      );
      await page.locator('#fell-out summary').click();
      await eventually(async () =>
        assert.match(await page.locator('#fell-out tbody tr').first().innerText(), /^1\s3\s\d+\s9\s[\d,]+\s13 %$/),
      );
      await page.locator('#fell-out-lengths summary').click();
      await eventually(async () =>
        assert.deepEqual(await page.locator('#fell-out-lengths tbody tr').first().locator('th, td').allTextContents(), [
          '1',
          '—',
          '—',
        ]),
      );
      await atWidths(page, [1440, 900, 500], async (width) => {
        await eventually(async () =>
          assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width),
        );
        await page.locator('#effort').screenshot({ path: join(screenshots, `fell-out-report-${width}.png`) });
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('are a small chart of the calibration page, only where some fell out', async () => {
    const host = new ScriptedHost(course.experiment, events);
    const { page } = await suite.open('calibration', (channel) => host.open(channel), { height: 1000 });
    await page.locator('#fell-out').scrollIntoViewIfNeeded();
    await page.locator('#fell-out svg[viewBox]').waitFor();
    await eventually(async () =>
      assert.match((await page.locator('#fell-out').textContent()) ?? '', /30 of [\d,]+ groups fell out/),
    );
    await page.locator('#fell-out').screenshot({ path: join(screenshots, 'fell-out-calibration.png') });
    const plain = new ScriptedHost(course.experiment, syntheticEvents(course));
    const other = await suite.open('calibration', (channel) => plain.open(channel), { height: 1000 });
    await other.page.locator('#slots, #time').first().waitFor();
    await eventually(async () => assert.equal(await other.page.locator('#fell-out').isVisible(), false));
  });
});
