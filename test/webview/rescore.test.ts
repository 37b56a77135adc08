/** A run under another reward as a person meets it. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as z from 'zod';
import {
  openFault,
  openRescoreRow,
  rescoreAct,
  rescored,
  rescoreRows,
  saveRescore,
  type RescoreState,
} from '../../src/features/rescore/contract/page.ts';
import { pressAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { flip, moved, turned, family, state, applied } from '../support/webviews/samples/rescore.ts';

describe('a run under another reward', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function opened(first: RescoreState, view: { width?: number; height?: number } = {}) {
    const sent: unknown[] = [];
    const note = (what: unknown): null => {
      sent.push(what);
      return null;
    };
    const one = await suite.open(
      'rescore',
      (channel) => {
        channel.handle(rescoreRows, ({ view: of, from, to }) => {
          const last = Math.min(to, first.result?.rows[of] ?? 0);
          const rows = Array.from({ length: Math.max(0, last - from) }, (_, i) => from + i);
          return rows.map(of === 'families' ? family : of === 'moved' ? moved : of === 'turned' ? turned : flip);
        });
        channel.handle(openRescoreRow, ({ view: of, row }) => note(['row', of, row]));
        channel.handle(openFault, ({ fault, what }) => note(['fault', fault, what]));
        channel.handle(rescoreAct, ({ act }) => note(act));
        channel.handle(saveRescore, ({ name, kind, text }) => {
          note([name, kind, text]);
          return true;
        });
        channel.emit(rescored, first);
      },
      view,
    );
    await one.page.getByRole('heading', { level: 1 }).getByText('“embedded demo” under mine.reward.ts').waitFor();
    const told = async (count: number): Promise<unknown[]> => {
      await until(`${count} calls`, () => sent.length >= count);
      return sent;
    };
    return { ...one, told };
  }

  it('says what flips and what would follow, as sentences, figures, and charts with their tables', async () => {
    const { page, told } = await opened(state());
    await page
      .getByText('80,000 of 160,000 attempts flip: 40,000 to solved, 20,000 to not solved, 20,000 to not judged')
      .waitFor();
    const figures = page.getByRole('region', { name: 'Recorded and rescored' });
    const row = (name: string) => figures.getByRole('row', { name }).innerText();
    await eventually(async () => {
      assert.deepEqual((await row('solved 40,000')).split('\t'), ['solved', '40,000', '60,000']);
      assert.deepEqual((await row('p̂ of families')).split('\t'), [
        'p̂ of families',
        '0.25 [0.18–0.33]',
        '0.45 [0.36–0.55]',
      ]);
      assert.deepEqual((await row('p̂ of validation')).split('\t'), ['p̂ of validation', '–', '–']);
    });
    await page.getByText('GRPO: 9 of 96 advantages change sign, 20 come up, 4 vanish; they move by 0.42').waitFor();
    await page.getByText('RWR: 31 % of the weight goes to other families; effective sample size 5.5 → 6.3').waitFor();
    const chart = page.locator('#success-rate');
    await eventually(async () => assert.equal(await chart.locator('.series').count(), 2));
    await chart.getByRole('button', { name: 'Show as table (t)' }).click();
    await eventually(async () =>
      assert.equal(await chart.getByRole('row', { name: '4 0.50 [0.35–0.65] 0.65 [0.50–0.78]' }).count(), 1),
    );
    await chart.getByRole('button', { name: 'Save as CSV' }).click();
    const [[name, kind, text] = []] = z.array(z.tuple([z.string(), z.string(), z.string()])).parse(await told(1));
    assert.deepEqual([name, kind, text?.split('\r\n')[0]], ['success-rate', 'csv', 'Epoch,Recorded,Rescored']);
  });

  it('lists any number of flips, those of one kind, and families, each opened by key', async () => {
    const { page, told } = await opened(state());
    const grid = page.getByRole('grid', { name: 'What changes' });
    await page.getByRole('row', { name: 'e1/e1.f0.v0/r1, not solved → solved, 0.10 → 1.00' }).waitFor();
    await eventually(async () => {
      assert.equal(await grid.getAttribute('aria-rowcount'), '80000');
      assert.ok((await page.locator('.virtual-row').count()) < 80);
    });
    await page
      .getByRole('row', { name: /f1\.v0\/r1, not solved → not judged, 0\.10 → –, no calls in the answer/ })
      .waitFor();
    await page.locator('.virtual-row').first().focus();
    await pressAt(page.locator('.virtual-row'), 'End');
    await page.getByRole('row', { name: /f79999/ }).waitFor();
    await pressAt(page.getByRole('row', { name: /f79999/ }), 'Enter');
    const families = page.getByRole('button', { name: 'Families at the band 2' });
    await families.click();
    await eventually(async () => assert.equal(await families.getAttribute('aria-pressed'), 'true'));
    await page.getByRole('row', { name: 'e1.f0, enters the band, p̂ 0.10 → 0.50, epoch 1' }).waitFor();
    await page.getByRole('row', { name: 'e1.f1, leaves the band, p̂ 0.50 → –, epoch 1' }).dblclick();
    await eventually(async () =>
      assert.deepEqual(await told(2), [
        ['row', 'flips', 79_999],
        ['row', 'families', 1],
      ]),
    );
  });

  it('lists other rewards without a flip, the largest move first, and advantages with the other sign', async () => {
    const { page } = await opened(state(), { width: 900 });
    await page.getByRole('button', { name: 'Largest moves 12' }).click();
    await page.getByRole('row', { name: 'e2/e2.f0.v0/r1, still solved, 1.00 → 0.40, too long' }).waitFor();
    await page.screenshot({ path: join(screenshots, 'rescore-moved-900.png'), fullPage: true });
    await page.getByRole('button', { name: 'Advantages that turn 9' }).click();
    await page.getByRole('row', { name: 'e3/e3.f0.v0/r2, still not solved, advantage +0.40 → −1.20' }).waitFor();
    await page.screenshot({ path: join(screenshots, 'rescore-turned-900.png'), fullPage: true });
  });

  it('leads from a failure to its line and its first attempt, and shows the stack', async () => {
    const { page, told } = await opened(state());
    const faults = page.getByRole('region', { name: 'Where the reward failed, at 20,000 attempts' });
    await faults.getByRole('button', { name: 'mine.reward.ts:7:11' }).click();
    await faults.getByRole('button', { name: 'e2/e2.f3.v0/r0' }).click();
    await faults.getByText('Stack').click();
    await faults.getByText('at reward (mine.reward.ts:7:11)').waitFor();
    await eventually(async () =>
      assert.deepEqual(await told(2), [
        ['fault', 0, 'line'],
        ['fault', 1, 'trace'],
      ]),
    );
  });

  it('offers what comes next: scored again once the reward was saved, applied, continued with, taken back', async () => {
    const { page, channel, told } = await opened(state());
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await eventually(async () => assert.equal(await button('Take Back').count(), 0));
    await button('Apply to Run…').click();
    channel.emit(rescored, state({ appliedAs: '1', applied }));
    await page
      .getByText('These verdicts are in effect for the run as rescoring 1: 160,000 attempts, applied by ada')
      .waitFor();
    await eventually(async () => assert.equal(await button('Apply to Run…').isDisabled(), true));
    await button('Take Back').click();
    await button('Continue with This Reward…').click();
    channel.emit(rescored, state({ stale: true, applied }));
    await page.getByText('mine.reward.ts was saved since').waitFor();
    await page.getByText('Verdicts of mine.reward.ts are in effect for the run as rescoring 1').waitFor();
    await button('Score Again').click();
    channel.emit(rescored, state({ share: 0.5, stale: true }));
    await page.getByRole('progressbar', { name: 'Scoring' }).waitFor();
    await eventually(async () => assert.equal(await button('Apply to Run…').isDisabled(), true));
    await button('Stop').click();
    await eventually(async () => assert.deepEqual(await told(5), ['apply', 'takeBack', 'branch', 'again', 'stop']));
    // A failed load is reported, and the earlier result stays.
    channel.emit(rescored, state({ failure: 'mine.reward.ts: Unexpected end of input' }));
    await page.getByRole('alert').getByText('Unexpected end of input').waitFor();
    await page.getByText('80,000 of 160,000 attempts flip').waitFor();
  });

  it('begins empty after a reload, and says so', async () => {
    const { page } = await opened(state({ result: null }));
    await page.getByText('Nothing scored since the window was loaded.').waitFor();
    await eventually(async () => assert.equal(await page.getByRole('grid').count(), 0));
  });

  it('looks right in each theme', async () => {
    const { page } = await opened(state({ applied, appliedAs: '1' }), { width: 1200, height: 1000 });
    await page.getByRole('row', { name: /f0\.v0/ }).waitFor();
    await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
      await page.screenshot({ path: join(screenshots, `rescore-${theme}.png`), fullPage: true });
    });
  });
});
