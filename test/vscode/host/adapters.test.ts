/** Benchmark adapters in the editor: form and text, records and verdicts, the check, the tree. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { workspaceFolder } from '../../support/host/api.ts';
import { pageSays, rows } from '../../support/host/onScreen.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

const text = `{
  // Why it is here.
  "version": 1,
  "name": "City quiz",
  "data": {
    "folder": "cities",
    "obtain": "Made by the test.",
    "format": "jsonl",
    "splits": { "test": { "files": ["*.jsonl"] } }
  },
  "task": {
    "id": "city.{{ file.index }}",
    "prompt": [{ "role": "user", "content": "/record/question" }],
    "gold": "/record/answer" // as the authors have it
  },
  "answer": { "kind": "text" },
  "scorer": { "kind": "exact", "compare": "folded" }
}
`;

describe('a benchmark adapter, in the editor', function () {
  this.timeout(240_000);
  let folder = '';
  let uri: vscode.Uri;

  before(async () => {
    folder = join(workspaceFolder(), `adapters-${randomUUID().slice(0, 8)}`);
    await mkdir(join(folder, 'cities'), { recursive: true });
    const records = [
      { question: 'Seat of the Dutch government?', answer: 'The Hague' },
      { question: 'And of Belgium?' },
    ];
    await writeFile(join(folder, 'cities/q.jsonl'), records.map((one) => JSON.stringify(one)).join('\n'));
    uri = vscode.Uri.file(join(folder, 'city.adapter.json'));
    await writeFile(uri.fsPath, text);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  it('opens as a form beside its data, and an edit changes the text and what the record becomes, comments kept', async () => {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.commands.executeCommand('vscode.open', uri);
    await pageSays('adapter', /1 file, 2 records.*Seat of the Dutch government\?/);
    await driver.pageType('adapter', 'textbox', 'An answer to try', 'the  hague');
    await pageSays('adapter', /Success, reward 1/);
    await driver.pageType('adapter', 'textbox', 'Gold', '/record/question');
    await until('the text has it', () => document.getText().includes('"gold": "/record/question"'));
    assert.equal(document.getText(), text.replace('"/record/answer" //', '"/record/question" //'));
    await pageSays('adapter', /Failure, reward 0: expected “seat of the dutch government\?”/);
    await vscode.commands.executeCommand('undo');
    await until('one undo takes it back', () => document.getText() === text);
    await pageSays('adapter', /Success, reward 1/);
  });

  it('is checked over its data: a problem at each record that does not fit, and a summary', async () => {
    await vscode.commands.executeCommand('genenv.checkAdapter', uri);
    const summary = await until('the summary opens', () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.getText().includes('# Check of City quiz') === true && shown;
    });
    assert.match(summary.getText(), /\| test \| 1 \| 2 \| {2}\| 1 \|/);
    assert.match(summary.getText(), /- q\.jsonl:2: task\.gold: there is nothing at \/record\/answer/);
    const [problem, ...more] = vscode.languages.getDiagnostics(vscode.Uri.file(join(folder, 'cities/q.jsonl')));
    assert.deepEqual([problem?.range.start.line, problem?.source, more.length], [1, 'GenEnv', 0]);
  });

  it('stands in the view Data with its count, beside those that come with the extension', async () => {
    await vscode.commands.executeCommand('genenv.data.focus');
    const seen = await rows((all) => all.includes('City quiz') && all.includes('ALFWorld steps'));
    assert.match(seen, /City quiz *2 records/);
    assert.match(seen, /ALFWorld steps *no data folder chosen · comes with GenEnv/);
  });

  it('is copied from the palette, where those that come with the extension are on offer', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const copy = vscode.Uri.file(join(workspaceFolder(), 'travelplanner.adapter.json'));
    const copied = vscode.commands.executeCommand('genenv.copyAdapter');
    await driver.typeInto('Which adapter to copy?', 'TravelPlanner');
    await driver.typeInto('Where is the data?', `${join(folder, 'cities')}/`);
    await copied;
    await until('the copy is open', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputCustom && input.uri.fsPath === copy.fsPath;
    });
    const written = await readFile(copy.fsPath, 'utf8');
    assert.match(written, /"name": "TravelPlanner/);
    assert.ok(written.includes(`"folder": "${basename(folder)}/cities"`), written);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(copy);
  });

  for (const [what, sound, broken, told] of [
    ['a wrong scorer', '"kind": "exact"', '"kind": "exakt"', /scorer\.kind is .*exakt/],
    [
      'an open {{',
      '"/record/question"',
      '"Name {{ record.question"',
      /task\.prompt\[0\]\.content is no Jinja template/,
    ],
  ] as const) {
    it(`shows its record beside ${what}, which is told at its place`, async () => {
      const other = vscode.Uri.file(join(folder, 'other.adapter.json'));
      await writeFile(other.fsPath, text.replace(sound, broken));
      await vscode.commands.executeCommand('vscode.open', other);
      const said = await pageSays('adapter', /Seat of the Dutch government\?/);
      assert.match(said, told);
      assert.doesNotMatch(said, /There is no such record/);
      await driver.screenshot(`adapter-${what.replaceAll(/\W+/g, '-')}`);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(other.fsPath);
    });
  }

  it('has what is wrong with it on its line while it is text', async () => {
    const broken = vscode.Uri.file(join(folder, 'broken.adapter.json'));
    await writeFile(broken.fsPath, text.replace('"/record/answer"', '"/answer"'));
    const diagnostics = await until('it is told', () => {
      const found = vscode.languages.getDiagnostics(broken);
      return found.length > 0 && found;
    });
    const [problem] = diagnostics;
    assert.equal(problem?.range.start.line, 13);
    assert.match(problem.message, /begins with “answer”/);
  });
});
