/** The epoch looked at, on the calibration page in a real browser. */
import assert from 'node:assert/strict';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { syntheticEvents } from '../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { eventually } from '../support/until.ts';
import { pageSuite } from '../support/webviews/pageSuite.ts';

describe('the epoch looked at', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  it('keeps its marks in sight, also where a list’s colour covers all that is below it', async () => {
    const course = syntheticCourse({ epochs: 12 });
    const host = new ScriptedHost(course.experiment, syntheticEvents(course));
    const { page } = await suite.open('calibration', (channel) => host.open(channel), { height: 1000 });
    await page.locator('.tiles li').first().waitFor();
    await page.evaluate(
      "document.documentElement.style.setProperty('--vscode-list-inactiveSelectionBackground', 'rgb(209 203 184)')",
    );
    await page.locator('.grid .frame').first().scrollIntoViewIfNeeded();
    await page.locator('.grid .selected').first().waitFor({ state: 'attached' });
    await eventually(async () =>
      assert.match(
        String(await page.evaluate("getComputedStyle(document.querySelector('.grid .selected')).fill")),
        / \/ 0\.1\d*\)$/,
      ),
    );
  });
});
