/** The map of versions on the calibration page and in the report, in a real browser. Screenshots go beside the others. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { planCheck } from '../../src/engine/crossPlay/plan.ts';
import { Rng } from '../../src/engine/random.ts';
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

const course = syntheticCourse({ epochs: 40 });

/** The events of a run, with a check every eight epochs: agents get better, tasks get harder. */
function checked(events: readonly JournalEvent[], every = 8): JournalEvent[] {
  const checks: number[] = [];
  const rng = Rng.from('versions');
  const all = events.flatMap((event): JournalEvent[] => {
    if (event.type !== 'epoch.finished' || event.epoch % every !== 0) return [event];
    const { epoch } = event;
    const plan = planCheck(epoch, checks, 200);
    const play = (tasks: number, agent: number) => ({
      ...{ tasks, agent, version: `agent@${agent}` },
      outcomes: Array.from({ length: plan.tasks }, () =>
        rng.next() < 1 / (1 + Math.exp((tasks - agent) / 12)) ? '1' : '0',
      ).join(''),
    });
    checks.push(epoch);
    const absent = epoch === 32 ? { absent: [{ agent: 8, version: 'agent@8', reason: 'Its file is gone.' }] } : {};
    const cells = [...plan.rows.map((row) => play(row, epoch)), ...plan.agents.map((agent) => play(epoch, agent))];
    return [
      {
        ...{ v: 1, seq: 0, at: event.at - 1, type: 'cross.played', epoch, version: `agent@${epoch}` },
        rows: plan.rows.map((row) => ({
          ...{ tasks: row, families: plan.tasks },
          ids: Array.from({ length: plan.tasks }, (_, i) => `e${row}.f${i}.v0`),
        })),
        ...{ cells, ...absent, rollouts: plan.tasks * cells.length, tokens: 1000, seconds: 0.2 },
      },
      event,
    ];
  });
  return all.map((event, seq) => eventSchema.parse({ ...event, seq }));
}

const plain = syntheticEvents(course);
const events = checked(plain);

describe('the map of versions in a browser', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function drawn(view: PageView = {}, some = events): Promise<Page> {
    const host = new ScriptedHost(course.experiment, some);
    const { page } = await suite.open('calibration', (channel) => host.open(channel), { height: 1000, ...view });
    await page.locator('.tiles li').first().waitFor();
    return page;
  }

  async function mapped(view: PageView = {}): Promise<Page> {
    const page = await drawn(view);
    await page.locator('#versions').scrollIntoViewIfNeeded();
    await page.locator('#versions svg[viewBox]').waitFor();
    return page;
  }

  it('has a cell for each pair that was measured, and says what today’s agent makes of old and new tasks', async () => {
    const page = await mapped();
    // 1, 8 … 40 down, the start and 8 … 40 across: all but the first tasks by the agent of the start.
    await eventually(async () => assert.equal(await page.locator('#versions .version-cell').count(), 35));
    await eventually(async () => assert.equal(await page.locator('#versions .version-own').count(), 5));
    await eventually(async () =>
      assert.match(
        (await page.locator('#versions-reading').textContent()) ?? '',
        /^agent@40 solves \d+ % of the tasks of epoch 1 and \d+ % of those of epoch 40; agent@0 solves \d+ % of the latter\.$/,
      ),
    );
    await eventually(async () => {
      const note = await page.locator('#versions .frame-note').innerText();
      assert.match(note, /agent@8 could not attempt them: Its file is gone\.$/);
      assert.doesNotMatch(await page.locator('#versions').innerHTML(), /NaN|undefined|\[object/);
    });
  });

  it('is read with the keyboard, pair by pair', async () => {
    const page = await mapped();
    const reader = page.locator('#versions .chart-reader');
    await reader.focus();
    await pressAt(reader, 'Home');
    await eventually(async () =>
      assert.match(
        (await reader.getAttribute('aria-valuetext')) ?? '',
        /^Tasks of epoch 1, agent of epoch 8; \d+ of \d+ solved \(\d+ %\); attempted by agent@8$/,
      ),
    );
    await pressAt(reader, 'End');
    await eventually(async () =>
      assert.match((await reader.getAttribute('aria-valuetext')) ?? '', /^Tasks of epoch 40, agent of epoch 40;/),
    );
  });

  it('has its numbers as a table', async () => {
    const page = await mapped();
    await page.locator('#versions').getByRole('button', { name: 'Show as table (t)' }).click();
    const columns = ['Tasks of epoch', 'Agent after epoch', 'Version', 'Solved', 'Attempts'];
    await eventually(async () =>
      assert.deepEqual(await page.locator('#versions .table thead th').allTextContents(), columns),
    );
  });

  it('is not there where no versions were compared', async () => {
    const page = await drawn({}, plain);
    await page.locator('#phase').scrollIntoViewIfNeeded();
    await page.locator('#phase svg[viewBox]').waitFor();
    await eventually(async () => assert.equal(await page.locator('#versions').isVisible(), false));
  });

  it('fits 1440 and 500 pixels in every theme', async () => {
    const page = await mapped();
    await inThemes(page, themeNames, async (theme) => {
      await atWidths(page, [1440, 500], async (width) => {
        await eventually(async () => {
          assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width);
          const drawing = await page.locator('#versions .chart').boundingBox();
          const last = await page.locator('#versions .version-cell').last().boundingBox();
          assert.ok(drawing !== null && last !== null && last.x + last.width <= drawing.x + drawing.width + 1);
        });
        await page.locator('#versions').screenshot({ path: join(screenshots, `versions-${theme}-${width}.png`) });
      });
    });
  });

  it('stands in the report, with its table', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-versions-'));
    try {
      const out = join(folder, 'report.html');
      const source = syntheticSource(folder, { epochs: 40 });
      await writeReport(
        {
          ...source,
          events: async function* () {
            yield* checked(await Array.fromAsync(source.events()));
          },
        },
        { dist: await reportDist(), out },
      );
      const { page } = await suite.page({ viewport: { width: 1000, height: 900 }, offline: true });
      await page.goto(pathToFileURL(out).href);
      await page.locator('#versions svg[viewBox]').waitFor();
      await eventually(async () => assert.equal(await page.locator('#versions .version-cell').count(), 35));
      await page.locator('#versions summary').click();
      await page.locator('#versions table').waitFor();
      await eventually(async () => assert.equal(await page.locator('#versions table tbody tr').count(), 35));
      await page.locator('#versions').screenshot({ path: join(screenshots, 'versions-report.png') });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
