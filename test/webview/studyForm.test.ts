/** The study form as a person meets it. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readStudy } from '../../src/features/study/core/readStudy.ts';
import { queueAnew, queuedChanged } from '../../src/shared/rpc/queuedNotice.ts';
import { pressAt, typeAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { cutTexts } from '../support/webviews/cutTexts.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { curriculaStudy, newStudyText, StudyTextHost } from '../support/webviews/studyTextHost.ts';

describe('the study form', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function shown(text: string, width = 1100) {
    const host = new StudyTextHost(text);
    const { page, channel } = await suite.open('studyForm', (opened) => host.opened(opened), { width, height: 900 });
    await page.getByRole('heading', { name: 'Base Experiment' }).waitFor();
    const study = () => {
      const reading = readStudy(host.text, 'one.study.json');
      return 'study' in reading ? reading.study : assert.fail(JSON.stringify(reading.problems));
    };
    return { host, page, channel, study };
  }

  it('makes a study of three curricula and eight seeds with the mouse, and says what is missing until then', async () => {
    const { host, page, study } = await shown(newStudyText.replace('"demo.genenv.json"', '""'));
    const run = page.getByRole('button', { name: 'Run Study' });
    await page
      .getByRole('status')
      .filter({ hasText: 'Still to choose: the base experiment what the arms differ in' })
      .waitFor();
    await eventually(async () => assert.ok(await run.isDisabled()));
    await page.getByRole('combobox', { name: 'Experiment' }).click();
    await page.getByRole('option', { name: 'demo.genenv.json' }).click();
    await page.getByText('Mode coevolve, preset embedded').waitFor();
    await page.getByRole('button', { name: 'what the arms differ in' }).click();
    await page.getByRole('button', { name: 'Curricula', exact: true }).click();
    await page.getByText('Nothing is missing: the study can run.').waitFor();
    await eventually(async () => {
      assert.equal(await page.getByRole('spinbutton', { name: 'Each run spends' }).inputValue(), '51200');
      assert.equal(await page.getByRole('spinbutton', { name: 'How many' }).inputValue(), '8');
    });
    await page
      .getByText(/3 arms × 8 seeds = 24 runs · [^·]* rollouts · about .* tokens · about .* at the pace of “demo”/)
      .waitFor();
    await run.click();
    await until('it is asked to run', () => host.asked.includes('run'));
    const { arms, seeds, base } = study();
    assert.deepEqual(arms, { coevolve: {}, random: { mode: 'random' }, static: { mode: 'static' } });
    assert.deepEqual([seeds, base], [[1, 2, 3, 4, 5, 6, 7, 8], 'demo.genenv.json']);
  });

  it('says that the study waits in the queue as it was before a change, and queues it anew', async () => {
    const { host, page, channel } = await shown(curriculaStudy);
    const notice = page.locator('.queued-notice');
    await eventually(async () => assert.ok(await notice.isHidden()));
    channel.handle(queueAnew, () => {
      host.asked.push('queued anew');
      return null;
    });
    const text = 'The study “Curricula” waits in the queue and runs as it was queued: one.study.json changed since.';
    channel.emit(queuedChanged, { text, waits: true });
    await notice.getByText(text).waitFor();
    await page.screenshot({ path: join(screenshots, 'studyForm-queued.png') });
    await notice.getByRole('button', { name: 'Run Study' }).click();
    await until('it is queued anew', () => host.asked.includes('queued anew'));
    channel.emit(queuedChanged, { text: 'It runs.', waits: false });
    await notice.getByText('It runs.').waitFor();
    await eventually(async () => assert.ok(await notice.getByRole('button').isHidden()));
    channel.emit(queuedChanged, null);
    await notice.waitFor({ state: 'hidden' });
  });

  it('lists what is wrong with its name, which is in no part, beside the count of all problems', async () => {
    const { host, page } = await shown(curriculaStudy.replace('"name": "Curricula"', '"name": ""'));
    const listed = page.getByRole('list', { name: 'Problems at no field of this form' });
    await eventually(async () => {
      assert.match(await listed.innerText(), /name is ""/);
      assert.match(await page.locator('.problem-count').innerText(), /^1 error/);
    });
    await listed.getByRole('button', { name: /line/ }).click();
    await until('the text is asked for', () => host.asked.some((one) => one.startsWith('text')));
  });

  it('makes arms of changes by the keyboard alone', async () => {
    const { page, study } = await shown(newStudyText);
    await page.getByRole('button', { name: 'Add Arm' }).press('Enter');
    const second = page.getByRole('group', { name: 'Arm arm 2' });
    const picker = second.getByRole('combobox', { name: 'Change of arm arm 2' });
    await picker.focus();
    await typeAt(picker, 'Target success');
    await second.getByRole('button', { name: 'Add Change' }).press('Enter');
    // The focus goes to what was added.
    await pressAt(second.getByRole('spinbutton', { name: 'Target success rate' }), 'ArrowUp');
    await until('the text has it', () => study().arms['arm 2']?.['curriculum.alpha'] === 0.51);
    await second.getByText('Base: 0.5').waitFor();
    const name = second.getByRole('textbox', { name: 'Name of the arm' });
    await name.fill('harder');
    await name.press('Enter');
    await page.getByRole('group', { name: 'Arm harder' }).waitFor();
    assert.deepEqual(study().arms, { base: {}, harder: { 'curriculum.alpha': 0.51 } });
    await page.getByRole('group', { name: 'Arm base' }).getByText('The base as it is.').waitFor();
  });

  it('keeps an arm whose only change is removed, and one reference when an arm is renamed', async () => {
    const { page, study } = await shown(
      curriculaStudy.replace('"measures"', '"comparison": { "reference": "random · k_min 0.1" },\n  "measures"'),
    );
    const random = page.getByRole('group', { name: 'Arm random' });
    const name = random.getByRole('textbox', { name: 'Name of the arm' });
    await name.fill('frozen');
    await pressAt(name, 'Tab');
    await until('the reference follows', () => study().comparison.reference === 'frozen · k_min 0.1');
    await page
      .getByRole('group', { name: 'Arm frozen' })
      .getByRole('button', { name: 'Remove the change of Mode' })
      .click();
    await until('the arm stays', () => JSON.stringify(study().arms['frozen']) === '{}');
    // Now it is the base as coevolve is: said with the arms.
    await page
      .locator('#part-arms .problems')
      .getByText(/are the same experiment/)
      .first()
      .waitFor();
  });

  it('edits grid, seeds, budget, measures, comparison, racing and what varies with the seed', async () => {
    const { page, study } = await shown(curriculaStudy);
    await page.getByRole('textbox', { name: 'Values of Band half width (k_min)' }).fill('0.1, 0.2, x');
    await page.getByText('“x” is no value of this field.').waitFor();
    await page.getByRole('textbox', { name: 'Values of Band half width (k_min)' }).fill('0.1, 0.2, 0.3');
    await page.getByRole('spinbutton', { name: 'How many' }).fill('3');
    await page.getByText('With 3 seeds no difference can be shown').waitFor();
    await page.getByRole('spinbutton', { name: 'Each run spends' }).fill('25600');
    await page.getByRole('combobox', { name: 'Measure to add' }).selectOption('reaches');
    await page.getByRole('button', { name: 'Add Measure' }).click();
    await page.getByRole('spinbutton', { name: 'Score' }).fill('0.38');
    await page.getByRole('button', { name: 'Make first: Rollouts until validation reaches a score' }).click();
    await page.getByRole('spinbutton', { name: 'Difference that matters' }).fill('0.03');
    await page.getByRole('combobox', { name: 'Rule' }).click();
    await page.getByRole('option', { name: /^halving/ }).click();
    await page.getByRole('spinbutton', { name: 'Rounds' }).fill('4');
    await page.getByRole('combobox', { name: 'Add Field by Seed' }).selectOption('domain.taskSeed');
    await page.getByRole('button', { name: 'Add Field by Seed' }).click();
    await page.getByRole('textbox', { name: /^Values of .*seed/i }).fill('1, 2, 3');
    await until('the text has it all', () => JSON.stringify(study().bySeed) === '{"domain.taskSeed":[1,2,3]}');
    const { grid, seeds, budget, measures, comparison, stop } = study();
    assert.deepEqual(grid, { 'curriculum.kMin': [0.1, 0.2, 0.3] });
    assert.deepEqual([seeds, budget], [[1, 2, 3], { rollouts: 25_600 }]);
    assert.deepEqual(measures[0], { kind: 'reaches', score: 0.38, last: 5 });
    assert.equal(measures.length, 4);
    assert.equal(comparison.difference, 0.03);
    assert.deepEqual(stop, { rule: 'halving', rounds: 4, keep: 0.5 });
  });

  it('says from what time and cost will be known where no run has told', async () => {
    const { host, page } = await shown(curriculaStudy);
    host.pace = null;
    host.tell();
    await page.getByText(/time and cost are known after the first epoch on the base’s endpoints/).waitFor();
  });

  it('shows all of it at 1,440 and 900 px in each theme', async () => {
    for (const [name, text] of [
      ['new', newStudyText],
      ['whole', curriculaStudy],
    ] as const) {
      const { page } = await shown(text, 1440);
      await page.getByText(/runs ·/).waitFor();
      await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
        for (const width of [1440, 900]) {
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({
            path: join(screenshots, `study-form-${name}-${theme}-${width}.png`),
            fullPage: true,
          });
          await eventually(async () => assert.deepEqual(await cutTexts(page), []), 3);
        }
      });
    }
  });
});
