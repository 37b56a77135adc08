/** The phase portrait on the calibration page, in a real browser. Screenshots go beside the others. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { EventOf } from '../../src/shared/journal/events.ts';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { pressAt } from '../support/focus.ts';
import { syntheticEvents } from '../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { eventually } from '../support/until.ts';
import { atWidths } from '../support/webviews/atWidths.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots, type PageView } from '../support/webviews/pageSuite.ts';
import { themeNames } from '../support/webviews/themes.ts';

const course = syntheticCourse({ epochs: 40 });
const events = syntheticEvents(course, { changeAt: 9 });
const scored = events.filter((event): event is EventOf<'families.scored'> => event.type === 'families.scored');

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Lines of text may touch. */
const apart = (a: Box, b: Box): boolean =>
  a.x + a.width <= b.x + 1 || b.x + b.width <= a.x + 1 || a.y + a.height <= b.y + 3 || b.y + b.height <= a.y + 3;

describe('the phase portrait in a browser', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function drawn(view: PageView = {}, some = events): Promise<Page> {
    const host = new ScriptedHost(course.experiment, some);
    const { page } = await suite.open('calibration', (channel) => host.open(channel), { height: 1000, ...view });
    await page.locator('.tiles li').first().waitFor();
    await page.locator('#phase').scrollIntoViewIfNeeded();
    await page.locator('#phase svg[viewBox]').waitFor();
    return page;
  }

  it('draws every epoch, marks the first, the last and every nth, and says where the run went', async () => {
    const page = await drawn();
    await eventually(async () => {
      assert.equal(await page.locator('#phase .phase-epoch').count(), scored.length);
      assert.deepEqual(await page.locator('#phase .phase-label-first, #phase .phase-label-last').allTextContents(), [
        'epoch 1',
        'epoch 40',
      ]);
      assert.ok((await page.locator('#phase .phase-mark').count()) >= 6);
    });
    await eventually(async () => {
      const reading = (await page.locator('#phase-reading').textContent()) ?? '';
      assert.match(
        reading,
        /^From epoch 1 to epoch 40, steps went from .*, and p̂ from 0\.\d\d to 0\.\d\d\. At equal success/,
      );
      assert.doesNotMatch(await page.locator('.course').innerHTML(), /NaN|undefined|\[object/);
      assert.match(
        await page.locator('#phase .frame-note').innerText(),
        /Tasks made in epoch 1 by environment@0 and agent@0/,
      );
    });
  });

  it('is read with the keyboard, epoch by epoch, with the versions that made it; Enter looks at one', async () => {
    const page = await drawn();
    const reader = page.locator('#phase .chart-reader');
    await reader.focus();
    await pressAt(reader, 'Home');
    await eventually(async () =>
      assert.match(
        (await reader.getAttribute('aria-valuetext')) ?? '',
        /^Epoch 1; p̂ 0\.\d\d \(0\.\d\d–0\.\d\d\); steps \d.*; written by environment@0; attempted by agent@0$/,
      ),
    );
    await pressAt(reader, 'ArrowRight');
    await pressAt(reader, 'Enter');
    await page.locator('#epoch-families .frame-value', { hasText: 'epoch 2' }).waitFor();
  });

  it('has its numbers as a table, of every measure', async () => {
    const page = await drawn();
    await page.locator('#phase').getByRole('button', { name: 'Show as table (t)' }).click();
    const head = await page.locator('#phase .table thead th').allTextContents();
    assert.deepEqual(
      [head[0], head[1], ...head.slice(-5)],
      [...['Epoch', 'steps', 'p̂', 'low', 'high', 'Written by', 'Attempted by']],
    );
  });

  it('shows the measure that a person chooses', async () => {
    const page = await drawn();
    const choice = page.locator('#phase').getByLabel('Difficulty');
    const names = await choice.locator('option').allTextContents();
    assert.ok(names.length > 1 && names[0] === 'steps', names.join());
    // Dim, it would look disabled.
    const dim =
      "[...document.querySelectorAll('.frame-tools:has(select)')].map((one) => getComputedStyle(one).opacity)";
    await eventually(async () => assert.deepEqual([...new Set(await page.evaluate<string[]>(dim))], ['1']));
    await choice.selectOption(names[1] ?? '');
    await eventually(async () =>
      assert.ok(((await page.locator('#phase-reading').textContent()) ?? '').includes(` ${names[1]} went `)),
    );
  });

  it('stands beside the entropy and the gradient norms of both policies', async () => {
    const page = await drawn();
    for (const id of ['entropy', 'gradients']) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      await page.locator(`#${id} svg[viewBox]`).waitFor();
      await eventually(async () =>
        assert.equal(await page.locator(`#${id} :not(.legend) > .series > .line`).count(), 2),
      );
    }
  });

  it('fits 1440, 900 and 380 pixels in every theme', async () => {
    const page = await drawn();
    await inThemes(page, themeNames, async (theme) => {
      await atWidths(page, [1440, 900, 380], async (width) => {
        await page.locator('#gradients').scrollIntoViewIfNeeded();
        await page.locator('#gradients svg[viewBox]').waitFor();
        await page.locator('#phase').scrollIntoViewIfNeeded();
        await eventually(async () => {
          const wide = await page.evaluate('document.documentElement.scrollWidth');
          assert.ok(Number(wide) <= width, `${String(wide)} px`);
          // Numbers stay inside the drawing, and do not lie on each other.
          const drawing = await page.locator('#phase .chart').boundingBox();
          const labels = await page.locator('#phase .phase-label').all();
          const boxes = await Promise.all(labels.map((label) => label.boundingBox()));
          assert.ok(drawing !== null && boxes.length >= 4);
          assert.deepEqual(
            await page.locator('#phase .phase-label-first, #phase .phase-label-last').allTextContents(),
            ['epoch 1', 'epoch 40'],
          );
          for (const [i, box] of boxes.entries()) {
            assert.ok(box !== null && box.x >= drawing.x && box.x + box.width <= drawing.x + drawing.width + 1);
            for (const other of boxes.slice(i + 1))
              assert.ok(other !== null && apart(box, other), JSON.stringify([theme, width, box, other]));
          }
        });
        await page.locator('.course').screenshot({ path: join(screenshots, `phase-${theme}-${width}.png`) });
      });
    });
  });
});
