/** A task as a person plays it. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { act, call, draft, send, shown, type PlayView } from '../../src/features/play/contract.ts';
import { eventually, until } from '../support/until.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { themeNames } from '../support/webviews/themes.ts';
import { asking, ended } from '../support/webviews/samples/play.ts';

describe('the page on which a person plays a task', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function opened(view: PlayView, over: Parameters<typeof suite.open>[2] = {}) {
    const one = await suite.open('play', (channel) => channel.emit(shown, view), over);
    const sent: string[] = [];
    const drafts: string[] = [];
    const acts: string[] = [];
    one.channel.handle(send, ({ text }) => {
      sent.push(text);
      return Promise.resolve(null);
    });
    one.channel.on(draft, ({ text }) => void drafts.push(text));
    one.channel.handle(act, ({ what }) => {
      acts.push(what);
      return Promise.resolve(null);
    });
    one.channel.handle(call, ({ tool, fields, draft: said }) =>
      Promise.resolve({ text: `${said}|${tool} ${JSON.stringify(fields)}` }),
    );
    await one.page.getByRole('heading', { name: 'Play e3.f2.v1' }).waitFor();
    return { ...one, sent, drafts, acts, text: one.page.getByLabel('Your turn, as the agent would write it') };
  }

  it('shows what the agent reads, keeps what is written, and sends it by keyboard', async () => {
    const { page, channel, sent, drafts, text } = await opened(asking);
    await eventually(async () => assert.equal(await page.locator('.turn').count(), 5));
    await text.fill('second inc');
    await until('the draft', () => drafts.at(-1) === 'second inc');
    // News of the same turn leaves the text as it is.
    channel.emit(shown, { ...asking, draft: 'older' });
    await text.press('Control+Enter');
    await until('the turn', () => sent[0] === 'second inc');
    channel.emit(shown, {
      ...asking,
      state: 'working',
      said: [...asking.said, { speaker: 'anna', text: 'x', own: true }],
    });
    await eventually(async () => assert.equal(await text.isDisabled(), true));
    channel.emit(shown, { ...asking, turn: 3 });
    await eventually(async () => assert.equal(await text.inputValue(), ''));
  });

  it('writes a call from the fields of a tool', async () => {
    const { page, drafts, text } = await opened(asking);
    await page.getByLabel('Tool', { exact: true }).selectOption('f1');
    await page.getByLabel('item').selectOption('milk');
    await page.getByLabel('value').fill('3');
    await page.getByRole('button', { name: 'Add Call to the Turn' }).click();
    const written = '|f1 {"item":"milk","value":"3","note":""}';
    await eventually(async () => assert.equal(await text.inputValue(), written));
    await until('the draft', () => drafts.at(-1) === written);
  });

  it('ends with the verdict, the gold and what to do next', async () => {
    const { page, channel, acts } = await opened(asking);
    channel.emit(shown, ended);
    await page.getByRole('heading', { name: 'Not solved · reward 0.50' }).waitFor();
    await eventually(async () =>
      assert.match((await page.locator('.end').textContent()) ?? '', /second increase f1 milk 3/),
    );
    await eventually(async () => assert.equal(await page.locator('textarea').isVisible(), false));
    for (const name of ['Open Attempt', 'Compare with…', 'Play Again', 'Open Task'])
      await page.getByRole('button', { name }).click();
    await until('all', () => acts.join() === 'open,compare,again,task');
  });

  for (const width of [900, 1440]) {
    it(`fits ${width} px in every theme`, async () => {
      const { page } = await opened(width === 900 ? asking : ended, { width });
      await inThemes(page, themeNames, async (theme) => {
        await page.screenshot({ path: join(screenshots, `play-${theme}-${width}.png`) });
        await eventually(async () => {
          assert.ok(
            await page.evaluate<boolean>(
              'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
            ),
          );
        });
      });
    });
  }
});
