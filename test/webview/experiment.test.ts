/** The experiment form as a person meets it, over a text that this process holds. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as contract from '../../src/features/experiment/contract.ts';
import { pressAt, typeAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { TextHost } from '../support/webviews/textHost.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { formSuite, study } from '../support/webviews/experimentForm.ts';
import { screenshots } from '../support/webviews/pageSuite.ts';

describe('the experiment form', function () {
  this.timeout(240_000);
  const shown = formSuite();

  it('shows each field with its symbol, the preset’s value and the paper’s', async () => {
    const { row, number } = await shown(new TextHost(study));
    const alpha = row('curriculum.alpha');
    await eventually(async () => {
      const text = await alpha.innerText();
      for (const part of ['Target success rate', 'α', 'rewarded most', 'Preset: 0.5', 'Paper: 0.5']) {
        assert.ok(text.includes(part), part);
      }
      assert.equal(await number('Target success rate').inputValue(), '0.4');
      assert.match((await alpha.getAttribute('class')) ?? '', /differs/);
      assert.doesNotMatch((await row('curriculum.beta').getAttribute('class')) ?? '', /differs/);
    });
  });

  it('has one line with work, time and cost, and says from what they will be known', async () => {
    const form = await shown(new TextHost(study));
    const { channel, page } = form;
    const line = page.locator('.work');
    await line.getByText(/512 rollouts an epoch, .* up to .* tokens an epoch/).waitFor();
    await line.getByText(/^all 100 epochs: /).waitFor();
    const noFiles = { base: {}, heldOut: {}, evaluation: null };
    channel.emit(contract.basisChanged, { pace: null, counts: noFiles });
    await line
      .getByText(/time and cost: “Check” tells them, and the first finished epoch on these endpoints/)
      .waitFor();
    const pace = { run: 'demo', secondsPerToken: 0.002, tokensPerAttempt: 60, billedPerToken: 1 };
    channel.emit(contract.basisChanged, { pace, counts: noFiles });
    await line.getByText(/about [\d.]+ M tokens · about \d.* at the pace of “demo”, \d.* an epoch/).waitFor();
    const { number } = form;
    await number('Hours').fill('1');
    await line.getByText(/^until the hours budget ends it after epoch \d+: 512 rollouts an epoch/).waitFor();
    await page.screenshot({ path: join(screenshots, 'experiment-forecast.png') });
  });

  it('draws the kind of reward that is chosen, and dims what only the kernel reads', async () => {
    const host = new TextHost(study.replace('"alpha"', '"reward": { "kind": "proposer" },\n    "alpha"'));
    const { page, row } = await shown(host);
    await eventually(async () => {
      assert.match(await page.locator('.frame-reading').innerText(), /Each task is rewarded by itself/);
      assert.match(
        (await row('curriculum.beta').textContent()) ?? '',
        /Only reward “kernel” reads it; this one is “proposer”/,
      );
    });
    await page.screenshot({ path: join(screenshots, 'experiment-reward.png') });
  });

  it('draws of a file that rewards the filter alone, and says where its rewards are shown', async () => {
    const curriculum = '"reward": { "kind": "file", "file": "mine.curriculum.ts" },\n    "alpha"';
    const host = new TextHost(study.replace('"alpha"', curriculum));
    const { page, row } = await shown(host);
    await eventually(async () => {
      assert.match(await page.locator('.frame-reading').innerText(), /nothing to draw before it is asked/);
      assert.match(await row('curriculum.reward.file').innerText(), /Rewards from a file/);
      const drawn = await page.locator('#kernel svg text').allTextContents();
      assert.ok(drawn.includes('kept by the filter') && !drawn.some((text) => text.startsWith('reward')), drawn.join());
    });
    await page.screenshot({ path: join(screenshots, 'experiment-reward-file.png') });
    await page.locator('#kernel').screenshot({ path: join(screenshots, 'experiment-reward-file-drawing.png') });
  });

  it('moves the drawing with each arrow key, and writes the last value', async () => {
    const host = new TextHost(study);
    const { page, number } = await shown(host);
    const alpha = number('Target success rate');
    const path = () => page.locator('path.kernel-exact').getAttribute('d');
    const before = await path();
    for (let i = 0; i < 3; i++) await alpha.press('ArrowUp');
    await eventually(async () => {
      assert.notEqual(await path(), before, 'before anything is written');
      assert.match(await page.locator('.frame-reading').innerText(), /solves 43 % of the time/);
    });
    await until('the text has it', () => host.text.includes('"alpha": 0.43 // below one half'));
    await alpha.press('Shift+ArrowDown');
    await until('ten steps at once', () => host.text.includes('"alpha": 0.33 //'));
    await eventually(async () => assert.equal(await alpha.getAttribute('aria-valuenow'), '0.33'));
  });

  it('can be drawn along with the pointer', async () => {
    const host = new TextHost(study);
    const { row, number } = await shown(host);
    const slider = row('curriculum.alpha').locator('input[type=range]');
    const box = await slider.boundingBox();
    assert.ok(box);
    await slider.click({ position: { x: box.width - 4, y: box.height / 2 } });
    await until('the text follows', () => /"alpha": 0\.9\d? \/\//.test(host.text));
    await eventually(async () => assert.match(await number('Target success rate').inputValue(), /^0\.9/));
    assert.equal(host.edits, 1);
  });

  it('leaves what is being typed alone, and says what is no number', async () => {
    const host = new TextHost(study);
    const { page, row, number } = await shown(host);
    const alpha = number('Target success rate');
    await alpha.fill('0.');
    await page.waitForTimeout(700);
    await eventually(async () => assert.equal(await alpha.inputValue(), '0.'));
    await alpha.fill('half');
    await eventually(async () =>
      assert.match(await row('curriculum.alpha').getByRole('alert').innerText(), /“half” is not a number/),
    );
    const before = host.text;
    await alpha.press('Tab');
    assert.equal(host.text, before);
    await alpha.press('Escape');
    await until('field and text agree', async () => host.text.includes(`"alpha": ${await alpha.inputValue()} //`));
  });

  it('follows the document, whoever changes it', async () => {
    const host = new TextHost(study);
    const { number } = await shown(host);
    host.text = study.replace('0.4', '0.7');
    host.tell();
    await until('the field has it', async () => (await number('Target success rate').inputValue()) === '0.7');
  });

  it('goes back to the preset with one click, and takes an empty field for that', async () => {
    const host = new TextHost(study);
    const { row, number } = await shown(host);
    await row('curriculum.alpha').getByRole('button', { name: /Reset/ }).click();
    await until('it is left out', () => !host.text.includes('alpha'));
    await eventually(async () => assert.equal(await number('Target success rate').inputValue(), '0.5'));
    assert.match(host.text, /below one half/, 'the comment stays');
    const epochs = number('Epochs');
    await epochs.fill('30');
    await until('it is written', () => host.text.includes('"epochs": 30'));
    await epochs.fill('');
    await epochs.press('Tab');
    await until('it is left out', () => !host.text.includes('epochs'));
    await eventually(async () => assert.equal(await epochs.inputValue(), '100'));
  });

  it('writes null for no limit, and nothing where the preset has none anyway', async () => {
    const host = new TextHost(study);
    const { number } = await shown(host);
    const cap = number('KL cap of an update');
    await cap.fill('');
    await cap.press('Tab');
    await until('the cap is off', () => host.text.includes('"updateKlCap": null'));
    const budget = number('Token budget');
    await budget.fill('1e6');
    await until('there is a budget', () => host.text.includes('"tokens": 1000000'));
    await budget.fill('');
    await budget.press('Tab');
    await until('there is none', () => !host.text.includes('tokens'));
  });

  it('chooses, ticks and browses', async () => {
    const host = new TextHost(study);
    const { page, row } = await shown(host);
    await page.getByRole('combobox', { name: 'Mode' }).focus();
    await pressAt(page.getByRole('combobox', { name: 'Mode' }), 'ArrowDown', 'Enter');
    await until('the mode is chosen', () => host.text.includes('"mode": "random"'));
    await until('what it switches off is dimmed', async () =>
      ((await row('environment.steps').textContent()) ?? '').includes('Mode “random” does not train the environment.'),
    );
    await row('agent.train').getByRole('checkbox').click();
    await until('it is ticked off', () => host.text.includes('"train": false'));
    await row('earlyStop').getByRole('checkbox').click();
    await until('early stop is on', () => host.text.includes('"patience": 5'));
    await row('earlyStop').getByRole('checkbox').click();
    await until('and off', () => !host.text.includes('earlyStop'));
    await row('domain.seeds')
      .getByRole('button', { name: /Browse/ })
      .click();
    await until('the file is named', () => host.text.includes('"seeds": "tasks/mine.jsonl"'));
    assert.deepEqual(host.asked, ['browse:domain.seeds']);
  });

  it('shows the fields of the endpoint that is chosen, and dims what its trainer has no place for', async () => {
    const host = new TextHost(study);
    const { row, number } = await shown(host);
    await eventually(async () => {
      assert.ok(await row('endpoints.environment.weights').isVisible());
      assert.ok(await row('endpoints.environment.workdir').isHidden());
    });
    await row('endpoints.environment.kind').getByRole('combobox').focus();
    await pressAt(row('endpoints.environment.kind'), 'End', 'Enter');
    await until('the kind is chosen', () => /"environment": \{\s*"kind": "verl"\s*\}/.test(host.text));
    await row('endpoints.environment.workdir').waitFor();
    await eventually(async () => {
      assert.ok(await row('endpoints.environment.weights').isHidden());
      assert.match(
        await row('environment.klCoefficient').innerText(),
        /A job learns resampled rows: it has no KL term/,
      );
    });
    await row('endpoints.environment.workdir').getByRole('textbox').fill('/mnt/jobs');
    await until('the folder is written', () => host.text.includes('"workdir": "/mnt/jobs"'));
    await number('GPUs of a node').last().fill('3');
    await until('what does not divide is said at its field', async () =>
      (await row('environment.minibatch').innerText()).includes('do not divide by 3 GPUs'),
    );
  });

  it('takes a benchmark for its domain, and says what that needs', async () => {
    const host = new TextHost(study);
    const { page, row } = await shown(host);
    await eventually(async () => {
      assert.match((await row('domain.heldOut').textContent()) ?? '', /has held-out tasks of its own/);
      assert.match((await row('generation.agreementShare').textContent()) ?? '', /executed, or proven otherwise/);
    });
    await row('domain.name').getByRole('combobox').focus();
    await typeAt(row('domain.name'), 'bam');
    await pressAt(row('domain.name'), 'Enter');
    await until('the domain is chosen', () => host.text.includes('"name": "bamboogle"'));
    await until('the missing file is said at its field', async () =>
      (await row('domain.seeds').innerText()).includes('names no file of them'),
    );
    await until('its fields are live', async () => {
      const [heldOut, share] = [
        (await row('domain.heldOut').textContent()) ?? '',
        (await row('generation.agreementShare').textContent()) ?? '',
      ];
      return !heldOut.includes('of its own') && !share.includes('proven otherwise');
    });
    await eventually(async () =>
      assert.match(await row('endpoints.environment.kind').innerText(), /cannot write tasks of bamboogle/),
    );
    await row('domain.name').scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(screenshots, 'experiment-domain.png') });
  });

  it('finds fields by words, symbols and by what differs', async () => {
    const { page, row } = await shown(new TextHost(study));
    const search = page.getByRole('textbox', { name: 'Search settings' });
    const visible = () => page.locator('.field:visible').count();
    await search.fill('kl cap');
    const found = await page.locator('.field:visible').all();
    await eventually(async () =>
      assert.deepEqual(await Promise.all(found.map((one) => one.getAttribute('data-field'))), [
        'environment.steps',
        'environment.updateKlCap',
        'environment.totalKlCap',
      ]),
    );
    await search.fill('λ');
    await eventually(async () => assert.ok(await row('curriculum.lambda').isVisible()));
    await search.fill('no such thing');
    await eventually(async () => assert.match(await page.locator('.nothing').innerText(), /No setting matches/));
    await search.press('Escape');
    await page.getByRole('checkbox', { name: /Only what differs/ }).click();
    await eventually(async () => {
      assert.equal(await visible(), 1);
      assert.ok(await row('curriculum.alpha').isVisible());
    });
  });

  it('says what is wrong at its field and leads to the line', async () => {
    const host = new TextHost(study.replace('0.4', '2'));
    const { page, row } = await shown(host);
    await eventually(async () => {
      assert.match(
        await row('curriculum.alpha').innerText(),
        /is 2, but must be a number greater than 0 and less than 1/,
      );
      assert.ok(await page.getByRole('button', { name: 'Start Run' }).isDisabled());
    });
    await row('curriculum.alpha').getByRole('button', { name: 'line 7' }).click();
    await until('the text is asked for', () => host.asked.length === 1);
    assert.deepEqual(host.asked, ['text:7:14']);
  });

  it('names what stands at no field that it shows, beside a count of all problems', async () => {
    const text = study
      .replace('"alpha": 0.4', '"aplha": 0.5, "alpha": 2')
      .replace('"name": "a study"', '"name": ""')
      .replace('"preset"', '"endpoints": { "agent": { "kind": "embedded", "workdir": "x" } },\n  "preset"');
    const host = new TextHost(text);
    const { page, row } = await shown(host);
    const listed = page.getByRole('list', { name: 'Problems at no field of this form' });
    await eventually(async () => {
      assert.match(await listed.innerText(), /Unknown field "aplha" in "curriculum"\. Did you mean "alpha"\? line 8/);
      assert.match(await listed.innerText(), /of kind "embedded", which has no field "workdir"/);
      assert.match(await listed.innerText(), /name is ""/);
      assert.match(await row('curriculum.alpha').innerText(), /is 2, but must be/);
      assert.equal(await listed.getByRole('listitem').count(), 3);
      assert.equal(await page.locator('.problem-count').innerText(), '4 errors');
    });
    await listed.getByRole('button', { name: 'line 8' }).click();
    await until('the text is asked for', () => host.asked.includes('text:8:5'));
    host.text = study;
    host.tell();
    await eventually(async () => assert.equal(await listed.count(), 0));
  });

  it('keeps its hands off a text that cannot be read, and comes back with it', async () => {
    const host = new TextHost(study.replace('"alpha":', '"alpha"'));
    const { page } = await shown(host);
    await eventually(async () =>
      assert.match(
        await page.getByRole('alert').last().innerText(),
        /study\.genenv\.json cannot be shown as a form.*line 7/s,
      ),
    );
    await page.getByRole('button', { name: 'Open as Text' }).click();
    await until('the text is asked for', () => host.asked.length === 1);
    host.text = study;
    host.tell();
    await page.locator('.field').first().waitFor();
    assert.equal(host.edits, 0);
  });

  it('starts nothing in a folder that is not trusted, and says so', async () => {
    const host = new TextHost(study);
    host.trusted = false;
    const { page } = await shown(host);
    await eventually(async () => {
      assert.ok(await page.getByRole('button', { name: 'Start Run' }).isDisabled());
      assert.ok(await page.getByText('Runs start in trusted folders only.').isVisible());
    });
  });

  it('starts and checks what was typed a moment before', async () => {
    const host = new TextHost(study);
    const { page, number } = await shown(host);
    await number('Epochs').fill('7');
    await page.getByRole('button', { name: 'Start Run' }).click();
    await until('it is started', () => host.asked.includes('start'));
    assert.match(host.text, /"epochs": 7/);
  });

  it('has its drawing as a table, one key away', async () => {
    const { page } = await shown(new TextHost(study));
    await page.locator('.chart-reader').focus();
    await pressAt(page.locator('.chart-reader'), 't');
    await eventually(async () => {
      const rows = page.getByRole('region', { name: /Table of/ }).getByRole('row');
      assert.equal(await rows.count(), 22);
      assert.match(await rows.nth(9).innerText(), /0\.40\s+1\s/);
    });
  });

  it('keeps the search over a reload', async () => {
    const { page, state } = await shown(new TextHost(study));
    await page.getByRole('textbox', { name: 'Search settings' }).fill('adam');
    await eventually(async () =>
      assert.deepEqual(await state(), { text: 'adam', onlyDiffering: false, scroll: 0, open: [] }),
    );
    await page.reload();
    await page.locator('.field:visible').first().waitFor();
    await eventually(async () =>
      assert.equal(await page.getByRole('textbox', { name: 'Search settings' }).inputValue(), 'adam'),
    );
  });

  it('comes back where it was left, when it was hidden', async () => {
    const { page, state } = await shown(new TextHost(study));
    await page.getByRole('button', { name: 'Rollouts', exact: true }).click();
    await until('the place is kept', () => /"scroll":[1-9]/.test(JSON.stringify(state())));
    const place = () => page.evaluate<number>('window.scrollY');
    const left = await place();
    await page.reload();
    await until('it is there again', async () => Math.abs((await place()) - left) < 2);
  });

  it('is drawn in the colours of each theme', async () => {
    const { page } = await shown(new TextHost(study));
    // The drawing comes after the fields.
    await page.locator('path.kernel-exact').waitFor();
    await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
      await page.screenshot({ path: join(screenshots, `experiment-${theme}.png`) });
      const paper = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const curve = await page.evaluate<string>("getComputedStyle(document.querySelector('path.kernel-exact')).stroke");
      assert.match(curve, /^rgb/);
      assert.notEqual(curve, paper);
    });
  });
});
