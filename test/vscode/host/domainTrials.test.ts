/** A domain file tried from the lenses above its functions: texts, seed tasks, attempts, each under an experiment's endpoints. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { api, workspaceFolder } from '../../support/host/api.ts';
import { sums } from '../../support/domains/sums.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

const name = `sums${randomUUID().slice(0, 6)}.domain.ts`;

describe('a domain file, tried from its lenses', function () {
  this.timeout(240_000);
  let folder = '';
  let server: FakeServer;
  const domain = (): vscode.Uri => vscode.Uri.file(join(folder, name));
  const lenses = async (): Promise<[number, string][]> => {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', domain());
    return found.map(({ range, command }) => [range.start.line, command?.title ?? '']);
  };
  const experimentPath = (): string => join(workspaceFolder(), `${basename(folder)}.genenv.json`);
  const shown = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';

  before(async () => {
    await api();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    folder = join(workspaceFolder(), `domain-${randomUUID().slice(0, 8)}`);
    await mkdir(folder);
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    await server.start();
    let asked = 0;
    server.says = (seed, { messages = [] }) => {
      if (!(messages.at(-1)?.content ?? '').startsWith('Write another sum'))
        return { content: String(18 + (seed % 2)) };
      asked += 1;
      return { content: ['10 + 4', 'I would rather not.', '60 + 60', '1 + 1', '10 + 5'][(asked - 1) % 5] ?? '' };
    };
    await writeFile(domain().fsPath, sums['sums.domain.ts']);
    const endpoint = { kind: 'openai', url: server.url, model };
    const experiment = {
      ...{ preset: 'default', name: 'own', mode: 'random', domain: { file: `${basename(folder)}/${name}` } },
      ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false }, rollouts: { group: 4 } },
    };
    // Not in the folder: for a removed folder the editor reports only the folder, and views would keep listing the
    // experiment.
    await writeFile(experimentPath(), JSON.stringify(experiment, null, 2));
    await vscode.window.showTextDocument(domain(), { preview: false });
  });
  after(async () => {
    await server.stop();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(experimentPath());
    await rm(folder, { recursive: true, force: true });
  });

  it('says above each function what can be done with it', async () => {
    const lines = sums['sums.domain.ts'].split('\n');
    const found = await until('lenses', async () => {
      const all = await lenses();
      return all.length > 0 ? all : undefined;
    });
    const named = found.map(([line, title]) => [/(\w+)(?= =|\()/.exec(lines[line] ?? '')?.[1], title]);
    for (const expected of [
      ['seeds', 'Verify Seed Tasks'],
      ['environmentPrompt', 'Write 5 Tasks'],
      ['parse', 'Write 5 Tasks'],
      ['verify', 'Verify Seed Tasks'],
      ['agentPrompt', 'Pose and Attempt'],
      ['judge', 'Pose and Attempt'],
    ]) {
      assert.ok(
        named.some(([one, title]) => one === expected[0] && title === expected[1]),
        JSON.stringify(named),
      );
    }
    await driver.screenshot('domain-lenses');
  });

  it('has five texts written, and shows what each became', async () => {
    const writing = vscode.commands.executeCommand('genenv.writeTasks', domain());
    await driver.choose('A random seed task');
    await writing;
    const text = await until('the document', () => (shown().includes('texts are tasks') ? shown() : undefined));
    assert.match(text, new RegExp(`^${name}: 2 of 5 texts are tasks`));
    assert.match(text, /How the environment policy was asked/);
    assert.match(text, /rejected +it is no sum · unparseable/);
    assert.match(text, /rejected +the sum is 100 or more · gold/);
    assert.match(text, /as it was written\n {2}I would rather not\./);
    assert.match(text, /gold +14/);
    assert.equal(vscode.window.activeTextEditor?.document.languageId, 'genenv-record');
    await driver.screenshot('domain-written');
  });

  it('poses a task, and shows each attempt with its verdict', async () => {
    const posing = vscode.commands.executeCommand('genenv.poseTask', domain());
    // In no list before: one that is on its way out still has its rows.
    await driver.choose('9 + 9');
    await driver.typeInto('How many attempts?', '5');
    await posing;
    const text = await until('the document', () => (shown().includes('attempts solved') ? shown() : undefined));
    assert.match(text, /How much is 9 \+ 9\? Answer with the number\./);
    assert.equal(text.match(/── Attempt r\d/g)?.length, 5);
    assert.match(text, /verdict +solved/);
    assert.match(text, /verdict +not solved/);
    await driver.screenshot('domain-posed');
  });

  it('verifies all seed tasks, with a problem at the line of each that does not', async () => {
    const document = await vscode.workspace.openTextDocument(domain());
    const edit = new vscode.WorkspaceEdit();
    const text = document.getText();
    const at = text.indexOf("Number(gold) < 100 || 'the sum");
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + 18));
    edit.replace(domain(), range, 'Number(gold) < 18');
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('genenv.verifySeeds', domain());
    const held = document
      .getText()
      .split('\n')
      .findIndex((line) => line.includes("'9 + 9'"));
    const [problem, ...more] = vscode.languages
      .getDiagnostics(domain())
      .filter(({ source }) => source === 'GenEnv')
      .filter(({ message }) => message.includes('does not verify'));
    assert.deepEqual(more, []);
    assert.deepEqual([problem?.range.start.line, problem?.code], [held, 'verify']);
    assert.match(problem?.message ?? '', /the sum is 100 or more/);
    assert.equal(document.isDirty, false, 'it was saved first');
    await driver.message('have 1 problem');
    await driver.screenshot('domain-problem');
  });

  it('is checked when it is saved: at the line that does not load, unless the setting is off', async () => {
    const document = await vscode.workspace.openTextDocument(domain());
    const problems = () => vscode.languages.getDiagnostics(domain()).filter(({ source }) => source === 'GenEnv');
    const write = async (text: string): Promise<void> => {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(domain(), new vscode.Range(0, 0, document.lineCount, 0), text);
      await vscode.workspace.applyEdit(edit);
      await document.save();
    };
    await write(`${sums['sums.domain.ts']}\nthrow new Error('not yet');\n`);
    await until('the problem', () => problems().length > 0);
    assert.match(problems()[0]?.message ?? '', /not yet/);
    assert.equal(problems()[0]?.range.start.line, document.lineCount - 2);
    await write(sums['sums.domain.ts'].replace('Number(gold) < 100', 'Number(gold) < 18'));
    await until('the other problem', () => problems().some(({ message }) => message.includes('does not verify')));
    await write(sums['sums.domain.ts']);
    await until('none', () => problems().length === 0);
    const settings = vscode.workspace.getConfiguration('genenv');
    await settings.update('checkDomainsOnSave', false, vscode.ConfigurationTarget.Global);
    try {
      await write(`${sums['sums.domain.ts']}\nthrow new Error('not seen');\n`);
      // A check that was asked for comes after one that was not.
      await vscode.commands.executeCommand('genenv.verifySeeds', domain());
      assert.match(problems()[0]?.message ?? '', /not seen/);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(domain(), new vscode.Position(0, 0), '\n');
      await vscode.workspace.applyEdit(edit);
      await document.save();
      assert.deepEqual(problems(), [], 'nothing says it again');
    } finally {
      await settings.update('checkDomainsOnSave', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('says at which line it fails while texts are written', async () => {
    const failing = sums['sums.domain.ts'].replace(
      'if (a === undefined || b',
      "if (text === '10 + 4' || text === '10 + 5') throw new Error('not this one');\n  if (a === undefined || b",
    );
    await writeFile(domain().fsPath, failing);
    const writing = vscode.commands.executeCommand('genenv.writeTasks', domain());
    await driver.choose('A random seed task');
    await writing;
    const text = await until('the document', () => (shown().includes('0 of 5 texts') ? shown() : undefined));
    assert.match(text, new RegExp(`rejected +Error: not this one \\(.*${basename(domain().path)}:\\d+:\\d+\\)`));
    const line = failing.split('\n').findIndex((one) => one.includes('not this one'));
    const found = vscode.languages.getDiagnostics(domain()).filter(({ message }) => message.includes('not this one'));
    assert.deepEqual(
      found.map(({ range }) => range.start.line),
      [line],
    );
  });
});
