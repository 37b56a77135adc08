/** How many groups counted one epoch later, on the calibration page and in the report, in a real browser. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeReport } from '../../src/features/report/node/writeReport.ts';
import type { JournalEvent } from '../../src/shared/journal/events.ts';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { reportDist } from '../support/report/bundle.ts';
import { fromArray } from '../support/report/fromArray.ts';
import { syntheticEvents } from '../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { syntheticSource } from '../support/report/syntheticSource.ts';
import { eventually } from '../support/until.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

const course = syntheticCourse({ epochs: 12 });

/** As if two groups of each epoch but the last had been late. */
const events = syntheticEvents(course).map((event): JournalEvent =>
  event.type === 'rollouts.finished' && event.epoch < 12 ? { ...event, late: ['nowhere.1', 'nowhere.2'] } : event,
);

const sentence = /Late groups, each counted one epoch after its own \(rollouts\.late\): 22\./;

describe('late groups, in a browser', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  it('are one sentence of the report, and a column of its table', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-late-'));
    try {
      const out = join(folder, 'report.html');
      const source = { ...syntheticSource(folder, { epochs: 12 }), events: () => fromArray(events) };
      await writeReport(source, { dist: await reportDist(), out });
      const { page } = await suite.page({ viewport: { width: 1000, height: 900 }, offline: true });
      await page.goto(pathToFileURL(out).href);
      await page.locator('#rollouts svg[viewBox]').waitFor();
      await eventually(async () => assert.match((await page.locator('#rollouts .note').textContent()) ?? '', sentence));
      await page.locator('#rollouts summary').click();
      await eventually(async () => assert.match(await page.locator('#rollouts tbody tr').first().innerText(), /\s2$/));
      await page.locator('#rollouts').screenshot({ path: join(screenshots, 'late-report.png') });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('are one sentence of the calibration page, only where some were late', async () => {
    const host = new ScriptedHost(course.experiment, events);
    const { page } = await suite.open('calibration', (channel) => host.open(channel), { height: 1000 });
    await page.locator('#throughput').scrollIntoViewIfNeeded();
    await eventually(async () => assert.match((await page.locator('#throughput').textContent()) ?? '', sentence));
    await page.locator('#throughput').screenshot({ path: join(screenshots, 'late-calibration.png') });
    const plain = new ScriptedHost(course.experiment, syntheticEvents(course));
    const other = await suite.open('calibration', (channel) => plain.open(channel), { height: 1000 });
    await other.page.locator('#throughput').scrollIntoViewIfNeeded();
    await other.page.locator('#throughput svg[viewBox]').waitFor();
    await eventually(async () =>
      assert.doesNotMatch((await other.page.locator('#throughput').textContent()) ?? '', /Late groups/),
    );
  });
});
