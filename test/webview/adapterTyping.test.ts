/** Text typed into the adapter's form key by key, as a person types it: no key is taken back. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { readAdapter } from '../../src/benchmarks/adapter/readAdapter.ts';
import * as contract from '../../src/features/adapter/contract.ts';
import { at } from '../../src/shared/experiment/resolve.ts';
import type { Path } from '../../src/shared/experiment/text/jsonText.ts';
import { editText } from '../../src/shared/experiment/text/textEdit.ts';
import type { Channel } from '../../src/shared/rpc/channel.ts';
import { pressAt, typeAt } from '../support/focus.ts';
import { eventually, until } from '../support/until.ts';
import { pageSuite } from '../support/webviews/pageSuite.ts';
import { adapter, data, recordAt } from '../support/webviews/samples/adapter.ts';

const recipe = {
  prompt: [{ role: 'user', content: 'Write. {{ form }}' }],
  form: { kind: 'json', fields: { question: { kind: 'text' } } },
  checks: [
    { kind: 'range', field: 'question', least: 0, most: 10 },
    { kind: 'one-of', field: 'question', values: ['yes'] },
  ],
  splits: { base: ['train'], heldOut: ['test'] },
};

const shows = (box: Locator, text: string): Promise<void> =>
  eventually(async () => assert.equal(await box.inputValue(), text));

describe('typing into the adapter editor', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  /** Over a text that changes with each edit. */
  async function shown(over: object) {
    let text = JSON.stringify({ ...adapter, ...over }, null, 2);
    const tell = (channel: Channel): void => {
      const { written, problems } = readAdapter(text, '/cities.adapter.json');
      channel.emit(contract.documentChanged, {
        ...{ file: 'cities.adapter.json', written, editable: true },
        problems: problems.map(({ line, column, field, message, remedy, severity }) => ({
          ...{ line, column, field, message, remedy, severity },
        })),
      });
      channel.emit(contract.dataChanged, data);
    };
    const { page, channel } = await suite.open('adapter', tell, { width: 1240, height: 1500 });
    channel.handle(contract.showRecord, recordAt);
    channel.handle(contract.edit, (edits) => {
      text = editText(text, edits);
      tell(channel);
      return null;
    });
    await page.getByRole('heading', { name: 'City quiz' }).waitFor();
    /** In place of what is there; between the keys named by `rest`, the text goes into the file. */
    const typed = async (box: Locator, keys: readonly string[]): Promise<void> => {
      await box.click();
      await pressAt(box, 'ControlOrMeta+a', 'Delete');
      for (const some of keys) {
        await typeAt(box, some);
        await page.waitForTimeout(500);
      }
    };
    const saved = (...path: Path): unknown => at(JSON.parse(text), path);
    return { page, channel, typed, saved, tell: () => tell(channel) };
  }

  it('keeps a number as it is typed', async () => {
    const { page, typed, saved } = await shown({ scorer: { kind: 'number', absolute: 0, relative: 0.0001 } });
    const box = page.getByRole('spinbutton', { name: 'relative' });
    for (const keys of [['1.05'], ['0.05'], ['0.', '0', '5'], ['1e-3'], ['1', '0.5']]) {
      await typed(box, keys);
      const text = keys.join('');
      await shows(box, text);
      assert.equal(saved('scorer', 'relative'), Number(text));
    }
    await typed(box, ['1e']);
    await page.getByText('“1e” is not a number.').waitFor();
    assert.equal(saved('scorer', 'relative'), 1, 'what is no number does not go into the file');
    await typed(box, ['']);
    await box.blur();
    await eventually(async () => assert.equal(await box.inputValue(), '1', 'a value that has to be there comes back'));
  });

  it('keeps lists of files and of splits as they are typed', async () => {
    const { page, typed, saved } = await shown({ recipe });
    const files = page.getByRole('textbox', { name: 'Files of split train' });
    for (const keys of [['a.jsonl, b.jsonl'], ['a.jsonl', ',', ' ', 'b.jsonl'], ['part-{1,', '2}.jsonl']]) {
      await typed(files, keys);
      await shows(files, keys.join(''));
    }
    assert.deepEqual(saved('data', 'splits', 'train', 'files'), ['part-{1,2}.jsonl']);
    const base = page.getByRole('textbox', { name: 'Splits to vary' });
    await typed(base, ['', 'test', ', ', 'train']);
    await shows(base, 'test, train');
    assert.deepEqual(saved('recipe', 'splits'), { base: ['test', 'train'], heldOut: ['test'] });
    await typed(base, ['']);
    await base.press('Enter');
    await until('it is removed, left empty', () => saved('recipe', 'splits') === undefined);
  });

  it('keeps the options of checks and of scorers as they are typed', async () => {
    const { page, typed, saved } = await shown({ recipe, scorer: { kind: 'json-schema', schema: { type: 'object' } } });
    const most = page.getByRole('spinbutton', { name: 'most' });
    await typed(most, ['10.05']);
    await shows(most, '10.05');
    const values = page.getByRole('textbox', { name: 'values' });
    await typed(values, ['["no", ', '1.0]']);
    await shows(values, '["no", 1.0]');
    assert.deepEqual(saved('recipe', 'checks', 1, 'values'), ['no', 1]);
    const schema = page.getByRole('textbox', { name: 'schema' });
    await typed(schema, ['{ "type": "array", ', '"minItems": 1.0 }']);
    await shows(schema, '{ "type": "array", "minItems": 1.0 }');
    assert.deepEqual(saved('scorer', 'schema'), { type: 'array', minItems: 1 });
  });

  it('keeps the cursor where a text begins, and ends', async () => {
    const { page, typed, saved } = await shown({});
    const category = page.getByRole('textbox', { name: 'Category' });
    await typed(category, ['a', 'bc']);
    assert.equal(saved('task', 'category'), 'abc');
    await typed(category, ['', 'de']);
    assert.equal(saved('task', 'category'), 'de');
  });

  it('shows what the file says once it is another value', async () => {
    const { page, channel, typed, saved } = await shown({});
    const files = page.getByRole('textbox', { name: 'Files of split train' });
    await typed(files, ['a.jsonl, ']);
    await channel.call(contract.takePending, null);
    const written = { ...adapter, data: { ...adapter.data, splits: { train: { files: ['b.jsonl', 'c.jsonl'] } } } };
    channel.emit(contract.documentChanged, { file: 'x', written, editable: true, problems: [] });
    await eventually(async () => assert.equal(await files.inputValue(), 'b.jsonl, c.jsonl'));
    assert.deepEqual(saved('data', 'splits', 'train', 'files'), ['a.jsonl']);
  });

  it('keeps the number of a record while the data is counted', async () => {
    const { page, typed, tell } = await shown({});
    const box = page.getByRole('spinbutton', { name: 'Record number' });
    await page.getByText('Q: Which city has 1 bridges?').waitFor();
    await typed(box, ['2']);
    tell();
    await page.waitForTimeout(200);
    await typeAt(box, '5');
    await box.press('Enter');
    await page.getByText('Q: Which city has 25 bridges?').waitFor();
    // An emptied one goes back.
    await box.fill('');
    await box.press('Enter');
    await eventually(async () => assert.equal(await box.inputValue(), '25'));
    await page.getByText('Q: Which city has 25 bridges?').waitFor();
  });
});
