/** Room for the fields that count: a compact head in a small window, and fields without effect folded away. */
import assert from 'node:assert/strict';
import * as contract from '../../src/features/experiment/contract.ts';
import { presets } from '../../src/shared/experiment/presets.ts';
import { eventually, until } from '../support/until.ts';
import { cutTexts } from '../support/webviews/cutTexts.ts';
import { formSuite, study } from '../support/webviews/experimentForm.ts';
import { TextHost } from '../support/webviews/textHost.ts';

describe('the room of the experiment form', function () {
  this.timeout(240_000);
  const shown = formSuite();

  for (const language of ['en', 'de'])
    it(`leaves most of a small window to its fields, in ${language}`, async () => {
      const host = new TextHost(study);
      host.run = {
        ...{ dir: '/runs/one', name: 'a study', epoch: 12, epochs: 100, state: 'running', asked: [] },
        experiment: { ...presets.embedded, name: 'a study' },
      };
      const view = { width: 900, height: 700, ...(language === 'de' && { language }) };
      const { page } = await shown(host, view);
      await page.locator('.banner:visible').waitFor();
      await eventually(async () => {
        const { y = 700 } = (await page.locator('.groups').boundingBox()) ?? {};
        assert.ok(y < 700 / 3, `fields begin at ${y} px`);
        assert.deepEqual(await cutTexts(page), []);
        const mode = page.locator('.head-mode');
        assert.equal(await mode.getAttribute('title'), await mode.locator('.choice').textContent());
      });
    });

  it('folds fields without effect under one line of their group, where search, keys and problems find them', async () => {
    const host = new TextHost(study.replace('"alpha": 0.4', '"alpha": 0.4, "reward": { "kind": "proposer" }'));
    const { page, row, number, channel, state } = await shown(host);
    const fold = page.locator('#group-curriculum details');
    const line = fold.locator('summary');
    await eventually(async () => assert.match(await line.innerText(), /^\d+ fields without effect here$/));
    await eventually(async () => assert.ok(await row('curriculum.beta').isHidden()));
    await line.press('Enter');
    await row('curriculum.beta').getByText('Only reward “kernel” reads it; this one is “proposer”.').waitFor();
    await until('it is kept open', () => JSON.stringify(state()).includes('"open":["curriculum"]'));
    await page.reload();
    await row('curriculum.beta').getByText('Only reward “kernel” reads it; this one is “proposer”.').waitFor();
    await line.press('Enter');
    await eventually(async () => assert.ok(await row('curriculum.beta').isHidden()));
    const search = page.getByRole('textbox', { name: 'Search settings' });
    await search.fill('β');
    await eventually(async () => {
      assert.ok(await row('curriculum.beta').isVisible());
      assert.equal(await line.innerText(), '1 field without effect here');
    });
    await search.press('Escape');
    await eventually(async () => assert.ok(await row('curriculum.beta').isHidden()));
    channel.emit(contract.showField, { field: 'curriculum.beta' });
    await eventually(async () => assert.ok(await row('curriculum.beta').isVisible()));
    // One that the file sets says at its own place that it does nothing.
    await number('Sharpness').fill('4');
    await until('it is written', () => host.text.includes('"beta": 4'));
    await eventually(async () => assert.equal(await fold.locator('[data-field="curriculum.beta"]').count(), 1));
    await number('Random seed').focus();
    host.tell();
    await eventually(async () => {
      assert.equal(await fold.locator('[data-field="curriculum.beta"]').count(), 0);
      assert.match(await row('curriculum.beta').innerText(), /has no effect in this experiment/);
    });
    host.text = study;
    host.tell();
    await eventually(async () => {
      assert.equal(await number('Sharpness').inputValue(), '10');
      const rows = await page.locator('#group-curriculum .part').first().locator('.field').all();
      const order = await Promise.all(rows.map((one) => one.getAttribute('data-field')));
      assert.deepEqual(order.slice(-3), ['curriculum.beta', 'curriculum.lambda', 'curriculum.kMin']);
    });
  });
});
