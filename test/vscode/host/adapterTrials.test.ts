/** An adapter with a recipe tried by the lenses and commands of domain files: texts, seed tasks, attempts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { quizAdapter } from '../../support/adapters/quizAdapter.ts';
import { sampleAdapter } from '../../support/adapters/sampleAdapter.ts';
import { api, workspaceFolder } from '../../support/host/api.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

const name = `quiz${randomUUID().slice(0, 6)}.adapter.json`;
const text = `${JSON.stringify(quizAdapter(), null, 2)}\n`;
const record = (question: string, answer: string): string => JSON.stringify({ question, answer });
const written = [
  record('Which town lies on the river Tiber?', 'Rome'),
  'I would rather not.',
  record('Is Lima really called Lima?', 'Lima'),
  record('Name the town with Big Ben', 'London'),
  record('What seat of parliament has bears in its arms?', 'Bern'),
];
const reward = `export const reward = ({ gold }: { gold: string }, { answer }: { answer: string }) => ({
  success: answer === gold, reward: answer === gold ? 0.75 : 0.25,
});
`;

describe('an adapter with a recipe, tried as a domain', function () {
  this.timeout(240_000);
  let folder = '';
  let server: FakeServer;
  const file = (of: string): vscode.Uri => vscode.Uri.file(join(folder, of));
  const adapter = (): vscode.Uri => file(name);
  const lensesOf = (uri: vscode.Uri): Thenable<vscode.CodeLens[]> =>
    vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
  const lineOf = (part: string): number => text.split('\n').findIndex((line) => line.includes(part));
  const experimentPath = (): string => join(workspaceFolder(), `${basename(folder)}.genenv.json`);
  const shown = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';
  const problemsOf = (uri: vscode.Uri): vscode.Diagnostic[] =>
    vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'GenEnv');

  before(async () => {
    await api();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    folder = join(workspaceFolder(), `quiz-${randomUUID().slice(0, 8)}`);
    await mkdir(folder);
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    await server.start();
    let asked = 0;
    server.says = (seed, { messages = [] }) => {
      if (!(messages[0]?.content ?? '').startsWith('You write quiz questions')) {
        return { content: seed % 2 === 0 ? 'Oslo' : 'nowhere' };
      }
      asked += 1;
      return { content: written[(asked - 1) % written.length] ?? '' };
    };
    await writeFile(file('train.jsonl').fsPath, `${record('Whose harbour has an opera of sails?', 'Sydney')}\n`);
    await writeFile(file('test.jsonl').fsPath, `${record('Where do fjords end at a castle?', 'Oslo')}\n`);
    await writeFile(file('quiz.reward.ts').fsPath, reward);
    await writeFile(adapter().fsPath, text);
    const endpoint = { kind: 'openai', url: server.url, model };
    const experiment = {
      ...{ preset: 'default', name: 'quiz', mode: 'random', domain: { file: `${basename(folder)}/${name}` } },
      ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false }, rollouts: { group: 4 } },
      reward: { file: `${basename(folder)}/quiz.reward.ts` },
    };
    // Beside the folder: views keep listing an experiment of a folder that is removed.
    await writeFile(experimentPath(), JSON.stringify(experiment, null, 2));
  });
  after(async () => {
    await server.stop();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(experimentPath());
    await rm(folder, { recursive: true, force: true });
  });

  it('has the lenses of a domain at the fields that do the work, and none to debug', async () => {
    await vscode.commands.executeCommand('vscode.openWith', adapter(), 'default');
    const found = await until('lenses', async () => {
      const all = await lensesOf(adapter());
      return all.length > 0 ? all : undefined;
    });
    const [task, scorer, recipe] = ['  "task":', '  "scorer":', '  "recipe":'].map(lineOf);
    const lines = text.split('\n');
    const inRecipe = (part: string): number => lines.findIndex((line, at) => at > (recipe ?? 0) && line.includes(part));
    assert.deepEqual(
      found
        .map(({ range, command }): [number, string] => [range.start.line, command?.title ?? ''])
        .toSorted(([a, one], [b, other]) => a - b || (one < other ? -1 : 1)),
      [
        [task, 'Pose and Attempt'],
        [scorer, 'Pose and Attempt'],
        [scorer, 'Verify Seed Tasks'],
        [inRecipe('"prompt":'), 'Write 5 Tasks'],
        [inRecipe('"form":'), 'Write 5 Tasks'],
        [inRecipe('"splits":'), 'Verify Seed Tasks'],
      ],
    );
    await driver.screenshot('adapter-lenses');
  });

  it('has five texts written by its recipe, and shows what each became', async () => {
    const writing = vscode.commands.executeCommand('genenv.writeTasks', adapter());
    await driver.choose('A random seed task');
    await writing;
    const page = await until('the document', () => (shown().includes('texts are tasks') ? shown() : undefined));
    assert.match(page, new RegExp(`^${name}: 2 of 5 texts are tasks`));
    assert.match(page, /How the environment policy was asked[\s\S]*You write quiz questions\./);
    assert.match(page, /as it was written\n {2}I would rather not\./);
    assert.match(page, /rejected +there is no JSON object in the text/);
    assert.match(page, /rejected +the question does not end with “\?”/);
    assert.match(page, /gold +Rome/);
    assert.match(page, /judged by +exact/);
  });

  it('poses a task, judged by the experiment’s reward file', async () => {
    const posing = vscode.commands.executeCommand('genenv.poseTask', adapter());
    await driver.choose('Where do fjords end at a castle?');
    await driver.typeInto('How many attempts?', '6');
    await posing;
    const page = await until('the document', () => (shown().includes('attempts solved') ? shown() : undefined));
    assert.match(page, /Q: Where do fjords end at a castle\?/);
    assert.equal(page.match(/── Attempt r\d/g)?.length, 6);
    assert.match(page, /verdict +solved/);
    assert.match(page, /verdict +not solved/);
    assert.match(page, /reward +0\.75/);
    assert.match(page, /reward +0\.25/);
  });

  it('verifies its seed tasks, also as the form in front', async () => {
    await vscode.commands.executeCommand('vscode.openWith', adapter(), 'genenv.adapter');
    await vscode.commands.executeCommand('genenv.verifySeeds');
    await driver.message('2 seed tasks verify.');
    assert.deepEqual(problemsOf(adapter()), []);
  });

  it('has a problem at its scorer for each seed task that does not verify, and is saved first', async () => {
    await vscode.commands.executeCommand('vscode.openWith', adapter(), 'default');
    const document = await vscode.workspace.openTextDocument(adapter());
    const at = document.getText().indexOf('"kind": "text"');
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + '"kind": "text"'.length));
    edit.replace(adapter(), range, '"kind": "regex", "pattern": "^S.*$", "group": 0, "which": "last"');
    await vscode.workspace.applyEdit(edit);
    await vscode.commands.executeCommand('genenv.verifySeeds', adapter());
    const [problem, ...more] = problemsOf(adapter());
    assert.deepEqual(more, []);
    assert.match(
      problem?.message ?? '',
      /The seed task \S+ does not verify: its own gold is no right answer by “exact”/,
    );
    const scorer = document
      .getText()
      .split('\n')
      .findIndex((line) => line.startsWith('  "scorer":'));
    assert.deepEqual([problem?.range.start.line, problem?.code], [scorer, 'verify']);
    assert.equal(document.isDirty, false);
    await driver.message('have 1 problem');
  });

  it('says so where it has no recipe, and has no lenses then', async () => {
    const plain = file('plain.adapter.json');
    await writeFile(plain.fsPath, JSON.stringify(sampleAdapter(), null, 2));
    await vscode.workspace.openTextDocument(plain);
    assert.deepEqual(await lensesOf(plain), []);
    await vscode.commands.executeCommand('genenv.verifySeeds', plain);
    await driver.message('The adapter sample has no recipe');
    assert.match(
      problemsOf(plain)
        .map(({ message }) => message)
        .join('\n'),
      /has no recipe, so no task can be written/,
    );
  });
});
