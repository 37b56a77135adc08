/** Text that is being typed into the study form while the study changes elsewhere: by its text, an undo, or its base. */
import assert from 'node:assert/strict';
import { readStudy } from '../../src/features/study/core/readStudy.ts';
import { focused, pressAt, typeAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { pageSuite } from '../support/webviews/pageSuite.ts';
import { curriculaStudy, StudyTextHost } from '../support/webviews/studyTextHost.ts';

describe('typing into the study form', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function shown() {
    const host = new StudyTextHost(curriculaStudy);
    const { page } = await suite.open('studyForm', (channel) => host.opened(channel), { width: 1100, height: 900 });
    await page.getByRole('heading', { name: 'Base Experiment' }).waitFor();
    await page.getByRole('group', { name: 'Arm random' }).waitFor();
    const arms = () => {
      const reading = readStudy(host.text, 'one.study.json');
      return 'study' in reading ? Object.keys(reading.study.arms) : assert.fail(JSON.stringify(reading.problems));
    };
    const change = (from: string, to: string): void => {
      assert.ok(host.text.includes(from));
      host.text = host.text.replace(from, to);
      host.tell();
    };
    return { host, page, arms, change };
  }

  const second = '"random":';
  const further = '"static": { "mode": "static" },\n    "random":';

  it('keeps an arm’s unfinished name and its focus when an arm is added before it', async () => {
    const { page, arms, change } = await shown();
    const name = page.getByRole('group', { name: 'Arm random' }).getByRole('textbox', { name: 'Name of the arm' });
    await name.fill('har');
    change(second, further);
    await page.getByRole('group', { name: 'Arm static' }).waitFor();
    await eventually(async () => assert.equal(await name.inputValue(), 'har'));
    assert.deepEqual(arms(), ['coevolve', 'static', 'random', 'target 0.4']);
    await typeAt(name, 'der');
    await pressAt(name, 'Enter');
    await until('the arm has the whole name', () => arms().includes('harder'));
    assert.deepEqual(arms(), ['coevolve', 'static', 'harder', 'target 0.4']);
    const renamed = page.getByRole('group', { name: 'Arm harder' }).getByRole('textbox', { name: 'Name of the arm' });
    await focused(renamed);
  });

  it('shows a name that was changed elsewhere where nothing was typed', async () => {
    const { page, change } = await shown();
    const names = page.getByRole('textbox', { name: 'Name of the arm' });
    await names.nth(1).focus();
    change('"random":', '"frozen":');
    await eventually(async () => assert.equal(await names.nth(1).inputValue(), 'frozen'));
  });

  it('keeps an unfinished name that is refused, with its complaint', async () => {
    const { page, arms, change } = await shown();
    const arm = page.getByRole('group', { name: 'Arm random' });
    const name = arm.getByRole('textbox', { name: 'Name of the arm' });
    await name.fill('coevolve');
    await name.press('Enter');
    await arm.getByText('Another arm is called “coevolve”.').waitFor();
    change(second, further);
    await page.getByRole('group', { name: 'Arm static' }).waitFor();
    await eventually(async () => assert.equal(await name.inputValue(), 'coevolve'));
    await typeAt(name, '2');
    await pressAt(name, 'Enter');
    await until('the arm has the name', () => arms().includes('coevolve2'));
  });

  it('keeps unfinished values of the grid when a further field is added to it', async () => {
    const { page, change } = await shown();
    const values = page.getByRole('textbox', { name: 'Values of Band half width (k_min)' });
    await values.fill('0.1, x');
    await page.getByText('“x” is no value of this field.').waitFor();
    change('"curriculum.kMin":', '"curriculum.beta": [1, 2],\n    "curriculum.kMin":');
    await page.getByRole('textbox', { name: /^Values of .*β/ }).waitFor();
    await eventually(async () => assert.equal(await values.inputValue(), '0.1, x'));
    await page.getByText('“x” is no value of this field.').waitFor();
  });
});
