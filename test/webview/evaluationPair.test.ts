/** Two evaluations on one benchmark as a person meets them. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openPair, pairShown, type PairRow, type PairState } from '../../src/features/evaluation/contract.ts';
import { pressAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { unevenLines } from '../support/webviews/unevenLines.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

const row = (kind: PairRow['kind'], number: number, rights: [string, string]): PairRow => ({
  ...{ task: `simple_${number}`, category: 'simple', kind, rights },
});

const state: PairState = {
  benchmark: 'BFCL',
  sides: [
    { folder: '/e/a', name: 'agent@0 · vLLM on gpu-1', attempts: 1, pass: 0.41 },
    { folder: '/e/b', name: 'agent@12 · 20261122-demo', attempts: 1, pass: 0.455 },
  ],
  findings: [
    'B − A: +4.5 points, 95 % interval −1.3 to +10.3.',
    '21 gained, 12 lost: p = 0.16 (McNemar’s exact test, two-sided; interval of Bonett and Price).',
    '200 tasks of both; 0 of one alone left out.',
  ],
  equal: 70,
  rows: [
    ...Array.from({ length: 21 }, (_, i) => row('gained', i, ['0/1', '1/1'])),
    ...Array.from({ length: 12 }, (_, i) => row('lost', 30 + i, ['1/1', '0/1'])),
    ...Array.from({ length: 97 }, (_, i) => row('missed', 50 + i, ['0/1', '0/1'])),
  ],
};

describe('two evaluations', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  for (const [theme, width] of [
    ['dark', 1440],
    ['light', 900],
  ] as const) {
    it(`show what was gained, lost and missed, and open both answers (${theme}, ${width})`, async () => {
      const sent: string[] = [];
      const { page, state: kept } = await suite.open(
        'evaluation',
        (channel) => {
          channel.handle(openPair, ({ task }) => {
            sent.push(task);
            return null;
          });
          channel.emit(pairShown, state);
        },
        { theme, width },
      );
      await page.getByRole('heading', { name: 'Two evaluations on BFCL' }).waitFor();
      await page.getByText('21 gained, 12 lost: p = 0.16').waitFor();
      await page.getByRole('row', { name: 'simple_0, Gained, A 0/1, B 1/1, simple' }).click();
      await page.screenshot({ path: join(screenshots, `evaluation-pair-${theme}-${width}.png`) });
      await eventually(async () => assert.deepEqual(await unevenLines(page), []), 3);
      await page.getByRole('button', { name: 'Lost 12' }).click();
      const lost = page.getByRole('row', { name: 'simple_30, Lost' });
      await lost.waitFor();
      await lost.focus();
      await pressAt(lost, 'Enter');
      await page.getByRole('button', { name: 'Missed by both 97' }).click();
      await page.getByRole('row', { name: 'simple_50, Missed by both' }).waitFor();
      await until('both', () => sent.length === 2);
      assert.deepEqual(sent, ['simple_0', 'simple_30']);
      assert.deepEqual(kept(), { folders: ['/e/a', '/e/b'] });
    });
  }
});
