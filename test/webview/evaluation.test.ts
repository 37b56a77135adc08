/** The page of an evaluation as a person meets it. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
  compareWith,
  continueEvaluation,
  evaluationProgress,
  evaluationShown,
  failingAttempts,
  openAttempt,
  stopEvaluation,
  type EvaluationState,
} from '../../src/features/evaluation/contract.ts';
import { pressAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { rows, whole, details, failure } from '../support/webviews/samples/evaluation.ts';

describe('the page of an evaluation', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function opened(state: EvaluationState, view: { width?: number; height?: number } = {}) {
    const sent: unknown[] = [];
    const one = await suite.open(
      'evaluation',
      (channel) => {
        channel.handle(failingAttempts, ({ from, to }) =>
          Array.from({ length: Math.max(0, Math.min(to, state.failing) - from) }, (_, i) => failure(from + i)),
        );
        channel.handle(openAttempt, ({ id }) => {
          sent.push(['open', id]);
          return null;
        });
        for (const [name, request] of Object.entries({ continueEvaluation, stopEvaluation, compareWith })) {
          channel.handle(request, () => {
            sent.push([name]);
            return null;
          });
        }
        channel.emit(evaluationShown, state);
      },
      view,
    );
    await one.page.getByRole('heading', { level: 1 }).filter({ hasText: state.benchmark }).waitFor();
    const told = async (count: number): Promise<void> => {
      await until(`${count} calls`, () => sent.length >= count);
    };
    return { ...one, sent, told };
  }

  it('has scores with intervals, and the paper’s figures beside them, said to be the paper’s', async () => {
    const { page } = await opened(whole);
    const tables = page.getByRole('table');
    const scores = await tables.first().innerText();
    assert.match(scores, /multiple\s+25\s+53 of 100\s+53\.0 %\s*44\.0–61\.0\s+77\.0 %/);
    // Unjudged attempts are wrong, and the figures over answered ones are beside them.
    assert.match(scores, /all\s+100\s+194 of 400\s+48\.5 %[^]*48\.7 % of 398/);
    const paper = await tables.nth(1).innerText();
    assert.match(paper, /paper-reported/);
    assert.match(paper, /GenEnv 7B\s+41\.8 %[^]*Qwen3 32B\s+33\.8 %[^]*Qwen2\.5 7B/, 'the best first');
    await page.getByText('non-live: not given, as these were not run: simple_java').waitFor();
    await page.getByText('live, as its authors compute it: 35.0 %; of those answered 36.0 %').waitFor();
    await eventually(async () => {
      assert.match(await page.getByRole('status').innerText(), /^All 400 attempts are there · 2 could not be judged/);
      assert.equal(await page.getByRole('button', { name: 'Go On' }).count(), 0);
    });
  });

  it('says why there is no official total, why attempts were not answered, and what the paper measured', async () => {
    const { page } = await opened({
      ...{ ...whole, answered: 380, canContinue: true },
      totals: [{ name: 'accuracy', value: null, answered: 0.41, missing: [] }],
      unofficial: [
        { kind: 'sample', tasks: 100, of: 2501 },
        { kind: 'records', split: 'multiple', fit: 150, expected: 200 },
      ],
      unanswered: [{ cause: 'The prompt is too long.', count: 20 }],
      paper: {
        ...{ benchmark: 'BFCL', protocol: 'the long-context subset, each turn by itself' },
        ...{ differs: 'single-turn categories are asked', models: null },
      },
    });
    await page.getByText('accuracy: no official total; of those answered 41.0 %').waitFor();
    await page.getByText('No official total: 100 of 2,501 tasks are a sample.').waitFor();
    await page.getByText('split multiple has 150 tasks, and its authors say 200').waitFor();
    await eventually(async () =>
      assert.match(
        await page.getByRole('status').innerText(),
        /^380 of 400 attempts are there · the others were not answered, and count as wrong · The prompt is too long\. \(20\) · 2/,
      ),
    );
    await page.getByText('Here single-turn categories are asked, so its figures are not comparable').waitFor();
    await eventually(async () =>
      assert.equal(await page.getByRole('table').count(), 1, 'no figures of another protocol'),
    );
  });

  it('has the tables that authors give beside their totals, which stay open', async () => {
    const state: EvaluationState = { ...whole, details };
    const { page, channel } = await opened(state);
    await page.getByText('rates by level and days').click();
    await page.getByRole('row', { name: /^final 12 of 15/ }).waitFor();
    channel.emit(evaluationShown, { ...state, answered: 399 });
    await page.getByText('399 of 400 attempts').waitFor();
    await eventually(async () => assert.ok(await page.getByRole('row', { name: /^final 12 of 15/ }).isVisible()));
  });

  it('lists what was not right, and opens an attempt by key', async () => {
    const { page, sent, told } = await opened(whole);
    await page.getByRole('heading', { name: 'Not right: 204' }).waitFor();
    await page.getByRole('row', { name: /^wrong, live_simple_0, r0, live_simple, value_error/ }).waitFor();
    await page.locator('.virtual-row').first().focus();
    await pressAt(page.getByRole('grid'), 'ArrowDown', 'Enter');
    await told(1);
    assert.deepEqual(sent, [['open', 'b0/live_simple_1/r1']]);
  });

  it('goes on where it was interrupted, shows how far it is, and can be stopped', async () => {
    const cut = { ...whole, answered: 130, finished: false, canContinue: true };
    const { page, sent, told, channel } = await opened(cut);
    await eventually(async () =>
      assert.match(
        await page.getByRole('status').innerText(),
        /^130 of 400 attempts are there · .*its answers are kept/,
      ),
    );
    await page.getByRole('button', { name: 'Go On' }).focus();
    await pressAt(page.getByRole('button', { name: 'Go On' }), 'Enter');
    await told(1);
    channel.emit(evaluationShown, { ...cut, canContinue: false, running: true });
    channel.emit(evaluationProgress, { done: 151, total: 400, right: 70 });
    await page.getByText('151 of 400 attempts, 70 right').waitFor();
    await eventually(async () => {
      assert.equal(await page.getByRole('progressbar').getAttribute('value'), '151');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Stop', 'the focus has a place');
    });
    await pressAt(page.getByRole('button', { name: 'Stop' }), 'Enter');
    await page.getByRole('button', { name: 'Compare with Another…' }).click();
    await told(3);
    assert.deepEqual(sent, [['continueEvaluation'], ['stopEvaluation'], ['compareWith']]);
  });

  it('says what cannot be read, and that nothing was wrong', async () => {
    const { page } = await opened({
      ...{ ...whole, failing: 0, errors: 0, paper: null, totals: [], rows: rows.slice(0, 1) },
      damaged: ['answers.jsonl:7 is torn.'],
    });
    await page.getByRole('alert').getByText('answers.jsonl:7 is torn.').waitFor();
    await page.getByRole('heading', { name: 'Every attempt so far is right' }).waitFor();
    await eventually(async () => {
      assert.equal(await page.getByRole('table').count(), 1);
      assert.equal(await page.getByRole('grid').count(), 0);
    });
  });

  it('is seen in each theme', async () => {
    const elsewhere = { benchmark: 'BFCL', protocol: 'the long-context subset, each turn by itself', models: null };
    const state: EvaluationState = {
      ...{ ...whole, details, answered: 380, paper: { ...elsewhere, differs: 'single-turn categories are asked' } },
      unofficial: [{ kind: 'sample', tasks: 100, of: 2501 }],
      unanswered: [{ cause: 'The prompt is too long.', count: 20 }],
    };
    const { page } = await opened(state);
    await page.getByRole('row', { name: /live_simple_3/ }).waitFor();
    await page.getByText('rates by level and days').click();
    await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
      const beyond = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      assert.ok(beyond <= 0, `${beyond} pixels wider than the page`);
      await page.screenshot({ path: join(screenshots, `evaluation-${theme}.png`) });
      await page.getByText('rates by level and days').scrollIntoViewIfNeeded();
      await page.getByRole('row', { name: /^final 12 of 15/ }).scrollIntoViewIfNeeded();
      await page.screenshot({ path: join(screenshots, `evaluation-details-${theme}.png`) });
    });
  });
});
