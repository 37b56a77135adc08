/** The phase timeline on the calibration page and in the report, in a real browser. Screenshots go beside the others. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { writeReport } from '../../src/features/report/node/writeReport.ts';
import { eventSchema, type JournalEvent } from '../../src/shared/journal/events.ts';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { pressAt } from '../support/focus.ts';
import { reportDist } from '../support/report/bundle.ts';
import { syntheticEvents } from '../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { syntheticSource } from '../support/report/syntheticSource.ts';
import { eventually } from '../support/until.ts';
import { atWidths } from '../support/webviews/atWidths.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots, type PageView } from '../support/webviews/pageSuite.ts';
import { themeNames } from '../support/webviews/themes.ts';

const course = syntheticCourse({ epochs: 12 });
const plain = syntheticEvents(course);

/** As if each epoch but the first had been sampled while the one before it was learned from. */
function ahead(events: readonly JournalEvent[]): JournalEvent[] {
  let updatedFrom = 0;
  return events.map((event) => {
    if (event.type === 'families.scored') updatedFrom = event.at;
    if ((event.type !== 'tasks.generated' && event.type !== 'rollouts.finished') || event.epoch === 1) return event;
    const ends = event.type === 'tasks.generated' ? 300 : 1900;
    return eventSchema.parse({ ...event, seconds: ends / 1000, ended: { at: updatedFrom + ends } });
  });
}

describe('the phase timeline in a browser', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function drawn(view: PageView = {}, events = plain): Promise<Page> {
    const host = new ScriptedHost(course.experiment, events);
    const { page } = await suite.open('calibration', (channel) => host.open(channel), { height: 1000, ...view });
    await page.locator('.tiles li').first().waitFor();
    await page.locator('#timeline').scrollIntoViewIfNeeded();
    await page.locator('#timeline svg[viewBox]').waitFor();
    return page;
  }

  it('has a row for each of the last epochs and a bar for each phase, and says who waited', async () => {
    const page = await drawn();
    await eventually(async () => assert.equal(await page.locator('#timeline .timeline-row').count(), 8));
    await eventually(async () =>
      assert.match(
        (await page.locator('#timeline-reading').textContent()) ?? '',
        /^In epochs 5 to 12, updates waited for sampling \d+ % of the time and sampling waited for updates \d+ %; both were at work 0 %, neither [\d.]+ %\.$/,
      ),
    );
    await eventually(async () => {
      assert.equal(await page.locator('#timeline .timeline-ahead').count(), 0);
      assert.doesNotMatch(await page.locator('#timeline').innerHTML(), /NaN|undefined|\[object/);
    });
  });

  it('shows what was sampled meanwhile for a later epoch', async () => {
    const page = await drawn({}, ahead(plain));
    await eventually(async () => assert.ok((await page.locator('#timeline .timeline-ahead').count()) > 8));
    await eventually(async () =>
      assert.match((await page.locator('#timeline .frame-note').textContent()) ?? '', /Dashed: done meanwhile/),
    );
  });

  it('is read with the keyboard, phase by phase, and Enter goes to the epoch', async () => {
    const page = await drawn();
    const reader = page.locator('#timeline .chart-reader');
    await reader.focus();
    await pressAt(reader, 'Home');
    await eventually(async () =>
      assert.match(
        (await reader.getAttribute('aria-valuetext')) ?? '',
        /^Epoch 5: write tasks; [\d.]+ s, from 0\.0 s to [\d.]+ s$/,
      ),
    );
    await pressAt(reader, 'Enter');
    await eventually(async () => assert.equal(await page.locator('#timeline .timeline-looked').count(), 1));
    await eventually(async () =>
      assert.match((await page.locator('#timeline-reading').textContent()) ?? '', /^In epochs 1 to 8,/),
    );
  });

  it('has its times as a table, of every epoch', async () => {
    const page = await drawn();
    await page.locator('#timeline').getByRole('button', { name: 'Show as table (t)' }).click();
    await eventually(async () =>
      assert.deepEqual(await page.locator('#timeline .table thead th').allTextContents(), [
        ...['Epoch', 'Phase', 'For epoch', 'From', 'To', 'Length'],
      ]),
    );
  });

  it('fits 1440, 900 and 500 pixels in every theme', async () => {
    const page = await drawn({}, ahead(plain));
    await inThemes(page, themeNames, async (theme) => {
      await atWidths(page, [1440, 900, 500], async (width) => {
        await eventually(async () => {
          assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width);
          assert.ok((await page.locator('#timeline .timeline-ahead').count()) > 8);
        });
        await page.locator('#timeline').screenshot({ path: join(screenshots, `timeline-${theme}-${width}.png`) });
      });
    });
  });

  it('stands in the report, with its table', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-timeline-'));
    try {
      const out = join(folder, 'report.html');
      await writeReport(syntheticSource(folder, { epochs: 12 }), { dist: await reportDist(), out });
      const { page } = await suite.page({ viewport: { width: 1000, height: 900 }, offline: true });
      await page.goto(pathToFileURL(out).href);
      await page.locator('#timeline svg[viewBox]').waitFor();
      await eventually(async () => assert.equal(await page.locator('#timeline .timeline-row').count(), 8));
      await page.locator('#timeline summary').click();
      await eventually(async () => assert.ok((await page.locator('#timeline table tbody tr').count()) >= 12 * 4));
      await page.locator('#timeline').screenshot({ path: join(screenshots, 'timeline-report.png') });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
