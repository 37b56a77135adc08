/** The list of a search's hits as a person meets it. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readTraceQuery } from '../../src/features/search/contract/traceQuery.ts';
import {
  openRow,
  search,
  searched,
  searchRows,
  stopSearch,
  type SearchPageState,
} from '../../src/features/search/contract/page.ts';
import { pressAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { row, state } from '../support/webviews/samples/search.ts';

describe('the list of what a search found', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function opened(first: SearchPageState, view: { width?: number } = {}) {
    const sent: unknown[] = [];
    const one = await suite.open(
      'search',
      (channel) => {
        channel.handle(search, ({ text: typed }) => {
          sent.push(['search', typed]);
          const read = readTraceQuery(typed);
          return { problem: 'problem' in read ? read.problem : null };
        });
        channel.handle(stopSearch, () => {
          sent.push(['stop']);
          return null;
        });
        channel.handle(openRow, (asked) => {
          sent.push(['open', asked.row]);
          return null;
        });
        channel.handle(searchRows, ({ from, to }) =>
          Array.from({ length: Math.max(0, Math.min(to, 80_000) - from) }, (_, i) => row(from + i)),
        );
        channel.emit(searched, first);
      },
      view,
    );
    const field = one.page.getByRole('combobox', { name: 'Search traces' });
    await field.waitFor();
    return { ...one, sent, field };
  }

  it('holds any number of lines, of which those in sight alone are drawn, and opens one by key', async () => {
    const { page, sent, channel } = await opened(state(80_000, { limited: true }));
    const grid = page.getByRole('grid', { name: 'What was found' });
    await page
      .getByRole('row', { name: /^e3\/e3\.f2\.v1\/r0, failed, reward 0\.25, epoch 3, turn 1, reasoning, …first/ })
      .waitFor();
    await eventually(async () => {
      assert.equal(await grid.getAttribute('aria-rowcount'), '80000');
      assert.ok((await page.locator('.virtual-row').count()) < 60);
      assert.equal(await page.locator('mark').first().innerText(), 'timeout');
      assert.equal(await page.getByRole('status').innerText(), '80,000 traces · there are more');
    });
    await page.locator('.virtual-row').first().focus();
    await pressAt(grid, 'ArrowDown', 'End');
    await page.getByRole('row', { name: /r79999/ }).waitFor();
    await pressAt(page.getByRole('row', { name: /r79999/ }), 'Enter');
    await pressAt(grid, 'Home', 'Enter');
    await until('both', () => sent.length === 2);
    assert.deepEqual(sent, [
      ['open', 79_999],
      ['open', 0],
    ]);
    channel.emit(searched, state(3, { search: 2, text: 'note:yes', traces: 3 }));
    await page.getByText('3 traces', { exact: true }).waitFor();
    await eventually(async () => assert.equal(await page.locator('.virtual-row').count(), 3));
  });

  it('marks in the field what cannot be read, and searches for what can', async () => {
    const { page, sent, field } = await opened(state(0));
    await eventually(async () => assert.equal(await field.inputValue(), 'verdict:fail timeout'));
    await page.getByText('No trace or task matches.').waitFor();
    await field.fill('timeout verdct:fail');
    await field.press('Enter');
    await page.getByRole('alert').getByText('There is no field "verdct". Did you mean "verdict"?').waitFor();
    await eventually(async () => assert.equal(await field.getAttribute('aria-invalid'), 'true'));
    await eventually(async () => {
      const mark = await page.locator('.query-mark').boundingBox();
      const typed = await field.boundingBox();
      assert.ok(mark !== null && typed !== null);
      // Eleven of the field's letters wide, beginning at the eighth.
      const letter = mark.width / 11;
      assert.ok(Math.abs(mark.x - typed.x - 9 - 8 * letter) < 1, `${mark.x - typed.x} ${letter}`);
    });
    await field.press('End');
    await field.fill('timeout verdict:fail');
    await eventually(async () => assert.equal(await page.getByRole('alert').count(), 0));
    await field.press('Enter');
    await until('both', () => sent.length === 2);
    assert.deepEqual(sent, [
      ['search', 'timeout verdct:fail'],
      ['search', 'timeout verdict:fail'],
    ]);
  });

  it('shows how far a search has come, can stop it, and says what failed', async () => {
    const { page, sent, channel } = await opened(state(12, { share: 0.4 }));
    await eventually(async () =>
      assert.equal(await page.getByRole('progressbar', { name: 'Searching' }).getAttribute('value'), '0.4'),
    );
    await page.getByRole('button', { name: 'Stop the search' }).click();
    await until('the stop', () => sent.length === 1);
    assert.deepEqual(sent, [['stop']]);
    channel.emit(searched, state(12, { stopped: true }));
    await page.getByText('12 traces · stopped').waitFor();
    await eventually(async () => assert.equal(await page.getByRole('progressbar').count(), 0));
    channel.emit(searched, state(12, { failure: 'traces.jsonl: cannot read.' }));
    await page.getByRole('alert').getByText('The search failed: traces.jsonl: cannot read.').waitFor();
  });

  it('is drawn in each theme', async () => {
    const { page, field } = await opened(state(500, { share: 0.62, traces: 431, tasks: 69 }), { width: 900 });
    await page.locator('mark').first().waitFor();
    await field.fill('timeout verdct:fail');
    await field.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.locator('.virtual-row').nth(2).click();
    await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
      await page.screenshot({ path: join(screenshots, `search-${theme}.png`) });
    });
  });
});
