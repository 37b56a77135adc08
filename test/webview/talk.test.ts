/** A conversation with two checkpoints. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { say, settings, shown, type TalkSettings, type TalkView } from '../../src/features/talk/contract.ts';
import { eventually, until } from '../support/until.ts';
import { atWidths } from '../support/webviews/atWidths.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { themeNames } from '../support/webviews/themes.ts';
import { talking } from '../support/webviews/samples/talk.ts';

describe('the page of a conversation with checkpoints', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function opened(view: TalkView, over: Parameters<typeof suite.open>[2] = {}) {
    const one = await suite.open('talk', (channel) => channel.emit(shown, view), over);
    const said: (string | null)[] = [];
    const set: TalkSettings[] = [];
    one.channel.handle(say, ({ text }) => {
      said.push(text);
      return Promise.resolve(null);
    });
    one.channel.handle(settings, (changed) => {
      set.push(changed);
      return Promise.resolve(null);
    });
    await one.page.getByRole('heading', { name: 'Talk about e3.f2.v1' }).waitFor();
    return { ...one, said, set, text: one.page.getByLabel('Your message') };
  }

  it('has a column a version, and empties what is written once it is answered', async () => {
    const { page, channel, said, text } = await opened(talking);
    await eventually(async () => assert.equal(await page.locator('.columns').count(), 2));
    await eventually(async () =>
      assert.match(
        (await page.locator('.columns').last().textContent()) ?? '',
        /milk 3.*agent@0 gave no answer\.The answer was cut off\./,
      ),
    );
    await text.fill('third');
    await text.press('Control+Enter');
    await until('the message', () => said[0] === 'third');
    channel.emit(shown, { ...talking, state: 'answering' });
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await eventually(async () => assert.equal(await text.inputValue(), 'third'));
    channel.emit(shown, { ...talking, exchanges: [...talking.exchanges, ...talking.exchanges.slice(1)] });
    await eventually(async () => assert.equal(await text.inputValue(), ''));
  });

  it('keeps the buttons in sight when an answer or a verdict makes it longer', async () => {
    const unjudged = talking.exchanges.map((one) => ({
      ...one,
      answers: one.answers.map((answer) => ({ ...answer, verdict: null })),
    }));
    const { page, channel } = await opened({ ...talking, exchanges: unjudged }, { height: 420 });
    const inSight = async (): Promise<void> => {
      const box = await page.getByRole('button', { name: 'Judge' }).boundingBox();
      assert.ok(box !== null && box.y + box.height <= 420, 'the button is in sight');
    };
    await eventually(inSight);
    channel.emit(shown, talking);
    await page.getByRole('note', { name: 'Verdict' }).waitFor();
    await eventually(inSight);
  });

  it('changes versions and sampling for the next answers', async () => {
    const { page, set } = await opened(talking);
    await page.getByLabel('Beside it').selectOption('none');
    await until('one version', () => set[0]?.policies.join() === 'agent@12');
    await page.getByLabel('Temperature').fill('0.5');
    await page.getByLabel('Temperature').press('Tab');
    await until('the temperature', () => set.at(-1)?.temperature === 0.5);
  });

  it('puts an emptied number back to the one in force, and sends nothing', async () => {
    const { page, channel, set } = await opened(talking);
    for (const [label, value] of [
      ['Temperature', '1'],
      ['Longest answer (tokens)', '96'],
      ['Seed', '0'],
    ] as const) {
      const field = page.getByLabel(label);
      await field.fill('');
      // It stays empty while a person is about to type.
      channel.emit(shown, talking);
      await field.press('Tab');
      await eventually(async () => assert.equal(await field.inputValue(), value));
    }
    assert.deepEqual(set, []);
    await page.getByLabel('Seed').fill('7');
    await page.getByLabel('Seed').press('Enter');
    await until('the seed', () => set.length > 0);
    assert.deepEqual(set, [{ policies: ['agent@12', 'agent@0'], temperature: 1, maxTokens: 96, seed: 7 }]);
  });

  it('answers the task’s prompt first, and says why nothing runs', async () => {
    const { page, channel, said } = await opened({ ...talking, exchanges: [], state: 'prompt' });
    await page.getByRole('button', { name: 'Answer the Prompt' }).click();
    await until('the prompt', () => said[0] === null && said.length === 1);
    channel.emit(shown, { ...talking, state: 'blocked', trouble: 'Trust this folder to talk.' });
    await eventually(async () =>
      assert.match((await page.getByRole('alert').textContent()) ?? '', /Trust this folder/),
    );
    await eventually(async () => assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true));
  });

  it('fits 1440 and 900 px in every theme', async () => {
    const { page } = await opened(talking);
    await inThemes(page, themeNames, async (theme) => {
      await atWidths(page, [1440, 900], async (width) => {
        await page.screenshot({ path: join(screenshots, `talk-${theme}-${width}.png`) });
        await eventually(async () => {
          const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
          assert.ok(await page.evaluate<boolean>(fits));
        });
      });
    });
  });
});
