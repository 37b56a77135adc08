/** The quality of what was written, on the calibration page in a real browser. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { JournalEvent } from '../../src/shared/journal/events.ts';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { syntheticEvents } from '../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { eventually } from '../support/until.ts';
import { atWidths } from '../support/webviews/atWidths.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots, type PageView } from '../support/webviews/pageSuite.ts';

const course = syntheticCourse({ epochs: 20 });
const events = syntheticEvents(course);
const ids = ['distinct', 'likeness', 'clusters', 'seed-distance', 'drift'] as const;

/** As an older version wrote it. */
function withoutQuality(event: JournalEvent): JournalEvent {
  if (event.type !== 'tasks.generated') return event;
  const older = { ...event };
  delete older.quality;
  return older;
}

/** As a run with an embedding server has them; the newest epoch's server was away. */
function embedded(event: JournalEvent): JournalEvent {
  if (event.type !== 'tasks.generated' || event.quality === undefined) return event;
  const away = { failure: 'http://127.0.0.1:9: POST /v1/embeddings: no connection. See whether it runs.' };
  const near = event.epoch / 100;
  const figures = {
    ...{ model: 'bge', distance: { mean: 0.5 - near, nearest: 0.1 }, seedDistance: { own: 0.2 + near, nearest: 0.2 } },
    clusters: { reach: 0.3, count: 9, largest: 0.1 + 2 * near, seeds: 0.1 },
  };
  return { ...event, quality: { ...event.quality, embedded: event.epoch === 20 ? away : figures } };
}

describe('the quality of what was written, in a browser', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function drawn(some: Iterable<JournalEvent>, view: PageView = {}): Promise<Page> {
    const host = new ScriptedHost(course.experiment, some, {});
    const { page } = await suite.open('calibration', (channel) => host.open(channel), { height: 1000, ...view });
    await page.locator('.tiles li').first().waitFor();
    return page;
  }

  it('is drawn as lines over the epochs, and read in a sentence', async () => {
    const page = await drawn(events);
    for (const id of ids) {
      const frame = page.locator(`#${id}`);
      await frame.scrollIntoViewIfNeeded();
      await frame.locator('svg[viewBox]').waitFor();
      const lines = id === 'distinct' ? 4 : 2;
      await eventually(async () =>
        assert.equal(await frame.locator(':not(.legend) > .series > .line').count(), lines, id),
      );
    }
    const newest = events.findLast((event) => event.type === 'tasks.generated');
    assert.ok(newest?.quality !== undefined);
    const { tasks, clusters } = newest.quality;
    const words = [
      `Epoch 20: the largest of ${clusters.count} clusters holds `,
      ` of ${tasks} tasks compared; if every task were its seed it would be `,
    ];
    await eventually(async () => {
      const reading = (await page.locator('#clusters-reading').textContent()) ?? '';
      for (const part of words) assert.ok(reading.includes(part), reading);
    });
  });

  it('is drawn by embeddings where a server was asked, with the reason where it gave none, and absent elsewhere', async () => {
    const plain = await drawn(events);
    await plain.locator('#drift').waitFor();
    await eventually(async () =>
      assert.equal(await plain.locator('#embedded-distance, #embedded-clusters').count(), 0),
    );
    const page = await drawn(events.map(embedded), { theme: 'light', width: 900 });
    for (const [id, lines] of [
      ['embedded-distance', 3],
      ['embedded-clusters', 2],
    ] as const) {
      const frame = page.locator(`#${id}`);
      await frame.scrollIntoViewIfNeeded();
      await frame.locator('svg[viewBox]').waitFor();
      // Names that do not fit beside the plot stand below it, each with a stroke of its own.
      await eventually(async () =>
        assert.ok([lines, 2 * lines].includes(await frame.locator(':not(.legend) > .series > .line').count()), id),
      );
      await frame.getByText('Epochs without vectors: 1. In epoch 20: http://127.0.0.1:9').waitFor();
    }
    await page.screenshot({ path: join(screenshots, 'calibration-embedded.png') });
  });

  it('is told as not measured where an older version wrote the run', async () => {
    const page = await drawn(events.map(withoutQuality));
    const frame = page.locator('#clusters');
    await frame.scrollIntoViewIfNeeded();
    await frame.getByText('an older version wrote the run').waitFor();
  });

  it('fits 1440 and 900 pixels in each theme', async () => {
    const page = await drawn(events);
    await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
      await atWidths(page, [1440, 900], async (width) => {
        await page.locator('#drift').scrollIntoViewIfNeeded();
        for (const id of ['clusters', 'drift']) await page.locator(`#${id} svg[viewBox]`).waitFor();
        await eventually(async () => {
          const overflow: unknown = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          assert.equal(overflow, 0, 'nothing scrolls sideways');
        });
        await page.screenshot({ path: join(screenshots, `calibration-quality-${theme}-${width}.png`) });
      });
    });
  });
});
