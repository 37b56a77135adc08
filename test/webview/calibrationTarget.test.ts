/** α that moves, on the calibration page in a real browser. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { JournalEvent } from '../../src/shared/journal/events.ts';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { syntheticEvents } from '../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { eventually } from '../support/until.ts';
import { pageSuite, screenshots, type PageView } from '../support/webviews/pageSuite.ts';

const course = syntheticCourse({ epochs: 12 });
const plain = syntheticEvents(course);
const alphas = [0.5, 0.5, 0.5, 0.45, 0.45, 0.45, 0.4, 0.4, 0.4, 0.45, 0.45, 0.45];
const whys = ['start', 'first', 'better', 'worse'] as const;

/** By the controller of a run whose windows have three epochs. */
function controlled(event: JournalEvent): JournalEvent {
  if (event.type !== 'epoch.started') return event;
  const [i, alpha] = [event.epoch - 1, alphas[event.epoch - 1] ?? 0.5];
  const window = Math.floor(i / 3);
  const seen = window === 0 ? null : { from: 3 * window - 2, to: 3 * window, value: 0.2 - 0.01 * window, error: 0.004 };
  const why = i % 3 === 0 ? (whys[window] ?? 'held') : 'window';
  const direction = window === 3 ? 1 : -1;
  const control = { measure: 'learnability' as const, why, since: 3 * window + 1, seen, direction } as const;
  return { ...event, settings: { ...event.settings, alpha }, control };
}

describe('α that moves, in a browser', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function drawn(
    some: readonly JournalEvent[],
    alphaBy?: 'course' | 'controller',
    view: PageView = {},
  ): Promise<Page> {
    const { experiment } = course;
    const host = new ScriptedHost(experiment, some);
    if (alphaBy !== undefined)
      host.facts.curriculum = { ...host.facts.curriculum, alpha: 0.45, alphaBy, cutsOff: true };
    const { page } = await suite.open('calibration', (channel) => host.open(channel), { height: 1000, ...view });
    await page.locator('.tiles li').first().waitFor();
    return page;
  }

  it('is drawn over the epochs, with the newest choice and its reason', async () => {
    const page = await drawn(plain.map(controlled), 'controller');
    const frame = page.locator('#target');
    await frame.scrollIntoViewIfNeeded();
    await frame.locator('svg[viewBox]').waitFor();
    await eventually(async () => {
      const text = await frame.innerText();
      assert.match(text, /α went from 0\.50 in epoch 1 to 0\.45 in epoch 12/);
      assert.match(text, /Epoch 10: p\(1 − p\) of tasks 0\.17\d? ± 0\.004\d* in epochs 7–9: it fell, so that α turns/);
    });
    await frame.screenshot({ path: join(screenshots, 'calibration-target.png') });
  });

  it('stays each epoch’s own in what-if, until it is moved for all', async () => {
    // The epochs were scored with an α of 0.5; 0.45 is the newest.
    const page = await drawn(plain, 'controller');
    const panel = page.locator('.what-if');
    await panel.getByRole('combobox', { name: 'Epochs to score again' }).selectOption('all');
    await eventually(async () => {
      assert.match(await panel.innerText(), /What it would have chosen under other values cannot be told/);
      assert.match(
        await panel.innerText(),
        /Families outside the band were cut off: their p̂ is of their first attempts/,
      );
      assert.equal(await panel.locator('.outcome .differs').count(), 0, 'nothing is changed');
    });
    await panel.screenshot({ path: join(screenshots, 'calibration-target-what-if.png') });
    const alpha = panel.getByRole('spinbutton', { name: /α/ }).first();
    await alpha.fill('0.7');
    await alpha.press('Enter');
    await eventually(async () => assert.notEqual(await panel.locator('.outcome .differs').count(), 0));
  });

  it('is no chart where it stays', async () => {
    const page = await drawn(plain, undefined, { theme: 'light' });
    await page.locator('#mean-rate').waitFor();
    await eventually(async () => {
      assert.equal(await page.locator('#target').count(), 0);
      assert.equal(await page.locator('.what-if', { hasText: 'cannot be told' }).count(), 0);
    });
  });
});
