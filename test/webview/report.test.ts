/**
 * The report as a person meets it: opened from disk in a real browser that has no network.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import * as z from 'zod';
import { writeReport } from '../../src/features/report/node/writeReport.ts';
import { pressAt } from '../support/focus.ts';
import { reportDist } from '../support/report/bundle.ts';
import { syntheticData } from '../support/report/syntheticData.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { syntheticSource } from '../support/report/syntheticSource.ts';
import { eventually, until } from '../support/until.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

const options = { epochs: 30, changeAt: 14 };

/** The editor's side of a tab, in the page: its theme, and all that the page said. */
const inTab = (theme: string): string => `
  globalThis.said = [];
  globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => said.push(message), setState: (state) => said.push(state) });
  document.addEventListener('DOMContentLoaded', () => document.body.classList.add('${theme}'));`;

type Options = Parameters<typeof syntheticSource>[1];

describe('the report in a browser', function () {
  this.timeout(240_000);
  const suite = pageSuite();
  let folder: string | undefined;
  let dist: URL;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genenv-report-'));
    dist = await reportDist();
  });
  after(async () => {
    // There is none where the suite was skipped.
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  async function open(
    name: string,
    run: Options,
    view: { width?: number; scheme?: 'light' | 'dark'; tab?: string } = {},
  ): Promise<Page> {
    assert.ok(folder !== undefined);
    const out = join(folder, `${name}.html`);
    await writeReport(syntheticSource(folder, run), { dist, out });
    const { page, trouble } = await suite.page({
      viewport: { width: view.width ?? 1280, height: 900 },
      colorScheme: view.scheme ?? 'light',
      offline: true,
    });
    if (view.tab !== undefined) await page.addInitScript(inTab(view.tab));
    const url = pathToFileURL(out).href;
    page.on('request', (request) => {
      if (request.url() !== url) trouble.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    await page.locator('#calibration h2').waitFor();
    await drawn(page);
    return page;
  }

  /** Every chart has drawn itself into its width. */
  async function drawn(page: Page): Promise<void> {
    for (const chart of await page.locator('.chart').all()) await chart.locator('svg[viewBox]').waitFor();
  }

  it('is plain text in a file; in a tab names lead back to the run, in the colours of the editor', async () => {
    const file = await open('plain', options);
    await eventually(async () => assert.equal(await file.locator('.place').count(), 0));
    for (const [theme, scheme, colours, paper] of [
      ['vscode-dark', 'light', 'dark', 'rgb(20, 23, 27)'],
      ['vscode-high-contrast', 'light', 'dark', 'rgb(0, 0, 0)'],
      ['vscode-high-contrast-light', 'dark', 'light', 'rgb(255, 255, 255)'],
    ] as const) {
      const page = await open('tab', options, { scheme, tab: theme });
      await page.locator(`html.${colours}`).waitFor();
      const background = 'getComputedStyle(document.body).backgroundColor';
      await eventually(async () => assert.equal(await page.evaluate(background), paper));
      await page.screenshot({ path: join(screenshots, `report-tab-${theme}.png`), fullPage: true });
      const names = page.locator('.samples:not([hidden]) .sample[open] .place');
      await names.first().click();
      await names.nth(1).click();
      await page.locator('#family-chart summary').click();
      await page.locator('#family-chart .place').first().click();
      const [kept, task, trace, family] = z
        .array(z.looseObject({ open: z.record(z.string(), z.unknown()).optional() }))
        .parse(await page.evaluate('said'));
      const { run } = await syntheticData(options);
      assert.deepEqual(kept, { run: run.id });
      assert.deepEqual(Object.keys(task?.open ?? {}), ['epoch', 'task']);
      assert.match(String(trace?.open?.['trace']), /^e30\/.+\/r\d+$/);
      assert.deepEqual(Object.keys(family?.open ?? {}), ['epoch', 'family']);
      assert.equal(family?.open?.['epoch'], 30);
    }
  });

  it('has the phase portrait, by the measure that a person chooses, and both policies’ entropy and gradients', async () => {
    const page = await open('phase', options);
    const { epochs } = await syntheticData(options);
    await eventually(async () => {
      assert.equal(await page.locator('#phase .phase-epoch').count(), epochs.length);
      assert.match(
        (await page.locator('#phase .reading').textContent()) ?? '',
        /^From epoch 1 to epoch 30, steps went from /,
      );
      for (const id of ['entropy', 'gradients']) assert.equal(await page.locator(`#${id} .line`).count(), 2);
    });
    const choice = page.locator('.measure-choice select');
    const [, second = ''] = await choice.locator('option').allTextContents();
    await choice.selectOption(second);
    await eventually(async () =>
      assert.ok(((await page.locator('#phase .reading').textContent()) ?? '').includes(` ${second} went from `)),
    );
    await page.locator('#phase summary').click();
    await eventually(async () => assert.equal(await page.locator('#phase tbody tr').count(), epochs.length));
  });

  it('draws one mark for each thing measured', async () => {
    const page = await open('marks', options);
    const { families, epochs, validation, samples, conclusion } = await syntheticData(options);
    const count = (selector: string): Promise<number> => page.locator(selector).count();
    await eventually(async () => {
      assert.equal(await count('#calibration-chart .dot'), families.length);
      assert.equal(await count('#calibration-chart .dot-kept'), families.filter(({ kept }) => kept > 0).length);
      assert.equal(await count('#calibration-chart .kernel .line'), 2, 'the reward in force and the one before');
      assert.equal(await count('#calibration-chart .changes line'), 1);
    });
    const last = families.filter(({ epoch }) => epoch === epochs.length);
    await eventually(async () => {
      assert.equal(await count('#family-chart .family'), last.length);
      assert.equal(await count('#family-chart .whisker'), last.length);
      assert.equal(await count('#family-chart .bar'), last.filter(({ weight }) => weight > 0).length);
      assert.equal(await count('#complexity .panel'), Object.keys(epochs[0]!.complexity).length);
    });
    const grouped = epochs.flatMap(({ groups }) =>
      groups === null ? [] : [groups.solved, groups.hopeless, groups.trained, groups.broken],
    );
    await eventually(async () => assert.equal(await count('#groups .stack rect'), grouped.filter((n) => n > 0).length));
    const rejected = epochs.flatMap((row) => Object.values(row.rejected));
    await eventually(async () =>
      assert.equal(await count('#rejections .stack rect'), rejected.filter((n) => n > 0).length),
    );
    const skipped = epochs.filter(({ environment }) => environment.skipped !== null);
    await eventually(async () => {
      assert.equal(await count('#kept .cross'), skipped.length);
      assert.equal(await count('.sample'), samples.flatMap(({ tasks }) => tasks).length);
      const said = await page.locator('.conclusion p').allTextContents();
      assert.deepEqual(
        said.map((text) => text.replaceAll('\u00a0', ' ')),
        conclusion,
      );
      assert.equal(await count('.figures li'), 5);
    });
    assert.equal(validation.length, 31);
  });

  it('draws how diverse the written tasks are', async () => {
    const page = await open('quality', options);
    const { epochs } = await syntheticData(options);
    for (const id of ['clusters', 'likeness', 'distinct', 'seed-distance', 'drift']) {
      const figure = page.locator(`#${id}`);
      const lines = id === 'distinct' ? 4 : 2;
      await eventually(async () =>
        assert.equal(await figure.locator(':not(.legend) > .series > .line').count(), lines, id),
      );
      await figure.locator('.twin > summary').click();
      const measured = epochs.filter(({ quality }) => quality !== null).length;
      assert.equal(measured, epochs.length);
      await eventually(async () => assert.equal(await figure.locator('table tbody tr').count(), measured));
    }
  });

  it('draws evaluations on a benchmark where the run has them', async () => {
    const { experiment } = syntheticCourse(options);
    const evaluation = { ...experiment.evaluation, every: 10, sample: 40, attempts: 2 };
    const page = await open('evaluated', { ...options, experiment: { evaluation } });
    const figure = page.locator('#evaluation');
    await eventually(async () =>
      assert.match(
        (await figure.locator('.reading').textContent()) ?? '',
        /^On 40 tasks of Bamboogle pass@1 was .* after epoch 30\. 3 of 80 attempts were cut off at their length \(rollouts\.maxTokens\)\.$/,
      ),
    );
    await figure.locator('.twin > summary').click();
    await eventually(async () => assert.equal(await figure.locator('table tbody tr').count(), 4));
  });

  it('has a table twin for every chart, opened by the keyboard, with the same numbers', async () => {
    const page = await open('tables', options);
    const { epochs, families, validation } = await syntheticData(options);
    const figures = page.locator('figure:has(.chart)');
    await eventually(async () => assert.ok((await figures.count()) >= 12));
    for (const figure of await figures.all()) {
      const summary = figure.locator('.twin > summary');
      await summary.focus();
      await pressAt(summary, 'Enter');
      await figure.locator('table tbody tr').first().waitFor();
    }
    const rows = (id: string): Locator => page.locator(`#${id} table tbody tr`);
    await eventually(async () => {
      assert.equal(await rows('calibration-chart').count(), epochs.length);
      assert.equal(await rows('family-chart').count(), families.filter(({ epoch }) => epoch === epochs.length).length);
      assert.equal(await rows('validation').count(), validation.length);
    });
    await eventually(async () => {
      const cells = await rows('calibration-chart').first().locator('th, td').allTextContents();
      assert.deepEqual(cells.slice(0, 2), ['1', epochs[0]!.successRate!.p!.toFixed(2)]);
    });
  });

  it('says in words what each chart shows, and lets the keyboard read it', async () => {
    const page = await open('words', options);
    for (const figure of await page.locator('figure:has(.chart)').all()) {
      const id = await figure.getAttribute('id');
      const reading = await figure.locator('.reading').textContent();
      assert.ok((reading?.length ?? 0) > 20, `${id}: ${reading}`);
      await eventually(async () =>
        assert.equal(await figure.locator('svg[role=img]').getAttribute('aria-label'), reading),
      );
      const reader = figure.locator('[role=slider]');
      await eventually(async () => assert.ok(await reader.getAttribute('aria-label')));
      await reader.focus();
      await pressAt(reader, 'Home');
      const first = await until('it reads', async () => (await reader.getAttribute('aria-valuetext')) ?? undefined);
      await pressAt(reader, 'ArrowRight');
      await eventually(async () => assert.notEqual(await reader.getAttribute('aria-valuetext'), first, `${id} moves`));
      await eventually(async () => assert.ok(await figure.locator('.tooltip').isVisible(), `${id} shows what is read`));
    }
  });

  it('reads a family under the pointer, and shows the families of an epoch that is chosen', async () => {
    const page = await open('pointer', options);
    const { families } = await syntheticData(options);
    const dot = page.locator('#calibration-chart .dot').nth(40);
    await dot.hover({ force: true });
    const tooltip = page.locator('#calibration-chart .tooltip');
    await eventually(async () => assert.match((await tooltip.textContent()) ?? '', /p̂ 0\.\d\d.*of 32 attempts/s));
    await page.locator('#calibration-chart .chart-reader').focus();
    await pressAt(page.locator('#calibration-chart .chart-reader'), 'Home', 'Enter');
    await eventually(async () => {
      assert.match((await page.locator('#family-chart .reading').textContent()) ?? '', /^Epoch 1:/);
      assert.equal(await page.locator('#family-epoch').inputValue(), '0');
      assert.equal(await page.locator('#family-chart .family').count(), families.filter((f) => f.epoch === 1).length);
    });
    await page.locator('#family-epoch').fill('9');
    await eventually(async () =>
      assert.match((await page.locator('#family-chart .reading').textContent()) ?? '', /^Epoch 10:/),
    );
  });

  it('marks where an answer leaves the gold, not by colour alone', async () => {
    const page = await open('diff', options);
    const bad = page.locator('.samples:not([hidden]) .answer-bad').first();
    await eventually(async () => assert.ok((await bad.locator('del, ins').count()) > 0));
    await page.locator('#samples label', { hasText: 'Epoch 1' }).first().click();
    await eventually(async () => {
      assert.equal(await page.locator('.samples:not([hidden])').count(), 1);
      assert.match((await page.locator('.samples:not([hidden])').getAttribute('aria-label')) ?? '', /epoch 1,/);
    });
  });

  it('shows hostile text as text', async () => {
    const page = await open('hostile', {
      ...options,
      experiment: { name: '</script><img src=x onerror="document.title=1"><b>bold</b>' },
    });
    await eventually(async () => {
      assert.equal(
        await page.locator('h1').textContent(),
        '</script><img src=x onerror="document.title=1"><b>bold</b>',
      );
      assert.equal(await page.locator('img, h1 b').count(), 0);
    });
  });

  const states: { name: string; run: Options; says: RegExp[] }[] = [
    {
      name: 'random',
      run: {
        epochs: 8,
        experiment: { mode: 'random', epochs: 8, validation: { every: 0, tasks: 1, rollouts: 1, temperature: 0 } },
      },
      says: [/In mode random the environment policy is frozen/, /This run has no validation/],
    },
    {
      name: 'paused',
      run: { epochs: 6, unfinished: true, experiment: { epochs: 20 } },
      says: [/This run is paused: 5 epochs of 20 measured/],
    },
    {
      name: 'empty',
      run: { epochs: 0, state: 'interrupted', experiment: { epochs: 5 } },
      says: [/No epoch has been measured yet/, /interrupted and can be resumed/],
    },
    { name: 'one-epoch', run: { epochs: 1 }, says: [/in epoch 1, outside the band/] },
    { name: 'big', run: { epochs: 300, families: 24, variations: 1, group: 4 }, says: [/families are drawn/] },
    {
      name: 'frozen-environment',
      run: {
        epochs: 5,
        experiment: {
          epochs: 5,
          environment: { ...syntheticSource('').manifest.experiment.environment, update: 'none' },
        },
      },
      says: [/environment\.update none does not train it/, /none taught it/],
    },
    {
      name: 'frozen-agent',
      run: {
        epochs: 5,
        experiment: { epochs: 5, agent: { ...syntheticSource('').manifest.experiment.agent, train: false } },
      },
      says: [/The agent is frozen in this run/],
    },
  ];
  for (const { name, run, says } of states) {
    it(`says plainly what is missing: ${name}`, async () => {
      const page = await open(name, run);
      const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
      for (const words of says) assert.match(text, words);
      assert.doesNotMatch(text, /NaN|undefined|Infinity|\[object/);
      const markup = await page.locator('main').innerHTML();
      assert.doesNotMatch(markup, /"[^"]*NaN[^"]*"/, 'no coordinate is NaN');
      await page.screenshot({ path: join(screenshots, `report-${name}.png`), fullPage: true });
    });
  }

  for (const scheme of ['light', 'dark'] as const) {
    for (const width of [1280, 420]) {
      it(`fits ${width} pixels, ${scheme}`, async () => {
        const page = await open(`fit-${scheme}-${width}`, options, { width, scheme });
        const overflow: unknown = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        assert.equal(overflow, 0, 'nothing scrolls sideways');
        await eventually(async () =>
          assert.deepEqual(await clippedTexts(page), [], 'every word of a chart lies inside the page'),
        );
        await page.screenshot({ path: join(screenshots, `report-${scheme}-${width}.png`), fullPage: true });
      });
    }
  }

  it('draws itself anew when its width changes', async () => {
    const page = await open('resize', options);
    await page.setViewportSize({ width: 700, height: 900 });
    await page.waitForFunction("document.querySelector('#calibration-chart svg').clientWidth < 700");
    await eventually(async () => assert.deepEqual(await clippedTexts(page), []));
    const { families } = await syntheticData(options);
    await eventually(async () => assert.equal(await page.locator('#calibration-chart .dot').count(), families.length));
  });

  it('prints in light colours without controls', async () => {
    const page = await open('print', options, { scheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    await eventually(async () => {
      assert.ok(await page.locator('#family-epoch').isHidden());
      assert.ok(await page.locator('#calibration-chart .twin').isHidden());
    });
    await eventually(async () =>
      assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(253, 253, 251)'),
    );
    await page.screenshot({ path: join(screenshots, 'report-print.png'), fullPage: true });
  });
});

/** Texts of drawings that reach over an edge of the page. */
async function clippedTexts(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.chart text')]
    .filter((text) => {
      const { left, right, width } = text.getBoundingClientRect();
      return width > 0 && (left < 0 || right > document.documentElement.clientWidth);
    })
    .map((text) => text.textContent)`);
}
