/** A study's results as a person meets them. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { planStudy } from '../../src/features/study/core/plan.ts';
import { readStudy } from '../../src/features/study/core/readStudy.ts';
import { studyResults } from '../../src/features/study/core/results.ts';
import type { MemberSummary } from '../../src/features/study/contract/file.ts';
import { studyNamed, studyShown, readAgain, type StudyResults } from '../../src/features/study/contract/page.ts';
import { eventually } from '../support/until.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import type { Theme } from '../support/webviews/themes.ts';

const summary = (end: number, seed: number): MemberSummary => ({
  ...{ rollouts: 5000, tokens: 90_000, seconds: 30, epochs: 20, updates: 20, ending: 'budget-rollouts' },
  successes: Array.from({ length: 20 }, (_, i) => 8 + ((i * 7 + seed) % 9)),
  attempts: Array.from({ length: 20 }, () => 32),
  complexity: { steps: Array.from({ length: 20 }, (_, i) => 3 + i / 10 + ((i * seed) % 3) / 5) },
  validatedAt: Array.from({ length: 21 }, (_, i) => i * 250),
  validation: Array.from({ length: 21 }, (_, i) => 0.29 + ((end - 0.29) * i) / 20 + ((i * 13 + seed * 5) % 7) / 900),
  evaluation: null,
});

function results(more: Record<string, unknown> = {}): StudyResults {
  const file = {
    ...{ version: 1, name: 'Curricula of the storekeeper', base: 'b.genenv.json', seeds: [1, 2, 3, 4, 5, 6, 7, 8] },
    arms: { genenv: {}, random: { mode: 'random' }, static: { mode: 'static' } },
    budget: { rollouts: 5120 },
    measures: [{ kind: 'validation' }, { kind: 'band' }, { kind: 'reaches', score: 0.38 }],
    ...more,
  };
  const reading = readStudy(JSON.stringify(file), 's');
  if ('problems' in reading) assert.fail(reading.problems[0]?.message);
  const base = { text: '{ "version": 1, "preset": "embedded", "name": "b" }', file: 'b' };
  const planned = planStudy(reading.study, base, reading.places);
  if ('problems' in planned) assert.fail(planned.problems[0]?.message);
  const ends = [0.39, 0.38, 0.36, 0.4, 0.37, 0.35, 0.41, 0.38, 0.36];
  const finished = new Map(
    planned.plan.members.map(({ name, arm, seed }) => {
      const at = planned.plan.arms.findIndex((one) => one.name === arm);
      return [name, summary((ends[at] ?? 0.36) + ((seed * 37) % 11) / 1000, seed)];
    }),
  );
  return studyResults(reading.study, planned.plan, finished, new Map());
}

describe('The page of a study', () => {
  const suite = pageSuite();

  it('says first what was found, and shows tables, courses and every seed', async () => {
    const shown = results();
    let asked = 0;
    const { page, state } = await suite.open('study', (channel) => {
      channel.handle(readAgain, () => {
        asked += 1;
        return null;
      });
      channel.emit(studyNamed, { study: 'file:///s.study.json' });
      channel.emit(studyShown, shown);
    });
    await eventually(async () => {
      assert.equal(await page.locator('h1').innerText(), 'Curricula of the storekeeper');
      assert.equal(await page.locator('.answers li').count(), shown.sentences.length);
      assert.equal(await page.locator('table').first().locator('tbody tr').count(), 3);
      assert.equal(await page.locator('path.mean').count(), 3);
      assert.equal(await page.locator('path.seed').count(), 0);
    });
    await page.getByLabel('A line per seed').check();
    await eventually(async () => assert.equal(await page.locator('path.seed').count(), 24));
    await page.getByLabel('What is drawn').selectOption('successRate');
    await eventually(async () =>
      assert.deepEqual(await Promise.resolve(state()), {
        study: 'file:///s.study.json',
        course: 'successRate',
        perSeed: true,
      }),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    await eventually(async () => assert.equal(await Promise.resolve(asked), 1));
  });

  it('draws a grid as lines through its values and as a map', async () => {
    const shown = results({
      arms: {},
      grid: { 'curriculum.alpha': [0.3, 0.5, 0.7], 'curriculum.kMin': [0.1, 0.2, 0.3] },
    });
    assert.deepEqual(shown.sentences.slice(0, 2), [
      '24 of 24 differences are not shown; the table has each.',
      'With 8 seeds p cannot fall below 0.0078: too few seeds to show a difference among 24 comparisons.',
    ]);
    const { page } = await suite.open('study', (channel) => channel.emit(studyShown, shown), {
      width: 1440,
      height: 1600,
    });
    await eventually(async () => {
      assert.equal(await page.locator('.heat rect').count(), 9);
      const value = 100 * (shown.arms[0]?.cells[0]?.mean ?? NaN);
      assert.equal(await page.locator('.heat .value').first().textContent(), value.toFixed(1));
    });
    await page.screenshot({ path: join(screenshots, 'study-grid.png'), fullPage: true });
  });

  for (const theme of ['dark', 'light', 'high-contrast'] satisfies Theme[]) {
    for (const width of [900, 1440]) {
      it(`keeps its place at ${width} px in ${theme}`, async () => {
        const view = { theme, width, height: 1100 };
        const { page } = await suite.open('study', (channel) => channel.emit(studyShown, results()), view);
        await eventually(async () => assert.equal(await page.locator('path.mean').count(), 3));
        await eventually(async () =>
          assert.ok(
            await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
            'no sideways scroll',
          ),
        );
        await page.screenshot({ path: join(screenshots, `study-${theme}-${width}.png`), fullPage: true });
      });
    }
  }
});
