/**
 * The calibration page in a real browser, with a host that folds a journal as the extension does. Screenshots go to
 * test/webview/screenshots.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { scoreFamilies } from '../../src/engine/phases/score.ts';
import type { EventOf, JournalEvent } from '../../src/shared/journal/events.ts';
import type { CalibrationFacts, RewardRow } from '../../src/features/calibration/contract.ts';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { pressAt } from '../support/focus.ts';
import { syntheticEvents } from '../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { eventually, until } from '../support/until.ts';
import type { OpenedPage } from '../support/webviews/openPage.ts';
import { atWidths } from '../support/webviews/atWidths.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots, type PageView } from '../support/webviews/pageSuite.ts';

const course = syntheticCourse({ epochs: 20 });
const events = syntheticEvents(course, { changeAt: 9 });
const scored = events.filter((event): event is EventOf<'families.scored'> => event.type === 'families.scored');
const lastScored = scored.at(-1)!;

const rewards = scored.map(({ epoch, successRate: { p, attempts } }): RewardRow => {
  return { epoch, attempts, reward: p!, success: p!, valid: 0.9, parts: { calls: 0.7, format: 0.95 }, sampled: 32 };
});

/** Events up to the end of an epoch. */
const upTo = (epoch: number): JournalEvent[] =>
  events.slice(0, events.findIndex((event) => event.type === 'epoch.finished' && event.epoch === epoch) + 1);

