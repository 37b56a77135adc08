/** The checklist as a person meets it. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
  again,
  cancel,
  checkIds,
  open,
  show,
  start,
  type Check,
  type PreflightView,
} from '../../src/features/preflight/contract.ts';
import { pressAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { checks, failed } from '../support/webviews/samples/preflight.ts';

describe('the checklist before a run', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  interface Sent {
    starts: number;
    agains: number;
    cancels: number;
    opened: { file: string; line: number; column: number }[];
  }

  async function shown(view: Partial<PreflightView>) {
    const sent: Sent = { starts: 0, agains: 0, cancels: 0, opened: [] };
    const full: PreflightView = {
      uri: 'file:///home/someone/project/demo/embedded.genenv.json',
      file: 'demo/embedded.genenv.json',
      status: 'ready',
      checks: checks(),
      ...view,
    };
    const one = await suite.open('preflight', (channel) => channel.emit(show, full));
    one.channel.on(start, () => void (sent.starts += 1));
    one.channel.on(again, () => void (sent.agains += 1));
    one.channel.on(cancel, () => void (sent.cancels += 1));
    one.channel.on(open, (place) => void sent.opened.push(place));
    await one.page.locator('.check').first().waitFor();
    const button = (name: string) => one.page.getByRole('button', { name, exact: true });
    return { ...one, full, sent, button };
  }

  it('offers the start when everything passed, by keyboard', async () => {
    const { page, sent } = await shown({});
    await eventually(async () => {
      assert.equal(await page.locator('.check-passed').count(), checkIds.length);
      assert.match((await page.getByRole('status').textContent()) ?? '', /Everything passed/);
    });
    await page.locator('body').press('Tab');
    await eventually(async () => assert.equal(await page.locator(':focus').textContent(), 'Start Run'));
    await pressAt(page.getByRole('button', { name: 'Start Run' }), 'Enter');
    await until('a start', () => sent.starts === 1);
    await page.screenshot({ path: join(screenshots, 'preflight-dark-ready.png') });
  });

  it('shows checks as they go, and can be cancelled', async () => {
    const going = checks({ endpoints: { state: 'running', message: '' } }).map((check, i): Check =>
      i > 3 ? { ...check, state: 'waiting', message: '' } : check,
    );
    const { page, button, sent, channel, full } = await shown({ status: 'checking', checks: going });
    await eventually(async () => {
      assert.equal(await page.locator('.check-running').getAttribute('data-check'), 'endpoints');
      assert.ok(await button('Start Run').isDisabled());
      assert.ok(await button('Check Again').isHidden());
    });
    await button('Cancel').focus();
    await pressAt(button('Cancel'), 'Enter');
    await until('the cancelling', () => sent.cancels === 1);
    channel.emit(show, { ...full, status: 'stopped', checks: going });
    await button('Check Again').waitFor();
    await eventually(async () =>
      assert.equal(await page.locator(':focus').textContent(), 'Check Again', 'the focus stays in its place'),
    );
  });

  it('says what failed, what to do, and leads to the field', async () => {
    const skipped: Partial<Check> = { state: 'skipped', message: 'Needs an experiment that can be read.' };
    const rest = Object.fromEntries(checkIds.slice(1).map((id) => [id, skipped]));
    const { page, button, sent } = await shown({
      status: 'blocked',
      checks: checks({ ...rest, experiment: failed }),
    });
    await eventually(async () => assert.ok(await button('Start Run').isDisabled()));
    const item = page.locator('.check-failed');
    await eventually(async () =>
      assert.match((await item.textContent()) ?? '', /curriculum\.alpha.* is 2.*Leave it out/s),
    );
    await item.getByRole('button', { name: 'embedded.genenv.json:3' }).click();
    await until('the file to be opened', () => sent.opened.length === 1);
    assert.deepEqual(sent.opened[0], { file: '/home/someone/project/demo/embedded.genenv.json', line: 3, column: 28 });
    await button('Check Again').click();
    await until('another check', () => sent.agains === 1);
    await page.screenshot({ path: join(screenshots, 'preflight-dark-failed.png') });
  });

  it('warns and starts anyway', async () => {
    const { button, sent } = await shown({
      checks: checks({ disk: { state: 'warned', message: '1.0 GB free.', findings: [] } }),
    });
    await button('Start Anyway').click();
    await until('a start', () => sent.starts === 1);
  });

  it('keeps which experiment it is about, and says after a reload that it knows nothing', async () => {
    const idle = checks().map((check): Check => ({ ...check, state: 'waiting', message: '' }));
    const { page, full, state } = await shown({ status: 'stale', checks: idle });
    assert.deepEqual(state(), { uri: full.uri });
    await eventually(async () => {
      assert.match((await page.getByRole('status').textContent()) ?? '', /reloaded.*Check again/s);
      assert.ok(await page.getByRole('button', { name: 'Start Run' }).isDisabled());
    });
  });

  it('is drawn in the colours of each theme', async () => {
    const { page } = await shown({
      status: 'blocked',
      checks: checks({
        experiment: failed,
        disk: { state: 'warned', message: '1.0 GB free.' },
        trial: { state: 'skipped', message: 'Needs both endpoints.' },
      }),
    });
    await inThemes(page, ['light', 'high-contrast'], async (theme) => {
      await page.screenshot({ path: join(screenshots, `preflight-${theme}.png`) });
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.equal(overflow, 0);
    });
  });
});
