/** The adapter editor as a person meets it. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { at } from '../../src/shared/experiment/resolve.ts';
import { checkStarts, recipeStart } from '../../src/shared/adapters/recipeStarts.ts';
import * as contract from '../../src/features/adapter/contract.ts';
import { eventually, until } from '../support/until.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { adapter, data, recordAt, judge } from '../support/webviews/samples/adapter.ts';

describe('the adapter editor', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function shown(over: Partial<contract.AdapterDocument> = {}) {
    const edits: contract.AdapterEdit[] = [];
    const asked: string[] = [];
    const document: contract.AdapterDocument = {
      file: 'cities.adapter.json',
      written: adapter,
      problems: [],
      editable: true,
      ...over,
    };
    const one = await suite.open(
      'adapter',
      (channel) => {
        channel.emit(contract.documentChanged, document);
        channel.emit(contract.dataChanged, data);
      },
      { width: 1240, height: 1500 },
    );
    const { channel, page } = one;
    channel.handle(contract.edit, (batch) => {
      edits.push(...batch);
      return null;
    });
    channel.handle(contract.showRecord, recordAt);
    channel.handle(contract.tryAnswer, ({ answer }) => judge(answer));
    for (const [name, question] of [
      ['check', contract.check],
      ['evaluate', contract.evaluate],
      ['seeds', contract.useAsSeeds],
      ['copy', contract.copyToWorkspace],
    ] as const) {
      channel.handle(question, () => {
        asked.push(name);
        return null;
      });
    }
    channel.handle(contract.browse, () => '../elsewhere');
    channel.handle(contract.openText, (at) => {
      asked.push(at === null ? 'text' : `text:${at.line}:${at.column}`);
      return null;
    });
    await page.getByRole('heading', { name: 'City quiz' }).waitFor();
    return { ...one, document, edits, asked };
  }

  it('shows what the file says beside what is there of the data', async () => {
    const { page } = await shown();
    await page.getByText('2 files, 1,200 records').waitFor();
    await page.getByText('0 files, 0 records, the authors say 40. No file matches test.jsonl').waitFor();
    await eventually(async () =>
      assert.equal(await page.getByRole('textbox', { name: 'Gold' }).inputValue(), '/record/answer'),
    );
    await page.getByText('Q: Which city has 1 bridges?').waitFor();
    await eventually(async () =>
      assert.match((await page.getByLabel('The task').textContent()) ?? '', /"gold": "The Hague"/),
    );
  });

  it('asks for single edits of what is typed and chosen', async () => {
    const { page, edits } = await shown();
    await page.getByRole('textbox', { name: 'Gold' }).fill('/record/reply');
    await page.getByRole('textbox', { name: 'Files of split train' }).fill('a.jsonl, {b,c}/*.jsonl');
    await page.getByRole('textbox', { name: 'Turn 1: content' }).fill('{{ record.question }}');
    await page.getByRole('button', { name: 'Browse…' }).click();
    await page.getByRole('button', { name: 'Add Turn' }).click();
    await until('they arrive', () => edits.length >= 5);
    assert.deepEqual(
      edits.map(({ path, to }) => [path.join('.'), to]),
      [
        ['task.gold', '/record/reply'],
        ['data.splits.train.files', ['a.jsonl', '{b,c}/*.jsonl']],
        ['task.prompt.0.content', '{{ record.question }}'],
        ['data.folder', '../elsewhere'],
        [
          'task.prompt',
          [
            { role: 'user', content: 'Q: {{ record.question }}' },
            { role: 'user', content: '{{ record }}' },
          ],
        ],
      ].sort((a, b) => order(edits, a) - order(edits, b)),
    );
  });

  /** Edits that pause together come in one batch, in the order they were made. */
  const order = (edits: readonly contract.AdapterEdit[], [path]: readonly unknown[]): number =>
    edits.findIndex((edit) => edit.path.join('.') === path);

  it('changes a kind as a whole, with what it begins with, and then shows its options', async () => {
    const { page, edits, channel, document } = await shown();
    const kinds = page.getByRole('combobox', { name: 'How it is judged' });
    await kinds.click();
    await page.getByRole('option', { name: 'token-f1' }).click();
    await until('it is asked for', () => edits.length > 0);
    assert.deepEqual(edits[0], { path: ['scorer'], to: { kind: 'token-f1', threshold: 0.8 } });
    channel.emit(contract.documentChanged, { ...document, written: { ...adapter, scorer: edits[0].to } });
    const threshold = page.getByRole('spinbutton', { name: 'threshold' });
    await threshold.fill('0.5');
    await until('the number arrives', () => edits.some(({ to }) => to === 0.5));
    assert.deepEqual(at(edits.at(-1), ['path']), ['scorer', 'threshold']);
  });

  it('adds a recipe, shows it with its fields and checks, and asks for single edits of it', async () => {
    const { page, edits, channel, document } = await shown();
    await page.getByRole('button', { name: 'Add Recipe' }).click();
    await until('it is asked for', () => edits.length === 1);
    const { path, to } = edits[0] ?? assert.fail('no edit');
    assert.deepEqual([path, to], [['recipe'], recipeStart(['train', 'test'])]);
    const problem = {
      line: 9,
      column: 3,
      field: 'recipe.checks[0].in',
      message: 'The form has no field “x”.',
      remedy: '',
    };
    channel.emit(contract.documentChanged, {
      ...document,
      written: { ...adapter, recipe: to },
      problems: [{ ...problem, severity: 'error' }],
    });
    await page.getByRole('textbox', { name: 'answer: what it holds' }).fill('a name');
    await until('what it holds arrives', () => edits.length === 2);
    await page.getByRole('textbox', { name: 'Splits held out' }).fill('dev, test');
    await until('the splits arrive', () => edits.length === 3);
    await page.getByRole('textbox', { name: 'New field' }).fill('hint');
    await page.getByRole('button', { name: 'Add Field' }).click();
    await until('the field arrives', () => edits.length === 4);
    await page.getByRole('button', { name: 'Add Check' }).click();
    await until('the check arrives', () => edits.length === 5);
    const checks = [{ kind: 'unsaid', field: 'answer', in: 'question' }, checkStarts('question')['words']];
    const fields = { question: { kind: 'text' }, answer: { kind: 'text' }, hint: { kind: 'text' } };
    assert.deepEqual(
      edits.slice(1).map((edit) => [edit.path.join('.'), edit.to]),
      [
        ['recipe.form.fields.answer.about', 'a name'],
        ['recipe.splits.heldOut', ['dev', 'test']],
        ['recipe.form.fields', fields],
        ['recipe.checks', checks],
      ],
    );
    await page.getByText('The form has no field “x”.').first().waitFor();
    await page.screenshot({ path: join(screenshots, 'adapter-recipe.png'), fullPage: true });
  });

  it('leaves an option out that is not set any more, where it may be left out', async () => {
    const given = {
      ...adapter,
      answer: { kind: 'tool-calls' },
      scorer: { kind: 'tool-calls', order: 'any', absolute: 1 },
    };
    const { page, edits, channel, document } = await shown({ written: given });
    const formats = page.getByRole('combobox', { name: 'format', exact: true });
    const choose = async (name: string): Promise<void> => {
      await formats.click();
      await page.getByRole('option', { name }).click();
    };
    await choose('react');
    await until('it is asked for', () => edits.length === 1);
    const written = { ...given, answer: { kind: 'tool-calls', format: 'react' } };
    channel.emit(contract.documentChanged, { ...document, written });
    await choose('not set');
    await until('it is taken back', () => edits.length === 2);
    await page.getByRole('spinbutton', { name: 'absolute', exact: true }).fill('');
    await page.getByRole('spinbutton', { name: 'absolute', exact: true }).press('Enter');
    await until('it is left out', () => edits.length === 3);
    assert.deepEqual(edits, [
      { path: ['answer', 'format'], to: 'react' },
      { path: ['answer', 'format'] },
      { path: ['scorer', 'absolute'] },
    ]);
  });

  it('goes from record to record, says what does not fit, and judges an answer as it is typed', async () => {
    const { page } = await shown();
    await page.getByText('Q: Which city has 1 bridges?').waitFor();
    await page.getByRole('button', { name: 'Use the Gold' }).click();
    await page.getByText('Success, reward 1').waitFor();
    await page.getByRole('textbox', { name: 'An answer to try' }).fill('<answer>Delft</answer>');
    await page.getByText('Failure, reward 0: expected “hague”, got “Delft”').waitFor();
    await eventually(async () => assert.equal(await page.getByLabel('What is read from it').textContent(), 'Delft'));
    await page.getByRole('button', { name: 'Next record' }).press('Enter');
    await page.getByText('task.gold: there is nothing at /record/answer').waitFor();
    await page.getByRole('spinbutton', { name: 'Record number' }).fill('99999');
    await page.getByRole('spinbutton', { name: 'Record number' }).press('Enter');
    await page.getByText('Q: Which city has 1200 bridges?').waitFor();
  });

  it('comes back to the record and the answer it was left at', async () => {
    const first = await shown();
    await first.page.getByRole('button', { name: 'Next record' }).click();
    await first.page.getByRole('textbox', { name: 'An answer to try' }).fill('mine');
    await until('it is kept', () => JSON.stringify(first.state()).includes('mine'));
    assert.deepEqual(first.state(), { split: 'train', index: 1, answer: 'mine' });
  });

  it('says what is wrong at its field, and in place of the form where nothing can be read', async () => {
    const problem = { line: 12, column: 3, field: 'task.gold', message: 'Gold is odd.', remedy: 'Mend it.' };
    const { page, channel, document, asked } = await shown({ problems: [{ ...problem, severity: 'error' }] });
    await eventually(async () => assert.equal(await page.getByText('Gold is odd. Mend it.').count(), 2));
    const broken = { ...problem, field: '', severity: 'error' as const };
    channel.emit(contract.documentChanged, { ...document, written: null, problems: [broken] });
    await page.getByText('cities.adapter.json cannot be shown as a form').waitFor();
    await page.getByText('Gold is odd. Mend it. line 12, column 3').waitFor();
    await page.getByRole('button', { name: 'line 12, column 3' }).press('Enter');
    await until('its place is asked for', () => asked.includes('text:12:3'));
    channel.emit(contract.documentChanged, document);
    await page.getByRole('textbox', { name: 'Gold' }).waitFor();
  });

  it('hands over what was typed before a save, and then follows the document', async () => {
    const { page, channel, document, edits } = await shown();
    const gold = page.getByRole('textbox', { name: 'Gold' });
    const written = (to: string) => ({ ...document, written: { ...adapter, task: { ...adapter.task, gold: to } } });
    await gold.fill('/record/reply');
    const taken = await channel.call(contract.takePending, null);
    assert.deepEqual([...edits, ...taken], [{ path: ['task', 'gold'], to: '/record/reply' }]);
    channel.emit(contract.documentChanged, written('/record/reply'));
    channel.emit(contract.documentChanged, written('/record/other'));
    await gold.blur();
    await until('the field says what the file says', async () => (await gold.inputValue()) === '/record/other');
  });

  it('offers to check, to evaluate, to use and, of one that comes with the extension, to copy', async () => {
    const { page, asked } = await shown({ editable: false });
    for (const name of ['Check Adapter', 'Evaluate…', 'Use as Seed Tasks…', 'Copy to Workspace…']) {
      await page.getByRole('button', { name }).press('Enter');
    }
    await until('all are asked for', () => asked.length === 4);
    assert.deepEqual(asked, ['check', 'evaluate', 'seeds', 'copy']);
    await page.getByText(/comes with GenEnv\. Copy it/).waitFor();
  });

  it('in each theme', async () => {
    const { page } = await shown();
    await page.getByRole('button', { name: 'Use the Gold' }).click();
    await page.getByText('Success, reward 1').waitFor();
    await inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
      await page.screenshot({ path: join(screenshots, `adapter-${theme}.png`) });
    });
  });
});