describe('the calibration page in a browser', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  const show = (host: ScriptedHost, view: PageView = {}): Promise<OpenedPage> =>
    suite.open('calibration', (channel) => host.open(channel), { height: 1000, ...view });

  function ofRun(facts: Partial<CalibrationFacts> = {}, some: Iterable<JournalEvent> = events): ScriptedHost {
    const host = new ScriptedHost(course.experiment, some, facts);
    if (some === events) for (const row of rewards) host.fold.addReward(row);
    return host;
  }

  /** The page, once it has drawn. */
  async function drawn(host: ScriptedHost, view: PageView = {}): Promise<Page> {
    const { page } = await show(host, view);
    await page.locator('.tiles li').first().waitFor();
    await holds(page, inked);
    return page;
  }

  const reader = (page: Page): Locator => page.locator('.cloud .chart-reader');
  const told = (page: Page): Promise<string | null> => reader(page).getAttribute('aria-valuetext');
  const outcome = async (page: Page, name: string): Promise<string[]> =>
    (await page.locator('.outcome tr', { hasText: name }).locator('td').allTextContents()).slice(0, 2);

  it('tells the newest epoch in figures, and draws every family', async () => {
    const page = await drawn(ofRun());
    await eventually(async () => {
      assert.equal(await page.locator('h1').textContent(), course.experiment.name);
      assert.match(await page.locator('.state').innerText(), /finished\s*epoch 20\/20/);
    });
    const tiles = (await page.locator('.tiles li').allInnerTexts()).join('\n');
    assert.match(tiles, new RegExp(`epoch 20\\s+${lastScored.successRate.p!.toFixed(2)}`));
    assert.match(
      tiles,
      new RegExp(`Kept for the update\\s+${lastScored.familiesKept} of ${lastScored.families.length}`),
    );
    await eventually(async () =>
      assert.equal(
        await page.locator('.cloud canvas[role=img]').getAttribute('aria-label'),
        await readingOf(page, 'families'),
      ),
    );
    for (const frame of await page.locator('.grid .frame').all()) {
      await frame.scrollIntoViewIfNeeded();
      await frame.locator('svg[viewBox], .frame-missing:visible').first().waitFor();
    }
    const markup = await page.locator('#root').innerHTML();
    assert.deepEqual(markup.match(/.{0,80}(NaN|undefined|\[object).{0,40}/g) ?? [], []);
  });

  it('draws evaluations on a benchmark where the run has them, with their interval, and nothing of it elsewhere', async () => {
    const without = await drawn(ofRun());
    await eventually(async () => assert.equal(await without.locator('#benchmark').count(), 0));
    const evaluation = { ...course.experiment.evaluation, every: 5, sample: 60, attempts: 3 };
    const measured = syntheticEvents({ ...course, experiment: { ...course.experiment, evaluation } });
    const page = await drawn(ofRun({}, measured));
    const frame = page.locator('#benchmark');
    await frame.scrollIntoViewIfNeeded();
    await frame.locator('svg[viewBox]').waitFor();
    await eventually(async () => {
      assert.match(
        (await readingOf(page, 'benchmark')) ?? '',
        /^On 60 tasks of Bamboogle pass@1 was 0\.\d\d \(0\.\d\d–0\.\d\d\) at the start and 0\.\d\d \(.*\) after epoch 20\. 3 of 180 attempts were cut off at their length \(rollouts\.maxTokens\)\.$/,
      );
      assert.equal(await frame.locator('.line').count(), 2, 'pass@1 and pass@3');
    });
    await page.screenshot({ path: join(screenshots, 'calibration-benchmark.png') });
  });

  const readingOf = (page: Page, id: string): Promise<string | null> => page.locator(`#${id}-reading`).textContent();

  it('says what happens now while nothing is measured, and draws as soon as something is', async () => {
    const host = ofRun({ state: 'running', writer: 'here' }, events.slice(0, 3));
    host.progress = {
      phases: [{ phase: 'attempt', epoch: 1, done: 7, total: 448, job: null }],
      pausing: 'no',
      silences: [],
    };
    const { page, channel } = await show(host);
    await page.getByText('Epoch 1: attempting tasks, 7 of 448').first().waitFor();
    await eventually(async () => assert.equal(await page.locator('.empty progress').getAttribute('value'), '7'));
    host.append(channel, upTo(1));
    await page.locator('.tiles li').first().waitFor();
    await eventually(async () => assert.ok(await page.locator('.empty').isHidden()));
    host.append(channel, upTo(3));
    await page.locator('.scrubber output', { hasText: '3' }).waitFor();
    await eventually(async () => assert.match((await readingOf(page, 'families')) ?? '', /in epoch 3;/));
  });

  it('says how a job goes that does a phase elsewhere', async () => {
    const job = (state: 'queued' | 'running', done: number, total: number) =>
      ({ phase: 'agent job', epoch: 1, done, total, job: state }) as const;
    for (const [told, text] of [
      [job('queued', 0, 0), 'Epoch 1: attempting tasks and updating the agent, its job is queued'],
      [job('running', 2, 0), 'Epoch 1: attempting tasks and updating the agent, its job at step 2'],
      [job('running', 2, 8), 'Epoch 1: attempting tasks and updating the agent, its job at step 2 of 8'],
    ] as const) {
      const host = ofRun({ state: 'running', writer: 'here' }, events.slice(0, 3));
      host.progress = { phases: [told], pausing: 'no', silences: [] };
      const { page } = await show(host);
      await page.getByText(text, { exact: true }).first().waitFor();
    }
  });

  it('names the epoch under way beside its activity, as the tree and the status bar do', async () => {
    const host = ofRun({ state: 'running', writer: 'here', epoch: 3 }, upTo(2));
    host.progress = {
      phases: [{ phase: 'attempt', epoch: 3, done: 7, total: 448, job: null }],
      pausing: 'no',
      silences: [],
    };
    const { page } = await show(host);
    await page.getByText('Epoch 3: attempting tasks, 7 of 448').first().waitFor();
    await eventually(async () => assert.match(await page.locator('.state').innerText(), /running\s*epoch 3\/20/));
  });

  it('looks at the epoch that is chosen, and follows the newest again', async () => {
    const host = ofRun({ state: 'running', writer: 'here' }, upTo(10));
    const { page, channel } = await show(host);
    await page.locator('.tiles li').first().waitFor();
    await page.locator('body').press('ArrowLeft');
    await page.locator('body').press('ArrowLeft');
    await page.locator('#epoch-families .frame-value', { hasText: 'epoch 8' }).waitFor();
    host.append(channel, upTo(12));
    await page.locator('.tile-label', { hasText: 'epoch 12' }).first().waitFor();
    await eventually(async () =>
      assert.equal(await page.locator('#epoch-families .frame-value').textContent(), 'epoch 8'),
    );
    await page.getByRole('button', { name: 'newest' }).click();
    await page.locator('#epoch-families .frame-value', { hasText: 'epoch 12' }).waitFor();
    host.append(channel, upTo(13));
    await page.locator('#epoch-families .frame-value', { hasText: 'epoch 13' }).waitFor();
  });

  it('is read with the keyboard: epochs, families, and the way to a family in the tree', async () => {
    const host = ofRun();
    const page = await drawn(host);
    await reader(page).focus();
    await pressAt(reader(page), 'Home');
    await eventually(async () => assert.match((await told(page)) ?? '', /^Epoch 1 · mean p̂/));
    await pressAt(reader(page), 'ArrowUp');
    const hardest = scored[0]!.families.reduce((a, b) => (b.successRate.p! < a.successRate.p! ? b : a));
    await eventually(async () =>
      assert.match((await told(page)) ?? '', new RegExp(`p̂ ${hardest.successRate.p!.toFixed(2)}`)),
    );
    await holds(
      page,
      `document.querySelector('.cloud .chart-reader').getAttribute('aria-valuetext').includes('${hardest.id}')`,
    );
    await pressAt(reader(page), 'Enter');
    await asked(host, 'reveal', { epoch: 1, family: scored[0]!.families.indexOf(hardest) });
    await pressAt(reader(page), 'PageUp');
    await eventually(async () => assert.match((await told(page)) ?? '', /^Epoch 11 /));
    await pressAt(reader(page), 'Enter');
    await page.locator('#epoch-families .frame-value', { hasText: 'epoch 11' }).waitFor();
    await pressAt(reader(page), 'ArrowLeft', 'ArrowLeft');
    await eventually(async () => assert.match((await told(page)) ?? '', /changed: β 10 → 15 \(a person\)/));
  });

  it('selects families by dragging, counts them and shows them in the tree', async () => {
    const host = ofRun();
    const page = await drawn(host);
    const box = (await reader(page).boundingBox())!;
    await page.mouse.move(box.x + 200, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 200, { steps: 4 });
    await page.mouse.up();
    const field = (name: string): Promise<number> => page.getByLabel(name).inputValue().then(Number);
    await page.locator('.selection').waitFor();
    const [from, to] = [await field('First epoch'), await field('Last epoch')];
    const [low, high] = [await field('Lowest p̂'), await field('Highest p̂')];
    assert.ok(from < to && low < high);
    const inside = scored
      .filter(({ epoch }) => epoch >= from && epoch <= to)
      .flatMap(({ families }) => families)
      .filter(({ successRate: { p } }) => p! >= low && p! <= high);
    await page.getByRole('button', { name: `Show ${inside.length} families in the tree` }).click();
    await asked(host, 'filter', { epochs: [from, to], successRate: [low, high] });
    // So do the tables: of all epochs, and of the one looked at.
    await page.locator('body').press('t');
    await page.locator(`#families table[aria-rowcount="${inside.length + 1}"]`).waitFor();
    await page.locator('#families').getByText('The table has the selected families only.').waitFor();
    await page.getByLabel('Last epoch').fill('20');
    await page.getByLabel('Last epoch').press('Tab');
    const ofLast = scored.at(-1)?.families ?? assert.fail('there is no epoch');
    const both = ofLast.filter(({ successRate: { p } }) => p! >= low && p! <= high).length;
    assert.ok(both < ofLast.length);
    const last = page.locator('#epoch-families');
    await last.locator(`table[aria-rowcount="${both + 1}"]`).waitFor();
    await last.getByText(`The table has ${both} of ${ofLast.length} families: those selected above.`).waitFor();
    await page.getByLabel('Highest p̂').fill('1');
    await page.getByLabel('Highest p̂').press('Tab');
    await page.getByRole('button', { name: /Clear the selection/ }).click();
    await page.locator('.selection').waitFor({ state: 'hidden' });
    await last.locator(`table[aria-rowcount="${ofLast.length + 1}"]`).waitFor();
  });

  it('selects epochs with the keyboard', async () => {
    const page = await drawn(ofRun());
    await reader(page).focus();
    await pressAt(reader(page), 'End');
    for (let i = 0; i < 4; i++) await pressAt(reader(page), 'Shift+ArrowLeft');
    await until('four epochs more', async () => (await page.getByLabel('First epoch').inputValue()) === '16');
    await eventually(async () => assert.equal(await page.getByLabel('Last epoch').inputValue(), '20'));
    await pressAt(reader(page), 'Escape');
    await page.locator('.selection').waitFor({ state: 'hidden' });
  });

  it('has every chart as a table one key away, and out of the editor as CSV and SVG', async () => {
    const host = ofRun();
    const page = await drawn(host);
    await page.locator('body').press('t');
    const rows = scored.flatMap(({ families }) => families).length;
    await page.locator(`#families table[aria-rowcount="${rows + 1}"]`).waitFor();
    await eventually(async () => assert.ok(await page.locator('.cloud').isHidden()));
    for (const frame of await page.locator('.grid .frame').all()) {
      const id = (await frame.getAttribute('id')) ?? '';
      await frame.scrollIntoViewIfNeeded();
      await frame.locator('.chart-reader').focus();
      await pressAt(frame, 't');
      await frame.locator('tbody th').first().waitFor();
      await pressAt(frame, 't');
      await frame.locator('svg[viewBox]').waitFor();
      await eventually(async () => assert.ok((await frame.locator('.frame-reading').textContent())!.length > 20, id));
      await frame.getByRole('button', { name: 'Save as CSV' }).click();
      const { kind, name, text } = await saved(host, id, 'csv');
      assert.deepEqual([kind, name], ['csv', id]);
      assert.ok(text.trimEnd().split('\r\n').length > 10, `${id} has rows`);
      assert.doesNotMatch(text, /NaN|undefined/);
      await frame.getByRole('button', { name: 'Save as SVG' }).click();
      const drawing = await saved(host, id, 'svg');
      assert.match(drawing.text, /^<svg xmlns=.*<\/svg>\n$/s);
    }
    await page.locator('#families').getByRole('button', { name: 'Save as CSV' }).click();
    const csv = (await saved(host, 'families', 'csv')).text.trimEnd().split('\r\n');
    assert.equal(csv.length, rows + 1);
    const solved = csv.slice(1).reduce((sum, line) => sum + Number(line.split(',')[4]), 0);
    assert.equal(
      solved,
      scored.reduce((sum, { successRate: { successes } }) => sum + successes, 0),
    );
    await page.locator('#families').getByRole('button', { name: 'Save as SVG' }).click();
    const svg = (await saved(host, 'families', 'svg')).text;
    const valid: unknown = await page.evaluate(
      `new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml').querySelector('parsererror') === null`,
    );
    assert.equal(valid, true);
  });

  it('scores recorded attempts again as the loop would have, and asks the run to go on so', async () => {
    const host = ofRun({ state: 'running', writer: 'here' });
    const page = await drawn(host);
    await eventually(async () => {
      assert.deepEqual(await outcome(page, 'Families kept'), [
        `${lastScored.familiesKept}`,
        `${lastScored.familiesKept}`,
      ]);
      assert.ok(await page.getByRole('button', { name: 'Apply from Next Epoch' }).isDisabled());
    });
    const field = page.getByRole('spinbutton', { name: /^k_min/ });
    await field.fill('0.1');
    const { tasks, traces } = course.epoch(20);
    const groups = tasks.map((task) => ({ task, traces: traces.filter((trace) => trace.task === task.id) }));
    const would = scoreFamilies(groups, [], { ...course.experiment.curriculum, kMin: 0.1 }, false);
    assert.notEqual(would.familiesKept, lastScored.familiesKept);
    await holds(
      page,
      `[...document.querySelectorAll('.outcome tr')].some((row) => row.textContent.startsWith('Families kept') && row.cells[2].textContent === '${would.familiesKept}')`,
    );
    const again = await outcome(page, 'Effective sample size');
    assert.equal(Number(again[1]), Number(would.effectiveSampleSize.toPrecision(2)));
    await eventually(async () => assert.ok((await page.locator('.shifts li .link').count()) > 0));
    await page.getByRole('button', { name: 'Apply from Next Epoch' }).click();
    await asked(host, 'apply', { changes: [{ field: 'curriculum.kMin', value: 0.1 }] });
    await page.getByText('k_min 0.25 → 0.1 was requested').waitFor();
    host.refusal = new Error('The run is finished: nothing comes after it.');
    await page.getByRole('button', { name: 'Apply from Next Epoch' }).click();
    await page.getByText('nothing comes after it').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await until('the run’s own value', async () => (await field.inputValue()) === '0.25');
  });

  it('scores recorded attempts by another kind of reward, which a run cannot take', async () => {
    const host = ofRun();
    const page = await drawn(host);
    const before = await page.locator('.outcome').innerText();
    await page.getByLabel('Reward', { exact: true }).selectOption('proposer');
    await eventually(async () => {
      assert.notEqual(await page.locator('.outcome').innerText(), before);
      assert.match(await page.locator('.what-if-reward').innerText(), /0 for one that is never or always solved/);
      assert.match(await page.locator('.what-if').innerText(), /A run keeps its kind of reward/);
      assert.ok(await page.getByRole('button', { name: 'Apply from Next Epoch' }).isHidden());
    });
    await page.getByRole('spinbutton', { name: /^k_min/ }).fill('0.1');
    await page.getByRole('button', { name: 'Branch with These Values…' }).click();
    await asked(host, 'steer', {
      action: 'branch',
      epoch: null,
      changes: ['curriculum.reward.kind=proposer', 'curriculum.kMin=0.1'],
    });
    await page.locator('.what-if').screenshot({ path: join(screenshots, 'calibration-reward.png') });
    await page.getByLabel('Reward', { exact: true }).selectOption('progress');
    await page.getByText('Unknown here').waitFor();
  });

  it('compares over the selection and over all epochs', async () => {
    const page = await drawn(ofRun());
    await page.getByLabel('Epochs to score again').selectOption('all');
    const kept = scored.reduce((sum, { familiesKept }) => sum + familiesKept, 0);
    await holds(page, `document.querySelector('.outcome tbody td').textContent === '${kept}'`);
    await reader(page).focus();
    await pressAt(reader(page), 'End', 'Shift+ArrowLeft');
    await page.locator('.selection').getByRole('button', { name: 'What if' }).click();
    const two = scored.slice(-2).reduce((sum, { familiesKept }) => sum + familiesKept, 0);
    await holds(page, `document.querySelector('.outcome tbody td').textContent === '${two}'`);
  });

  it('comes back as it was left', async () => {
    const host = ofRun();
    const opened = await show(host);
    const { page } = opened;
    await page.locator('.tiles li').first().waitFor();
    for (let i = 0; i < 5; i++) await page.locator('body').press('ArrowLeft');
    await page.getByRole('spinbutton', { name: /^β/ }).fill('25');
    await reader(page).focus();
    await pressAt(reader(page), '+', 'End', 'Shift+ArrowLeft');
    await holds(page, "document.querySelector('.selection').hidden === false");
    await page.getByLabel('Smoothing').selectOption('mean of 15 points');
    const measured = page.locator('#reward .line-measured');
    await page.locator('#reward').scrollIntoViewIfNeeded();
    await measured.first().waitFor();
    await page.waitForTimeout(400);
    await opened.page.reload();
    await page.locator('.selection').waitFor();
    await eventually(async () => {
      assert.equal(await page.locator('#epoch-families .frame-value').textContent(), 'epoch 15');
      assert.equal(await page.getByRole('spinbutton', { name: /^β/ }).inputValue(), '25');
      assert.equal(await page.getByLabel('First epoch').inputValue(), '19');
    });
    await page.locator('#reward').scrollIntoViewIfNeeded();
    await measured.first().waitFor();
  });

  it('says why the run cannot be read on, and keeps what it has', async () => {
    const { page, channel } = await show(ofRun());
    await page.locator('.tiles li').first().waitFor();
    const { calibrationEvents } = await import('../../src/features/calibration/contract.ts');
    channel.emit(calibrationEvents.failed, { message: 'journal.jsonl, line 7: not JSON.', remedy: 'Restore it.' });
    await page.getByText('journal.jsonl, line 7: not JSON. Restore it.').waitFor();
    await eventually(async () => assert.ok(await page.locator('.cloud').isVisible()));
  });

  it('shows hostile names as text', async () => {
    const page = await drawn(ofRun({ name: '<img src=x onerror="document.title=1"><b>bold</b>' }));
    await eventually(async () => {
      assert.equal(await page.locator('h1').textContent(), '<img src=x onerror="document.title=1"><b>bold</b>');
      assert.equal(await page.locator('img, h1 b').count(), 0);
    });
  });

  it('fits 1400 and 700 pixels in each theme', async () => {
    const page = await drawn(ofRun());
    await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
      await atWidths(page, [1400, 700], async (width) => {
        await eventually(async () => {
          const overflow: unknown = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          assert.equal(overflow, 0, 'nothing scrolls sideways');
        });
        await page.screenshot({ path: join(screenshots, `calibration-${theme}-${width}.png`) });
      });
    });
  });

  /** The page's request to its host, once sent. */
  async function asked(host: ScriptedHost, name: string, params: unknown): Promise<void> {
    const found = await until(name, () => host.asked.findLast((one) => one.name === name));
    assert.deepEqual(found.params, params);
    host.asked.length = 0;
  }

  async function saved(
    host: ScriptedHost,
    id: string,
    kind: string,
  ): Promise<{ name: string; kind: string; text: string }> {
    return until(`${id} as ${kind}`, () => host.saved.find((file) => file.name === id && file.kind === kind));
  }
});

/** The cloud's canvas holds more than its background. */
const inked = `(() => {
  const canvas = document.querySelector('.cloud canvas');
  if (canvas === null || canvas.width < 400) return false;
  return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte > 0);
})()`;

/** Waits until an expression holds in the page; its own way of waiting is refused by our policy. */
async function holds(page: Page, expression: string): Promise<void> {
  await until(expression, async () => (await page.evaluate(expression)) === true);
}
