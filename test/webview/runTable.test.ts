/** The table of runs as a person meets it. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import {
  compareRuns,
  deleteRuns,
  labelRuns,
  openRun,
  runsChanged,
  runsShown,
  runsWanted,
  saveTable,
  type RunRow,
} from '../../src/features/runTable/contract.ts';
import type { Channel } from '../../src/shared/rpc/channel.ts';
import { pressAt, typeAt } from '../support/focus.ts';
import { eventually } from '../support/until.ts';
import { atWidths } from '../support/webviews/atWidths.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { row, rows } from '../support/webviews/samples/runTable.ts';

describe('The table of runs', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function opened(shown: readonly RunRow[], view: { width?: number; height?: number } = {}) {
    const asked: unknown[] = [];
    const host: { channel: Channel | null } = { channel: null };
    const note = (name: string) => (params: unknown) => {
      asked.push([name, params]);
      return null;
    };
    const { page, state } = await suite.open(
      'runTable',
      (channel) => {
        host.channel = channel;
        channel.handle(labelRuns, note('label'));
        channel.handle(openRun, note('open'));
        channel.handle(compareRuns, note('compare'));
        channel.handle(deleteRuns, note('delete'));
        channel.handle(saveTable, note('save'));
        channel.emit(runsShown, { rows: [...shown] });
      },
      view,
    );
    await page.locator('.virtual-row').first().waitFor();
    const names = (): Promise<string[]> => page.locator('.cell-name .name').allInnerTexts();
    return { page, state, asked, host, names };
  }

  it('sorts by a column, pinned runs first, and filters by text, state, tag and archive', async () => {
    const { page, names } = await opened(rows(30), { height: 1100 });
    await eventually(async () => assert.equal((await names())[0], 'α 0.6 · seed 3'));
    await eventually(async () => assert.ok(!(await names()).includes('α 0.5 · seed 7'), 'archived runs are not shown'));
    await page.getByRole('button', { name: 'Rollouts' }).click();
    await eventually(async () => assert.deepEqual((await names()).slice(1, 3), ['α 0.7 · seed 29', 'α 0.6 · seed 28']));
    await page.getByRole('button', { name: 'Rollouts' }).click();
    await eventually(async () => assert.deepEqual((await names()).slice(1, 3), ['α 0.3 · seed 0', 'α 0.4 · seed 1']));
    await eventually(async () =>
      assert.equal(await page.locator('[role=columnheader][aria-sort=ascending]').innerText(), 'Rollouts'),
    );
    await page.getByLabel('Filter runs').fill('#paper α');
    await eventually(async () => assert.equal(await page.locator('.count').innerText(), '5 of 29 runs'));
    await page.getByLabel('State', { exact: true }).selectOption('running');
    await eventually(async () => assert.equal(await page.locator('.count').innerText(), '5 of 29 runs'));
    await page.getByLabel('State', { exact: true }).selectOption('failed');
    await page.getByText('No run matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the Filter' }).click();
    await page.getByLabel('Archived').check();
    await eventually(async () => assert.equal(await page.locator('.count').innerText(), '30 runs'));
    await page.getByLabel('Tag', { exact: true }).selectOption('good');
    await eventually(async () => assert.equal(await page.locator('.count').innerText(), '5 of 30 runs'));
  });

  it('has the time left while a run has some, and no such column once all are over', async () => {
    const [finished, other] = [5, 11].map((i) => row(i));
    assert.deepEqual([finished?.state, other?.state], ['finished', 'finished']);
    assert.ok(finished !== undefined && other !== undefined);
    const head = (page: Page) => page.getByRole('columnheader', { name: 'Time left' });
    const { page, host } = await opened([finished, other]);
    await page.getByRole('columnheader', { name: 'Rollouts' }).waitFor();
    await eventually(async () => assert.equal(await head(page).count(), 0));
    host.channel?.emit(runsShown, { rows: [finished, row(0)] });
    await head(page).waitFor();
    host.channel?.emit(runsShown, { rows: [finished, other] });
    await eventually(async () => assert.equal(await head(page).count(), 0));
  });

  it('draws branches below what they branch off, and groups by study, arm and seed', async () => {
    const { page, names, host, state } = await opened(rows(16), { height: 1100 });
    const at = await names();
    const place = at.indexOf('α 0.6 · seed 8');
    assert.deepEqual(at.slice(place, place + 4), [
      'α 0.6 · seed 8',
      'α 0.7 · seed 9',
      'α 0.4 · seed 11',
      'α 0.3 · seed 10',
    ]);
    await eventually(async () => assert.equal(await page.locator('.rail-own').count(), 3));
    await eventually(async () =>
      assert.match(
        (await page.locator('.virtual-row', { hasText: 'seed 11' }).getAttribute('aria-label')) ?? '',
        /branch from epoch 20/,
      ),
    );
    await page.getByLabel('Group').selectOption('arm');
    await eventually(async () =>
      assert.deepEqual(await page.locator('.cell-group .name').allInnerTexts(), [
        'Curricula · genenv',
        'Curricula · random',
        'None',
      ]),
    );
    await page.getByLabel('Group').selectOption('seed');
    await eventually(async () => assert.equal(await page.locator('.cell-group').count(), 8));
    host.channel?.emit(runsWanted, { study: 'Curricula' });
    await eventually(async () => assert.equal(await page.locator('.count').innerText(), '4 of 15 runs'));
    await eventually(async () =>
      assert.deepEqual(await Promise.resolve(state()), {
        ...{ text: '', state: null, tag: null, study: 'Curricula', archived: false, group: 'arm' },
        ...{ sort: 'started', descending: true, at: null },
      }),
    );
  });

  it('is a grid that a keyboard and a screen reader go through, 1,000 runs without waiting', async () => {
    const { page, asked, names, host } = await opened(rows(1000), { height: 900 });
    const grid = page.getByRole('grid', { name: 'Runs' });
    await eventually(async () => assert.equal(await grid.getAttribute('aria-rowcount'), '1000'));
    await eventually(async () => assert.equal(await grid.getAttribute('aria-multiselectable'), 'true'));
    await eventually(async () =>
      assert.ok((await page.locator('.virtual-row').count()) < 80, 'only rows in sight are in the page'),
    );
    const first = page.locator('.virtual-row').first();
    await eventually(async () => assert.equal(await first.getAttribute('aria-rowindex'), '2'));
    await eventually(async () => assert.ok((await first.getByRole('gridcell').count()) >= 6));
    await eventually(async () => assert.equal(await first.getByRole('rowheader').count(), 1));
    await first.focus();
    // Against a short table, as others share this machine; none of the work waits for a frame.
    const median = async (): Promise<number> =>
      z.number().parse(
        await page.evaluate(`
          const times = [];
          for (let i = 0; i < 61; i++) {
            const key = i % 10 === 9 ? 'PageDown' : 'ArrowDown';
            const began = performance.now();
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
            times.push(performance.now() - began);
          }
          times.sort((a, b) => a - b)[30]`),
      );
    const long = await median();
    host.channel?.emit(runsShown, { rows: rows(60) });
    await eventually(async () => assert.equal(await grid.getAttribute('aria-rowcount'), '60'));
    await first.focus();
    const short = await median();
    assert.ok(long < 4 * short + 20, `a key took ${long} ms among 1,000 runs and ${short} ms among 60`);
    host.channel?.emit(runsShown, { rows: rows(1000) });
    await eventually(async () => assert.equal(await grid.getAttribute('aria-rowcount'), '1000'));
    await first.focus();
    await pressAt(page.locator('.virtual-row'), 'End');
    await eventually(async () => assert.equal((await names()).at(-1), 'α 0.3 · seed 0'));
    await pressAt(page.locator('.virtual-row'), 'Enter');
    await eventually(async () => assert.deepEqual(await Promise.resolve(asked), [['open', { run: '/runs/r0' }]]));
    await pressAt(page.locator('.virtual-row'), 'ArrowUp');
    await pressAt(page.locator('.virtual-row'), 'Shift+ArrowUp');
    await page.getByText('2 runs selected').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await eventually(async () =>
      assert.deepEqual(await Promise.resolve(asked.at(-1)), ['compare', { runs: ['/runs/r2', '/runs/r1'] }]),
    );
    await page.locator('.virtual-row[tabindex="0"]').focus();
    await pressAt(page.locator('.virtual-row'), 'Control+a');
    await page.getByText('999 runs selected').waitFor();
    await eventually(async () => assert.ok(await page.getByRole('button', { name: 'Compare' }).isDisabled()));
  });

  it('renames in place, tags, notes, pins, archives, exports and deletes', async () => {
    const { page, asked, host, names } = await opened(rows(6));
    const last = async (): Promise<unknown> => Promise.resolve(asked.at(-1));
    await page.locator('.virtual-row', { hasText: 'seed 4' }).click();
    await pressAt(page.locator('.virtual-row'), 'F2');
    const input = page.getByRole('textbox', { name: 'Name' });
    await input.fill('the good one');
    // Updates meanwhile do not remove the name.
    host.channel?.emit(runsChanged, { rows: [row(4, { note: 'new' })], gone: [] });
    await eventually(async () => assert.equal(await input.inputValue(), 'the good one'));
    await pressAt(input, 'Enter');
    await eventually(async () =>
      assert.deepEqual(await last(), ['label', { runs: ['/runs/r4'], change: { name: 'the good one' } }]),
    );
    host.channel?.emit(runsChanged, { rows: [row(4, { name: 'the good one' })], gone: ['/runs/r5'] });
    await eventually(async () => assert.ok((await names()).includes('the good one')));
    await eventually(async () => assert.equal((await names()).length, 5));
    await pressAt(page.locator('.virtual-row'), 'F2');
    await typeAt(input, 'other');
    await pressAt(input, 'Escape');
    assert.equal(asked.length, 1);
    await pressAt(page.locator('.virtual-row'), 't');
    await typeAt(page.getByRole('textbox', { name: 'Tags' }), 'good, #new');
    await pressAt(page.getByRole('textbox', { name: 'Tags' }), 'Enter');
    await eventually(async () =>
      assert.deepEqual(await last(), [
        'label',
        { runs: ['/runs/r4'], change: { addTags: ['good', 'new'], removeTags: [] } },
      ]),
    );
    await page.getByRole('textbox', { name: 'Note' }).fill('collapsed at 12\nsee chart');
    await page.getByRole('textbox', { name: 'Tags' }).focus();
    await eventually(async () =>
      assert.deepEqual(await last(), ['label', { runs: ['/runs/r4'], change: { note: 'collapsed at 12\nsee chart' } }]),
    );
    await page.locator('.virtual-row', { hasText: 'seed 1' }).click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: 'Pin' }).click();
    await eventually(async () =>
      assert.deepEqual(await last(), ['label', { runs: ['/runs/r4', '/runs/r1'], change: { pinned: true } }]),
    );
    await page.getByRole('button', { name: 'Archive' }).click();
    await eventually(async () =>
      assert.deepEqual(await last(), ['label', { runs: ['/runs/r4', '/runs/r1'], change: { archived: true } }]),
    );
    await page.getByRole('button', { name: 'Export as CSV…' }).click();
    await eventually(async () =>
      assert.match(JSON.stringify(await last()), /^\["save",\{"name":"runs","text":"run,id,/),
    );
    await page.getByRole('button', { name: 'Delete…' }).click();
    await eventually(async () => assert.deepEqual(await last(), ['delete', { runs: ['/runs/r4', '/runs/r1'] }]));
  });

  it('says what went wrong', async () => {
    const { page } = await suite.open('runTable', (channel) => {
      channel.handle(labelRuns, () => {
        throw Object.assign(new Error('The disk is full.'), { remedy: 'Make room.' });
      });
      channel.emit(runsShown, { rows: rows(3) });
    });
    await page.locator('.virtual-row').first().click();
    await page.getByRole('button', { name: 'Pin' }).click();
    await page.getByRole('alert').getByText('The disk is full. Make room.').waitFor();
  });

  it('keeps its place at 600, 900 and 1440 px in each theme', async () => {
    const priced = rows(24).map((one, i) => ({ ...one, figures: one.figures && { ...one.figures, cost: i / 10 } }));
    const { page } = await opened(priced, { width: 600, height: 760 });
    await page.locator('.virtual-row').nth(2).click();
    await page
      .locator('.virtual-row')
      .nth(4)
      .click({ modifiers: ['Control'] });
    await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
      await atWidths(page, [600, 900, 1440], async (width) => {
        await eventually(async () =>
          assert.ok(
            await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
            'no sideways scroll',
          ),
        );
        await page.screenshot({ path: join(screenshots, `runTable-${theme}-${width}.png`) });
      });
    });
  });
});
