/** An attempt's tokens in colours and as a table. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openTrace, shown, showVersion, type ShownTokens } from '../../src/features/tokens/contract.ts';
import { pressAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { atWidths } from '../support/webviews/atWidths.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { contrast } from '../support/colourScience.ts';
import { tokens, unknownTokens } from '../support/webviews/samples/tokens.ts';
import { themeNames } from '../support/webviews/themes.ts';

describe('the tokens of an attempt', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function opened(first: ShownTokens, view: { width?: number; state?: unknown } = {}) {
    const sent: unknown[] = [];
    const note = (what: unknown): null => {
      sent.push(what);
      return null;
    };
    const one = await suite.open(
      'tokens',
      (channel) => {
        channel.handle(openTrace, () => note(['open']));
        channel.handle(showVersion, ({ version }) => note(['version', version]));
        channel.emit(shown, first);
      },
      view,
    );
    await one.page.getByRole('heading', { level: 1 }).waitFor();
    const { page } = one;
    return {
      ...{ ...one, sent },
      token: (at: number) => page.locator('.token').nth(at),
      measure: page.getByRole('combobox', { name: 'Coloured by' }),
      details: page.getByRole('status'),
    };
  }

  it('are the text, darker where the agent was surprised; hover and focus tell the numbers', async () => {
    const { page, token, details } = await opened(tokens());
    await page.getByText('sampled by agent@2 · 28 tokens · solved, reward 1.00 · of “embedded demo”').waitFor();
    await eventually(async () => assert.equal(await page.locator('.token').count(), 28));
    const colour = (at: number) =>
      page.evaluate<string>(`document.querySelectorAll('.token')[${at}].style.backgroundColor`);
    await eventually(async () => assert.notEqual(await colour(8), await colour(0), 'a surprise has its own colour'));
    await token(8).hover();
    await eventually(async () =>
      assert.equal(
        await details.innerText(),
        'milk · log-probability −2.600 · probability 0.07 · entropy 0.850 · under agent@3 −2.228 · ratio 1.450 · advantage +1.50 · clipped above',
      ),
    );
    await token(0).focus();
    await pressAt(page.locator('.answers'), 'ArrowRight', 'ArrowRight');
    await eventually(async () => assert.match(await details.innerText(), /^f3 · log-probability −0\.900/));
    await pressAt(page.locator('.answers'), 'End');
    await eventually(async () => assert.match(await details.innerText(), /^<end> ·/));
    await eventually(async () => assert.equal(await page.locator('.token[tabindex="0"]').count(), 1, 'one tab stop'));
    await page.getByText('agent@2 was loaded and gives the recorded log-probabilities again, to 4e−7.').waitFor();
  });

  it('are coloured by what is chosen, which stays', async () => {
    const { page, token, measure, state } = await opened(tokens());
    await measure.selectOption('Ratio and clip');
    await eventually(async () => {
      assert.equal(await token(8).getAttribute('data-mark'), '↑');
      assert.equal(await token(2).getAttribute('data-mark'), '↑');
      assert.equal(await token(4).getAttribute('data-mark'), '', 'an advantage above 0 is not clipped below');
    });
    await page.getByRole('list', { name: 'Legend' }).getByText('↑ clipped at 1.20').waitFor();
    assert.deepEqual(state(), {
      of: 'run',
      run: '/runs/one',
      trace: 'e3/e3.f2.v1/r0',
      other: 'agent@3',
      measure: 'clip',
    });
    const again = await opened(tokens(), { state: state() });
    await eventually(async () => assert.equal(await again.measure.inputValue(), 'clip'));
  });

  it('stand in a table that its titles sort and that leads to the text', async () => {
    const { page } = await opened(tokens());
    const table = page.getByRole('region', { name: 'Tokens' });
    const first = () => table.locator('tbody tr').first().locator('th, td').allInnerTexts();
    await eventually(async () =>
      assert.deepEqual(await first(), [
        ...['1', '1', 'first', '0.000', '0.100', '0.000', '1.000', '+1.50', 'not clipped'],
      ]),
    );
    await table.getByRole('button', { name: 'Log-probability' }).press('Enter');
    await eventually(async () => assert.equal((await first())[2], 'milk'));
    const title = table.getByRole('columnheader', { name: 'Log-probability' });
    await eventually(async () => assert.equal(await title.getAttribute('aria-sort'), 'ascending'));
    await pressAt(table, 'Enter');
    await eventually(async () => assert.equal(await title.getAttribute('aria-sort'), 'descending', 'the focus stays'));
    await pressAt(table, 'Enter');
    await table.locator('tbody button').first().click();
    const marked = table.locator('tr[aria-current=true]');
    await marked.waitFor();
    await eventually(async () => assert.equal(await marked.getAttribute('data-row'), '0'));
    await eventually(async () => assert.equal(await page.locator('.token:focus').innerText(), 'milk'));
  });

  it('of another version and their trace are one choice away', async () => {
    const { page, sent } = await opened(tokens());
    await page.getByRole('combobox', { name: 'Ratio to' }).selectOption('agent@4');
    await page.getByRole('button', { name: 'Open Trace' }).click();
    await until('both', () => sent.length === 2);
    assert.deepEqual(sent, [['version', 'agent@4'], ['open']]);
  });

  it('that are not known are said to be, and are drawn as such', async () => {
    const { page, measure, token } = await opened(unknownTokens());
    await eventually(async () => assert.equal(await token(3).innerText(), '#3'));
    for (const key of ['sampled', 'entropy', 'advantage', 'clip']) {
      await measure.selectOption(key);
      await eventually(async () => assert.equal(await page.locator('.token.unknown').count(), 28, key));
      await page.getByRole('list', { name: 'Legend' }).getByText('not known').waitFor();
    }
    await eventually(async () =>
      assert.deepEqual(await page.locator('.notes li').allInnerTexts(), [
        'Texts of single tokens are not known: the model’s tokenizer is not on this machine; name its folder as the endpoint’s tokenizer.',
        'Log-probabilities as sampled are not known: the server did not return them.',
        'Entropies are not known: a server is not asked for them.',
        'Log-probabilities under another version are not known: a server is not asked for them.',
        'Advantages are not known: every attempt has this reward, so nothing is learned.',
        'Clipped tokens are not known: no ratio is known.',
      ]),
    );
    const none = await opened(tokens({ answers: [], without: 'counted' }));
    await none.page.getByText('The server counted the tokens of this attempt and returned no ids.').waitFor();
    await eventually(async () => assert.equal(await none.page.locator('.token').count(), 0));
  });

  it('can be read on every colour in every theme', async () => {
    const { page, measure } = await opened(tokens(), { width: 1440 });
    await inThemes(page, themeNames, async (theme) => {
      await atWidths(page, theme === 'dark' ? [900, 1440] : [1440], async (width) => {
        for (const key of ['sampled', 'entropy', 'advantage', 'clip']) {
          await measure.selectOption(key);
          const pairs = await page.evaluate<string[][]>(
            `[...document.querySelectorAll('.token')].map((node) => {
              const { color, backgroundColor } = getComputedStyle(node);
              return [color, backgroundColor];
            })`,
          );
          for (const [text = '', background = ''] of pairs) {
            assert(contrast(hexOf(text), hexOf(background)) >= 4.49, `${theme}, ${key}: ${text} on ${background}`);
          }
          await page.screenshot({ path: join(screenshots, `tokens-${theme}-${width}-${key}.png`) });
        }
        await eventually(async () =>
          assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true),
        );
      });
    });
  });
});

const hexOf = (rgb: string): string =>
  `#${[...rgb.matchAll(/\d+/g)]
    .slice(0, 3)
    .map(([part]) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;
