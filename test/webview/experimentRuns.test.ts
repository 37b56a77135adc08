/** The experiment form beside runs: of the one that was started from it, and as the draft of a branch. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { nothingUsed } from '../../src/shared/money/used.ts';
import * as contract from '../../src/features/experiment/contract.ts';
import { presets } from '../../src/shared/experiment/presets.ts';
import { eventually, until } from '../support/until.ts';
import { formSuite, study } from '../support/webviews/experimentForm.ts';
import { screenshots } from '../support/webviews/pageSuite.ts';
import { TextHost } from '../support/webviews/textHost.ts';

describe('the experiment form beside runs', function () {
  this.timeout(240_000);
  const shown = formSuite();
  const underWay: contract.FormRun = {
    ...{ dir: '/runs/one', name: 'a study', epoch: 12, epochs: 100, state: 'running', asked: [] },
    experiment: { ...presets.embedded, name: 'a study' },
  };

  it('compares with the run that was started from it, and applies what can change', async () => {
    const host = new TextHost(study);
    host.run = underWay;
    const { page, channel, number } = await shown(host);
    const banner = page.getByRole('region', { name: 'Run of this experiment' });
    await number('Random seed').fill('5');
    await until('both differences are shown', async () => /2 settings differ/.test(await banner.innerText()));
    const text = await banner.innerText();
    assert.match(text, /has finished epoch 12 of 100/);
    assert.match(text, /α 0\.5 → 0\.4 from the next scoring/);
    assert.match(text, /Cannot change during a run.*Random seed 1 → 5/s);
    await page.screenshot({ path: join(screenshots, 'experiment-dark-run.png') });
    await banner.getByRole('button', { name: 'Apply to the Run' }).click();
    await until('it is asked for', () => host.applied.length === 1);
    assert.deepEqual(host.applied, [{ run: '/runs/one', changes: ['curriculum.alpha=0.4'] }]);
    channel.emit(contract.runChanged, { ...underWay, epoch: 13, asked: ['curriculum.alpha=0.4'] });
    await until('it waits', async () => /Requested from the run/.test(await banner.innerText()));
    await eventually(async () =>
      assert.equal(await banner.getByRole('button', { name: 'Apply to the Run' }).count(), 0),
    );
  });

  it('opens the calibration of its own run first, and starts another run second', async () => {
    const host = new TextHost(study.replace('"alpha": 0.4', '"alpha": 0.5'));
    host.run = underWay;
    const { page, channel, number } = await shown(host);
    const primary = page.locator('[appearance=primary]:visible');
    const primaryIs = (texts: string[]) =>
      eventually(async () => assert.deepEqual(await primary.allInnerTexts(), texts));
    await primaryIs(['Open Calibration']);
    await primary.click();
    await until('it is opened', () => host.asked.includes('calibration of /runs/one'));
    const again = page.locator('[appearance=secondary]', { hasText: 'Start Another Run' });
    await eventually(async () => assert.match((await again.getAttribute('title')) ?? '', /beside “a study”/));
    await number('Target success rate').fill('0.4');
    await primaryIs(['Apply to the Run']);
    await again.click();
    await until('it is started', () => host.asked.includes('start'));
    channel.emit(contract.runChanged, null);
    await primaryIs(['Start Run']);
  });

  it('is the draft of a branch: says what differs from the run, and makes it', async () => {
    const host = new TextHost(study);
    const { page, channel, number } = await shown(host);
    channel.emit(contract.branchChanged, {
      name: 'a run',
      epoch: 12,
      reward: 'mine.reward.ts',
      epochs: [0, 4, 12],
      shared: {
        ...{ tokens: 0, rollouts: 0, seconds: 0, cut: null },
        used: nothingUsed,
        validated: true,
        evaluated: false,
      },
      experiment: { ...presets.embedded, name: 'a run' },
    });
    const banner = page.getByRole('region', { name: 'Branch of a run' });
    await banner.getByText('1 setting differs.').waitFor();
    await page
      .locator('.work')
      .getByText(/^epochs 13 to 100: 512 rollouts an epoch, 45\.1 k in all/)
      .waitFor();
    await number('Random seed').fill('5');
    await until('both are shown', async () => /α 0\.5 → 0\.4/.test(await banner.innerText()));
    await banner.getByText('2 settings differ.').waitFor();
    await banner.getByText('Judged by “mine.reward.ts”').waitFor();
    // One primary button a view: this one would begin a run anew.
    await page.locator('[appearance=secondary]', { hasText: 'Start from the Beginning' }).waitFor();
    await page.screenshot({ path: join(screenshots, 'experiment-branch.png') });
    await banner.getByLabel('Epoch to branch after').selectOption('4');
    await until('another epoch is asked for', () => host.asked.includes('branch at 4'));
    await banner.getByRole('button', { name: 'Branch with These Values' }).click();
    await until('it is made', () => host.branched.length === 1);
    const [made] = host.branched;
    assert.equal(made?.name, 'a study');
    assert.deepEqual(made.changes.toSorted(), ['curriculum.alpha=0.4', 'seed=5']);
  });

  const reruns = { en: 'Rerun with These Values', de: 'Mit diesen Werten erneut ausführen' };
  for (const [language, words] of Object.entries(reruns)) {
    it(`was made to rerun a run: its button says so, in ${language}`, async () => {
      const host = new TextHost(study);
      const { page, channel } = await shown(host, language === 'en' ? {} : { language });
      const start = page.locator('.actions [appearance=primary]');
      const plain = language === 'en' ? 'Start Run' : 'Lauf starten';
      await eventually(async () => assert.equal(await start.innerText(), plain));
      channel.emit(contract.rerunChanged, { name: 'a run' });
      await eventually(async () => {
        assert.equal(await start.innerText(), words);
        assert.match((await start.getAttribute('title')) ?? '', /[“„]a run[”“]/);
      });
      await start.click();
      await until('it is started', () => host.asked.includes('start'));
      channel.emit(contract.rerunChanged, null);
      await eventually(async () => assert.equal(await start.innerText(), plain));
    });
  }
});
