/** A task's attempts side by side, as a person meets them. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { successRate } from '../../src/engine/math/successRate.ts';
import {
  difference,
  openTask,
  openTrace,
  shown,
  showEpoch,
  underWay,
  type ShownTask,
} from '../../src/features/attempts/contract.ts';
import { pressAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import type { Theme } from '../support/webviews/themes.ts';
import { answers, attempt, named, task } from '../support/webviews/samples/attempts.ts';

describe('the attempts at a task', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function opened(first: ShownTask, view: { theme?: Theme; width?: number; state?: unknown } = {}) {
    const sent: unknown[] = [];
    const one = await suite.open(
      'attempts',
      (channel) => {
        const note = (what: unknown): null => {
          sent.push(what);
          return null;
        };
        channel.handle(openTrace, ({ trace }) => note(['open', trace]));
        channel.handle(difference, ({ first: a, second: b }) => note(['difference', a, b]));
        channel.handle(openTask, () => note(['task']));
        channel.handle(showEpoch, ({ epoch }) => note(['epoch', epoch]));
        channel.emit(shown, first);
      },
      view,
    );
    const grid = one.page.getByRole('grid');
    await grid.waitFor();
    const focused = () =>
      one.page.evaluate<unknown>(
        '[document.activeElement.dataset.attempt, document.activeElement.dataset.row ?? null]',
      );
    return { ...one, grid, sent, focused };
  }
  const four = () => [0, 1, 2, 3].map((number) => attempt(number));

  it('stand side by side, in a table that can be read aloud', async () => {
    const { page, grid } = await opened(task(four()));
    await page.getByText('p̂ 0.25 [0.05–0.70] · 1/4 solved · epoch 3 of “embedded demo”').waitFor();
    await eventually(async () => {
      assert.equal(await grid.getAttribute('aria-colcount'), '5');
      assert.equal(await grid.getAttribute('aria-label'), '4 attempts, 1 solved');
      assert.deepEqual(await page.getByRole('rowheader').allInnerTexts(), [
        ...['Reward', 'Advantage', 'Tokens', 'Mean surprise, nats', 'Ended', 'Note', 'Turn 1'],
      ]);
      assert.deepEqual(await page.locator('thead .name').allInnerTexts(), ['r0', 'r1', 'r2', 'r3']);
      assert.deepEqual(await page.locator('thead .word').allInnerTexts(), [
        ...['not solved', 'solved', 'not solved', 'not solved'],
      ]);
    });
  });

  it('say why an attempt has no advantage', async () => {
    const without = 'The run does not train its agent (agent.train): nothing is trained on this attempt.';
    const { page } = await opened(task([attempt(0, { advantage: null, without }), attempt(1)]));
    const cells = page.getByRole('row', { name: /^Advantage/ }).getByRole('gridcell');
    await eventually(async () => assert.deepEqual(await cells.allInnerTexts(), [without, '+1.50']));
  });

  it('are marked where they differ from the first that solved the task', async () => {
    const { page } = await opened(task(four()));
    const turn = (number: number) => page.locator(`tr.turn td`).nth(number);
    await eventually(async () => {
      assert.deepEqual(await turn(0).locator('del').allInnerTexts(), ['rice']);
      assert.deepEqual(await turn(0).locator('ins').allInnerTexts(), ['milk']);
      assert.equal(await turn(1).locator('ins, del').count(), 0);
      assert.deepEqual(await turn(3).locator('ins').allInnerTexts(), ['fourth get f1 rice']);
    });
    await turn(2).getByText('differs from r1').waitFor();
  });

  it('are walked by the arrow keys, opened and compared', async () => {
    const { page, sent, focused, grid } = await opened(task(four()));
    await eventually(async () => assert.equal(await grid.locator('[tabindex="0"]').count(), 1, 'one tab stop'));
    await grid.locator('[tabindex="0"]').focus();
    await pressAt(grid, 'ArrowRight', 'ArrowRight', 'ArrowDown');
    await eventually(async () => assert.deepEqual(await focused(), ['e3/e3.f2.v1/r2', 'reward']));
    await pressAt(grid, 'Control+End');
    await eventually(async () => assert.deepEqual(await focused(), ['e3/e3.f2.v1/r3', 'turn 0']));
    await pressAt(grid, 'Enter', 'd', 'r');
    await page.locator('tr.turn td').nth(0).getByText('differs from r3').waitFor();
    await eventually(async () => assert.deepEqual(await focused(), ['e3/e3.f2.v1/r3', 'turn 0'], 'the focus stays'));
    await pressAt(grid, 'Home', 'd');
    await until('all three', () => sent.length === 3);
    assert.deepEqual(sent, [
      ['open', 'e3/e3.f2.v1/r3'],
      ['difference', 'e3/e3.f2.v1/r1', 'e3/e3.f2.v1/r3'],
      ['difference', 'e3/e3.f2.v1/r3', 'e3/e3.f2.v1/r0'],
    ]);
    await eventually(async () => assert.equal(await grid.locator('[tabindex="0"]').count(), 1, 'still one tab stop'));
  });

  it('come as they are recorded, and leave the focus where it was', async () => {
    const { page, channel, focused, grid } = await opened(task(four().slice(0, 2)));
    await grid.locator('[tabindex="0"]').focus();
    await pressAt(grid, 'ArrowRight');
    channel.emit(shown, task(four()));
    await page.locator('thead .name').nth(3).waitFor();
    await eventually(async () => assert.deepEqual(await focused(), ['e3/e3.f2.v1/r1', null]));
  });

  it('fill the page until an attempt is recorded, and show no p̂ until then', async () => {
    const none = { ...task([]), successRate: { p: null, low: 0, high: 1, successes: 0, attempts: 0 } };
    const { page, channel } = await opened(task(four().slice(0, 2)));
    channel.emit(shown, none);
    await page.getByText('No attempts recorded yet').waitFor();
    const turns = Array.from({ length: 8 }, (_, i) => ({
      speaker: 'assistant',
      text: `look ${i}\n`.repeat(8),
      final: false,
    }));
    channel.emit(underWay, { attempts: 1, first: [{ name: 'r0', said: 8, turns }], elsewhere: false });
    const section = page.getByRole('region', { name: /^Under way/ });
    await section.getByText('look 7').first().waitFor();
    await eventually(async () => {
      assert.doesNotMatch((await page.getByRole('status').first().textContent()) ?? '', /p̂|0\/0/);
      const beyond: unknown = await page.evaluate(
        "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.under-way'))",
      );
      assert.equal(beyond, 0, 'it does not scroll in itself');
    });
  });

  it('appear and grow while they are under way, and are gone once recorded', async () => {
    const { page, channel } = await opened(task(four().slice(0, 2)));
    const section = page.getByRole('region', { name: /^Under way/ });
    await eventually(async () => assert.equal(await section.count(), 0));
    const turn = (speaker: string, text: string) => ({ speaker, text, final: false });
    const first = { name: 'r2', said: 1, turns: [turn('assistant', 'look in f1')] };
    const second = { name: 'r3', said: 12, turns: [turn('tool f1', 'nothing'), turn('assistant', 'f2')] };
    const here = { elsewhere: false };
    channel.emit(underWay, { attempts: 2, first: [first, second], ...here });
    await section.getByText('Under way: 2').waitFor();
    await eventually(async () =>
      assert.deepEqual(await section.getByRole('article').allInnerTexts(), [
        'r2 · 1 turn\n\nassistant\nlook in f1',
        'r3 · 12 turns\n\ntool f1\nnothing\n\nassistant\nf2',
      ]),
    );
    await page.screenshot({ path: join(screenshots, 'attempts-under-way.png') });
    const grown = { ...first, said: 2, turns: [...first.turns, turn('tool f1', 'rice')] };
    channel.emit(underWay, { attempts: 50, first: [grown], ...here });
    await section.getByText('r2 · 2 turns').waitFor();
    await section.getByText('Under way: 50, the first 1 shown').waitFor();
    channel.emit(underWay, { attempts: 0, first: [], ...here });
    await eventually(async () => assert.equal(await section.count(), 0));
    channel.emit(underWay, { attempts: 0, first: [], elsewhere: true });
    await page.getByText('Another process executes this run.').waitFor();
    await eventually(async () => assert.equal(await section.count(), 0));
    await page.screenshot({ path: join(screenshots, 'attempts-elsewhere.png') });
  });

  it('of another epoch are one choice away', async () => {
    const { page, sent, state } = await opened(task(four(), { epochs: [1, 3] }));
    await page.getByRole('combobox', { name: 'Epoch' }).selectOption('1');
    await page.getByRole('button', { name: 'Open Task' }).click();
    await until('both', () => sent.length === 2);
    assert.deepEqual(sent, [['epoch', 1], ['task']]);
    assert.deepEqual(state(), { run: '/runs/one', task: 'e3.f2.v1', epoch: 3, reference: null });
  });

  it('are aligned by turn, however many turns they took', async () => {
    const turns = (texts: string[]) =>
      texts.map((text, i) => ({
        speaker: i % 2 === 0 ? 'assistant' : 'tool f3',
        text,
        final: i === texts.length - 1,
      }));
    const { page } = await opened(
      task([
        attempt(0, { turns: turns(['first set f3 rice 4', 'left 4', 'second get f1 rice']), stopReason: 'turns' }),
        attempt(1, { turns: turns(['first set f3 rice 4']), verdict: 'unjudged', note: 'the checker broke' }),
      ]),
    );
    await eventually(async () =>
      assert.deepEqual(
        await page
          .locator('tr.turn')
          .nth(1)
          .locator('td')
          .allInnerTexts()
          .then((texts) => texts.map((text) => text.split('\n')[0])),
        ['tool f3', '—'],
      ),
    );
    await page.locator('tr.turn').nth(0).getByText('as in r0').waitFor();
    await page.locator('thead').getByText('checker failed').waitFor();
  });

  it('that a program led show their branches below, and where each leaves', async () => {
    const said = (text: string) => ({ speaker: 'assistant', text, final: false });
    const branches = [
      { follows: 0, turns: [said('nothing but dust'), said('two')] },
      { follows: 2, turns: [said('three')] },
      { follows: null, turns: [said('four')] },
    ];
    const { page } = await opened(task([attempt(0, { turns: [said('a'), said('b')], branches }), attempt(1)]));
    const row = (title: string) => page.getByRole('row', { name: title }).first().locator('td').allInnerTexts();
    await eventually(async () => {
      assert.deepEqual(await row('Branch 1 after'), ['after turn 1', '—']);
      assert.deepEqual(await row('Branch 2 after'), ['after branch 1, turn 1', '—']);
      assert.deepEqual(await row('Branch 3 begins'), ['begins anew', '—']);
      assert.match((await row('Branch 1, turn 2')).join(), /two/);
    });
    await page.screenshot({ path: join(screenshots, 'attempts-branches.png'), fullPage: true });
  });

  it('say what another reward that was applied says of them, apart from what is recorded', async () => {
    const by = 'mine.reward.ts';
    const attempts = [
      attempt(0, { rescored: { verdict: 'solved', reward: 1, by } }),
      attempt(1, { rescored: { verdict: 'unjudged', reward: 0, by } }),
      attempt(2),
    ];
    const { page } = await opened(task(attempts, { rescored: successRate(1, 2) }));
    await page.getByText('p̂ 0.33 [0.06–0.79] · 1/3 solved · rescored: p̂ 0.50 [0.09–0.91] · 1/2 solved').waitFor();
    await eventually(async () => {
      assert.deepEqual(await page.locator('thead .word').allInnerTexts(), ['not solved', 'solved', 'not solved']);
      assert.deepEqual(await page.locator('.fact-rescored td').allInnerTexts(), [
        ...['solved, reward 1.00, by mine.reward.ts', 'checker failed, by mine.reward.ts', '—'],
      ]);
    });
  });

  it('may be none yet', async () => {
    const one = await suite.open('attempts', (channel) => channel.emit(shown, task([])));
    await one.page.getByText('No attempts recorded yet').waitFor();
  });

  it('scroll sideways when they are many, their heads in sight', async () => {
    const { page, grid } = await opened(task(Array.from({ length: 32 }, (_, i) => attempt(i))));
    await page.getByRole('checkbox', { name: 'Equal answers in one column' }).uncheck();
    await page.locator('[tabindex="0"]').first().focus();
    await pressAt(grid, 'End');
    const heads = page.locator('tbody th').first();
    await eventually(async () =>
      assert.equal((await heads.boundingBox())?.x, (await page.locator('.grid').boundingBox())!.x + 1),
    );
    await eventually(async () =>
      assert.equal(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        0,
        'the page itself does not scroll',
      ),
    );
  });

  it('that are equal stand in one column, the most frequent first, unless all are asked for', async () => {
    const eight = [1, 0, 0, 2, 0, 0, 0, 0].map((answer, number) => ({ ...attempt(answer), ...named(number) }));
    const { page, sent, grid } = await opened(task(eight));
    await page.getByText('Answers: 6 × r1, not solved · 1 × r0, solved · 1 × r3, not solved').waitFor();
    await eventually(async () => {
      assert.deepEqual(await page.locator('thead .name').allInnerTexts(), ['r1', 'r0', 'r3']);
      assert.deepEqual(await page.locator('thead .times').allInnerTexts(), ['6 ×']);
      assert.equal(await grid.getAttribute('aria-label'), '8 attempts, 1 solved');
    });
    await page.getByText('also r2, r4, r5, r6, r7').waitFor();
    await page.screenshot({ path: join(screenshots, 'attempts-grouped.png') });
    await page.getByRole('checkbox', { name: 'Equal answers in one column' }).uncheck();
    await eventually(async () => assert.equal(await page.locator('thead .name').count(), 8));
    await page.getByRole('button', { name: 'Open r5' }).click();
    await until('the call', () => sent.length === 1);
    assert.deepEqual(sent, [['open', 'e3/e3.f2.v1/r5']]);
  });

  for (const [theme, width] of [
    ['dark', 1440],
    ['light', 1440],
    ['light', 900],
  ] as const) {
    it(`of eight, each another answer, fit 1,440 px (${theme}, ${width})`, async () => {
      const eight = Array.from({ length: 8 }, (_, i) => ({
        ...attempt(i),
        ...named(i),
        turns: [{ speaker: 'assistant', text: `${answers[i % 4] ?? ''} fifth set f${i} rice ${i}`, final: true }],
      }));
      const { page } = await opened(task(eight), { theme, width });
      await page.screenshot({ path: join(screenshots, `attempts-eight-${theme}-${width}.png`) });
      const over = () =>
        page.evaluate('(({scrollWidth: all, clientWidth: seen}) => all - seen)(document.querySelector(".grid"))');
      if (width === 1440) await eventually(async () => assert.equal(await over(), 0));
    });
  }

  it('are legible in each theme', async () => {
    const { page, channel } = await opened(task(four(), { epochs: [2, 3] }));
    const turns = [{ speaker: 'assistant', text: 'look in f1', final: false }];
    channel.emit(underWay, { attempts: 1, first: [{ name: 'r4', said: 1, turns }], elsewhere: true });
    await page.locator('td').nth(1).focus();
    await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
      await page.screenshot({ path: join(screenshots, `attempts-${theme}.png`) });
    });
  });
});
