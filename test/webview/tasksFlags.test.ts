/** A row of the task editor shows its rate, then its flags, whole in a narrow window too. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as z from 'zod';
import { flagNames, type FlagName } from '../../src/features/tasks/contract.ts';
import { ScriptedTasks } from '../support/tasks/scriptedTasks.ts';
import { rowOf } from '../support/tasks/taskModel.ts';
import { eventually } from '../support/until.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

/** Flags, whole or not, of the rows with two of them. */
const cutFlags = `[...document.querySelectorAll('.row-facts')].flatMap((line) => {
  const flags = [...line.querySelectorAll('.badge-flag')];
  const room = line.getBoundingClientRect();
  return flags.length < 2 ? [] : flags.map((flag) => {
    const { right, bottom } = flag.getBoundingClientRect();
    return { text: flag.textContent, whole: right <= room.right + 0.5 && bottom <= room.bottom + 0.5 };
  });
})`;
const seen = z.array(z.object({ text: z.string(), whole: z.boolean() }));

/** Rows whose epoch is not to be seen. */
const hiddenEpochs = `[...document.querySelectorAll('.row-facts')].flatMap((line) => {
  const room = line.getBoundingClientRect();
  const epoch = line.querySelector('.row-epoch')?.getBoundingClientRect();
  return epoch !== undefined && epoch.right <= room.right + 0.5 && epoch.bottom <= room.bottom + 0.5 ? [] : [line.textContent];
})`;

/** Each pair of flags on a row of its own. */
class Flagged extends ScriptedTasks {
  readonly pairs = flagNames.flatMap((one, i): FlagName[][] => flagNames.slice(i + 1).map((other) => [one, other]));

  override row(at: number) {
    return { ...rowOf(at, undefined), flags: this.pairs[at] ?? [] };
  }
}

describe('flags of a row', function () {
  this.timeout(120_000);
  const suite = pageSuite();

  for (const language of ['en', 'de'])
    it(`are whole in a window of 900 pixels, two of them: ${language}`, async () => {
      const host = new Flagged();
      const size = { ...(language === 'en' ? {} : { language }), width: 900, height: 1500 };
      const { page } = await suite.open('tasks', (channel) => host.opened(channel), size);
      await page.locator('.badge-flag').first().waitFor();
      await inThemes(page, ['dark', 'light'], async (theme) => {
        await page.screenshot({ path: join(screenshots, `tasks-${theme}-flags-${language}-900.png`) });
      });
      await eventually(async () => assert.deepEqual(await page.evaluate(hiddenEpochs), []));
      // Beside the side bar a window of 900 pixels leaves the page some 600.
      for (const width of [900, 640]) {
        await page.setViewportSize({ width, height: 1500 });
        await eventually(async () => {
          const flags = seen.parse(await page.evaluate(cutFlags));
          assert.ok(flags.length > 40, `${flags.length} flags`);
          assert.deepEqual(
            flags.filter(({ whole }) => !whole),
            [],
          );
        });
      }
    });
});
