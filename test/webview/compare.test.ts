/** The page that compares runs, as a person meets it. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { taskTries } from '../../src/engine/math/paired/taskTries.ts';
import { compareShared } from '../../src/features/compare/core/sharedTasks.ts';
import {
  choose,
  grown,
  opened,
  openRun,
  openTask,
  pair,
  save,
  type ComparedRun,
  type Pair,
} from '../../src/features/compare/contract.ts';
import type { Channel } from '../../src/shared/rpc/channel.ts';
import { comparedRun, type ComparedSpec } from '../support/compare/comparedRuns.ts';
import { pressAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import type { OpenedPage } from '../support/webviews/openPage.ts';
import { pageSuite, screenshots, type PageView } from '../support/webviews/pageSuite.ts';
import type { Theme } from '../support/webviews/themes.ts';

const three: ComparedSpec[] = [
  { name: 'co-evolved', seed: 7, epochs: 30 },
  { name: 'random environment', seed: 7, epochs: 30, experiment: { mode: 'random', name: 'random environment' } },
  { name: 'co-evolved', seed: 8, epochs: 18, state: 'running', changeAt: 9 },
];

describe('the comparison of runs', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  interface View extends PageView {
    answer?: (answer: Pair) => Pair;
    /** The first message on a run to the page. */
    atFirst?: (run: ComparedRun) => ComparedRun;
  }

  interface Sent {
    files: { name: string; kind: string; text: string }[];
    runs: string[];
    tasks: string[];
    pairs: unknown[];
    chosen: number;
  }

  async function shown(
    specs: readonly ComparedSpec[],
    { answer = (same) => same, atFirst = (all) => all, ...view }: View = {},
  ) {
    const compared = specs.map((spec, i) => comparedRun(i, spec));
    const sent: Sent = { files: [], runs: [], tasks: [], pairs: [], chosen: 0 };
    const runs = compared.map(({ run }) => run);
    const answerAll = (channel: Channel): void => {
      channel.handle(pair, (asked): Pair => {
        sent.pairs.push(asked);
        const side = ({ run, epoch }: typeof asked.first) => {
          const measured = compared.find((known) => known.run.dir === run)?.fold.measured(epoch);
          const tries = (measured && taskTries(measured)) ?? [];
          return {
            tries,
            tasks: Array.from({ length: tries.length }, (_, i) => ({ id: `validation.${i}`, key: `${i}` })),
          };
        };
        const [first, second] = [side(asked.first), side(asked.second)];
        const result = compareShared(first, second);
        if (result === null) return { comparable: false, why: 'no-shared-tasks' };
        return answer({
          comparable: true,
          ...result,
          of: [first.tries.length, second.tries.length],
          measured: [],
        });
      });
      channel.handle(save, (file) => {
        sent.files.push(file);
        return null;
      });
      channel.handle(openRun, ({ run }) => {
        sent.runs.push(run);
        return null;
      });
      channel.handle(openTask, ({ task }) => {
        sent.tasks.push(task);
        return null;
      });
      channel.handle(choose, () => {
        sent.chosen += 1;
        return null;
      });
      channel.emit(opened, { runs: runs.map(atFirst) });
    };
    const one = await suite.open('compare', answerAll, view);
    await one.page.locator('#success svg[viewBox]').waitFor();
    return { ...one, runs, sent };
  }

  const texts = async (one: OpenedPage, selector: string): Promise<string[]> =>
    (await one.page.locator(selector).allTextContents()).map((text) => text.trim());

  it('draws each run in every chart, told apart without colour', async () => {
    const one = await shown(three);
    const last = one.runs[0]!.epochs.at(-1)!.successRate!.p!;
    await eventually(async () => {
      assert.equal(await one.page.locator('#success .series').count(), 3);
      const ends = await texts(one, '#success .label-series');
      assert.deepEqual(
        ends.map((text) => text[0]),
        ['A', 'B', 'C'],
      );
      assert.equal(ends[0], `A ${last.toFixed(2)}`);
      const dashes: unknown = await one.page.evaluate(
        `[...document.querySelectorAll('#success .line')].map((line) => getComputedStyle(line).strokeDasharray)`,
      );
      assert.equal(new Set(Array.isArray(dashes) ? dashes : []).size, 3);
    });
    await eventually(async () => {
      assert.deepEqual(await texts(one, '.legend strong'), ['A', 'B', 'C']);
      assert.match((await texts(one, '.legend-facts')).join('|'), /running, 18 of 18 epochs.*mode coevolve, seed 8/);
    });
    await one.page.screenshot({ path: join(screenshots, 'compare-dark.png'), fullPage: true });
  });

  it('draws entropy and gradient norm of both policies, and leaves out what no run tells', async () => {
    const one = await shown(three);
    for (const [id, title] of [
      ['entropy-agent', 'Entropy of the agent'],
      ['gradients-agent', 'Gradient norm of the agent'],
      ['entropy-environment', 'Entropy of the environment'],
      ['gradients-environment', 'Gradient norm of the environment'],
    ] as const) {
      await one.page.locator(`#${id}`).scrollIntoViewIfNeeded();
      await eventually(async () => {
        assert.match((await one.page.locator(`#${id} h3`).textContent()) ?? '', new RegExp(`^${title}`));
        // The environment of the second run is random: it has none.
        assert.equal(await one.page.locator(`#${id} .series`).count(), id.endsWith('agent') ? 3 : 2);
      });
    }
    const untold = await shown(three.slice(0, 2), {
      atFirst: (run) => ({
        ...run,
        epochs: run.epochs.map((row) => ({ ...row, entropyEnvironment: null, gradNormAgent: null })),
      }),
    });
    for (const [id, seen] of [
      ['entropy-agent', true],
      ['gradients-environment', true],
      ['entropy-environment', false],
      ['gradients-agent', false],
    ] as const) {
      await eventually(async () => assert.equal(await untold.page.locator(`#${id}`).isVisible(), seen, id));
    }
  });

  it('switches runs off and on by keyboard, and keeps that over a reload', async () => {
    const one = await shown(three);
    await one.page.locator('.legend-switch').nth(1).focus();
    await pressAt(one.page.locator('.legend-switch').nth(1), 'Enter');
    await eventually(async () => {
      assert.equal(await one.page.locator('#success .series').count(), 2);
      assert.equal(await one.page.locator('.legend-switch').nth(1).getAttribute('aria-pressed'), 'false');
      assert.equal(await one.page.locator(':focus').textContent(), 'Brandom environment');
    });
    await one.page.reload();
    await one.page.locator('#success svg[viewBox]').waitFor();
    await eventually(async () => assert.equal(await one.page.locator('#success .series').count(), 2));
  });

  it('compares over epochs, rollouts, tokens or time', async () => {
    const one = await shown(three);
    await one.page.getByRole('radio', { name: 'Tokens' }).check();
    const reader = one.page.locator('#success [role=slider]');
    await reader.focus();
    await pressAt(reader, 'End');
    await eventually(async () =>
      assert.match(
        (await reader.getAttribute('aria-valuetext')) ?? '',
        /^[ABC] 0\.\d\d.*; tokens [\d.]+ [kM]; Epoch \d+$/,
      ),
    );
    await one.page.getByRole('radio', { name: 'Epochs' }).check();
    await reader.focus();
    await pressAt(reader, 'Home');
    await eventually(async () =>
      assert.match((await reader.getAttribute('aria-valuetext')) ?? '', /^Epoch 1; A 0\.\d\d \(.*\); B .*; C /),
    );
  });

  it('smooths every line, tells what was measured, and keeps that over a reload', async () => {
    const one = await shown(three);
    const measured = one.page.locator('#success .line-measured');
    const drawn = (): Promise<string | null> => one.page.locator('#success .line').first().getAttribute('d');
    const before = await drawn();
    await eventually(async () => assert.equal(await measured.count(), 0));
    const reader = one.page.locator('#success [role=slider]');
    const told = async (): Promise<string | null> => {
      await reader.focus();
      await pressAt(reader, 'Home', 'ArrowRight', 'ArrowRight');
      return reader.getAttribute('aria-valuetext');
    };
    const reading = await told();
    await one.page.getByLabel('Smoothing').selectOption('mean of 5 points');
    await eventually(async () => {
      assert.equal(await measured.count(), 3);
      assert.equal(await measured.first().getAttribute('d'), before);
      assert.notEqual(await one.page.locator('#success .line:not(.line-measured)').first().getAttribute('d'), before);
    });
    await eventually(async () => assert.equal(await told(), reading));
    await one.page.screenshot({ path: join(screenshots, 'compare-smoothed.png'), fullPage: true });
    await one.page.reload();
    await one.page.locator('#success svg[viewBox]').waitFor();
    await eventually(async () => {
      assert.equal(await measured.count(), 3);
      assert.equal(await one.page.getByLabel('Smoothing').inputValue(), '5');
    });
  });

  it('has a table one key away, and gives tables and drawings away', async () => {
    const one = await shown(three);
    await one.page.locator('#success [role=slider]').focus();
    await pressAt(one.page.locator('#success'), 't');
    await eventually(async () => {
      const head = await texts(one, '#success thead th');
      assert.deepEqual(head.slice(0, 4), ['Epoch', 'A', 'A low', 'A high']);
      assert.equal(await one.page.locator('#success tbody tr').count(), 30);
    });
    await pressAt(one.page.locator('#success'), 't');
    await one.page.locator('#success').getByRole('button', { name: 'Save as CSV' }).click();
    await one.page.locator('#success').getByRole('button', { name: 'Save as SVG' }).click();
    await until('both files', () => one.sent.files.length === 2);
    assert.deepEqual(
      one.sent.files.map(({ name, kind }) => `${name}.${kind}`),
      ['compare-success.csv', 'compare-success.svg'],
    );
    assert.equal(one.sent.files[0]?.text.split('\r\n').length, 32);
    assert.match(one.sent.files[1]?.text ?? '', /^<svg .*stroke-dasharray/s);
  });

  it('says in a sentence whether two runs differ, with the interval, at the last epoch both have', async () => {
    const one = await shown(three.slice(0, 2));
    const headline = one.page.locator('.pair-headline');
    await headline.waitFor();
    await eventually(async () =>
      assert.match((await headline.textContent()) ?? '', /B after epoch 30.*A after epoch 30.*: [+−]?[\d.]+ points\.$/),
    );
    const numbers = (await one.page.locator('.pair-result').textContent()) ?? '';
    assert.match(numbers, /Of \d+ shared tasks .* 95 % interval of the paired difference: .* to .* points\./);
    await one.page.getByRole('button', { name: 'Swap' }).click();
    await until('both questions', () => one.sent.pairs.length === 2);
    await one.page.locator('.pair-headline', { hasText: /A after epoch 30.*B after epoch 30/ }).waitFor();
    await one.page.getByLabel('Its epoch').last().selectOption({ label: 'at its start' });
    await one.page.locator('.pair-headline', { hasText: 'at its start' }).waitFor();
    await one.page.locator('.pair-result summary').click();
    await one.page.locator('.pair-result tbody button').first().click();
    await until('the task to be opened', () => one.sent.tasks.length === 1);
    assert.match(one.sent.tasks[0] ?? '', /^validation\.\d+$/);
  });

  it('says when validations cannot be compared, or only in part', async () => {
    const none = await shown(three.slice(0, 2), { answer: () => ({ comparable: false, why: 'no-shared-tasks' }) });
    await none.page.locator('.pair-result', { hasText: 'none in common' }).waitFor();
    await eventually(async () => assert.equal(await none.page.locator('.pair-headline').count(), 0));
    const part = await shown(three.slice(0, 2), {
      answer: (full) =>
        full.comparable ? { ...full, of: [full.of[0] + 100, full.of[1]], measured: ['validation.temperature'] } : full,
    });
    const caveat = (await part.page.locator('.pair-caveat').textContent()) ?? '';
    assert.match(
      caveat,
      /sets differ: A was validated on \d+ tasks, B on \d+.*were measured differently: validation\.temperature/,
    );
  });

  it('shows which settings differ, and all of them on demand', async () => {
    const one = await shown(three.slice(0, 2));
    await eventually(async () =>
      assert.match(
        (await one.page.locator('#settings .section-reading').textContent()) ?? '',
        /^One of \d+ settings differs\.$/,
      ),
    );
    const rows = one.page.locator('#settings tbody tr');
    await eventually(async () => {
      assert.equal(await rows.count(), 1);
      assert.deepEqual(await texts(one, '#settings tbody tr:first-child > :nth-child(-n+3)'), [
        'mode',
        'coevolve',
        'random',
      ]);
    });
    await one.page.getByRole('button', { name: /Show All/ }).click();
    await eventually(async () => assert.ok((await rows.count()) > 50));
  });

  it('grows while a run goes on, without losing the place', async () => {
    const cut = <Row extends { epoch: number }>(rows: readonly Row[]): Row[] => rows.filter(({ epoch }) => epoch <= 6);
    const one = await shown(
      three
        .slice(0, 2)
        .concat({ ...three[2]!, epochs: 8 })
        .slice(1),
      {
        atFirst: (run) => ({ ...run, epochs: cut(run.epochs), validations: cut(run.validations) }),
      },
    );
    await one.page.locator('.pair-headline', { hasText: 'B after epoch 6' }).waitFor();
    const { dir, settings, epochs, validations } = one.runs[1]!;
    const more = {
      ...{ dir, settings, state: 'finished' as const },
      epochs: epochs.slice(6),
      validations: validations.filter(({ epoch }) => epoch > 6),
    };
    one.channel.emit(grown, more);
    await one.page.locator('.legend-facts', { hasText: 'finished, 8 of' }).waitFor();
    await eventually(async () =>
      assert.match(
        await texts(one, '#success .frame-reading').then(String),
        /A 0\.\d\d \(epoch 6\), B 0\.\d\d \(epoch 8\)/,
      ),
    );
    await one.page.locator('.pair-headline', { hasText: 'B after epoch 6' }).waitFor();
    await one.page.getByLabel('Its epoch').first().selectOption({ label: 'epoch 8' });
    await one.page.locator('.pair-headline', { hasText: 'B after epoch 8' }).waitFor();
  });

  it('asks the host for other runs and for a run’s calibration', async () => {
    const one = await shown(three.slice(0, 2));
    await one.page.getByRole('button', { name: 'Other Runs…' }).click();
    await one.page.getByRole('button', { name: 'Open calibration of B' }).click();
    await until('the choice and the run', () => one.sent.chosen === 1 && one.sent.runs.length === 1);
    assert.deepEqual(one.sent.runs, [one.runs[1]?.dir]);
  });

  const eight = Array.from({ length: 8 }, (_, i): ComparedSpec => ({ name: `seed ${i}`, seed: 20 + i, epochs: 16 }));
  for (const { theme, width, specs, name } of [
    { theme: 'light', width: 1400, specs: three, name: 'light-1400' },
    { theme: 'high-contrast', width: 1100, specs: eight, name: 'high-contrast-eight' },
    { theme: 'dark', width: 640, specs: eight, name: 'dark-640-eight' },
    { theme: 'dark', width: 1100, specs: [{ epochs: 0 }, { epochs: 1, seed: 3 }], name: 'dark-empty' },
  ] satisfies { theme: Theme; width: number; specs: ComparedSpec[]; name: string }[]) {
    it(`fits and says nothing odd: ${name}`, async () => {
      const one = await shown(specs, { theme, width });
      // Charts draw themselves as they come into sight.
      for (const chart of await one.page.locator('.charts .frame:visible').all()) await chart.scrollIntoViewIfNeeded();
      await one.page.waitForTimeout(100);
      const text = await one.page.locator('main').innerText();
      assert.doesNotMatch(text, /NaN|undefined|Infinity|\[object/);
      await eventually(async () => assert.doesNotMatch(await one.page.locator('main').innerHTML(), /"[^"]*NaN[^"]*"/));
      const overflow = await one.page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.equal(overflow, 0);
      await one.page.evaluate('window.scrollTo(0, 0)');
      await one.page.screenshot({ path: join(screenshots, `compare-${name}.png`), fullPage: true });
    });
  }
});
