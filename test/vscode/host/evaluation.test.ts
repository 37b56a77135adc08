/** Evaluations in the editor: run on the embedded policy, listed, carried on, shown, compared. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import type { Evaluation } from '../../../src/features/evaluation/node/evaluate.ts';
import type { ShownTokens } from '../../../src/features/tokens/contract.ts';
import type { EvaluationRequest } from '../../../src/shared/records/evaluation.ts';
import { workspaceFolder } from '../../support/host/api.ts';
import { traceSchema } from '../../../src/shared/records/trace.ts';
import { pageSays, rows } from '../../support/host/onScreen.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

const adapter = {
  ...{ version: 1, name: 'Stores' },
  data: { folder: 'stores', obtain: 'Made by the test.', format: 'jsonl', splits: { test: { files: ['*.jsonl'] } } },
  task: { id: '/record/id', prompt: [{ messages: '/record/messages' }], gold: '/record/gold' },
  answer: { kind: 'text' },
  scorer: { kind: 'contains', compare: 'trimmed' },
};

describe('evaluations, in the editor', function () {
  this.timeout(240_000);
  let folder = '';
  let file = '';
  const made: string[] = [];

  before(async () => {
    folder = join(workspaceFolder(), `evaluation-${randomUUID().slice(0, 8)}`);
    file = join(folder, 'stores.adapter.json');
    await mkdir(join(folder, 'stores'), { recursive: true });
    await writeFile(file, JSON.stringify(adapter));
    const domain = await StorekeeperDomain.open({ baseTasks: 1, validationTasks: 6, multiTurn: false });
    const lines = domain
      .seeds('validation')
      .map((task, i) => ({ id: task.id, messages: domain.agentPrompt(task), gold: i % 2 === 0 ? 'first' : 'nowhere' }));
    await writeFile(join(folder, 'stores', 'a.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const one of [folder, ...made]) await rm(one, { recursive: true, force: true });
  });

  const request = (more: Partial<EvaluationRequest> = {}): EvaluationRequest => ({
    ...{ adapter: file, data: join(folder, 'stores'), splits: [], sample: null, seed: 1, attempts: 2 },
    ...{ temperature: 1, maxTokens: 40, judge: null, policy: { kind: 'shipped' }, ...more },
  });
  const evaluate = async (asked: EvaluationRequest): Promise<Evaluation> => {
    const ended = await vscode.commands.executeCommand<Evaluation | null | undefined>('genenv.evaluateOnBenchmark', {
      request: asked,
    });
    assert.ok(ended != null, 'it went through');
    made.push(ended.folder);
    return ended;
  };

  it('run with their page in front, and an attempt that was wrong opens from it', async () => {
    const { outcomes, folder: at } = await evaluate(request());
    assert.equal(outcomes.length, 6);
    assert.ok(outcomes.every(({ attempts }) => attempts === 2));
    await pageSays('evaluation', /agent@0 on Stores.*All 12 attempts are there.*pass@1/);
    await driver.screenshot('evaluation-page');
    const answers = (await readFile(join(at, 'answers.jsonl'), 'utf8')).trimEnd().split('\n');
    const wrong = answers.findIndex((line) => line.includes('"success":false'));
    assert.ok(wrong >= 0 && answers.some((line) => line.includes('"success":true')), 'some are right, some are not');
    const { task, id } = traceSchema.parse(JSON.parse(answers[wrong] ?? ''));
    await driver.pagePress('evaluation', 'row', `wrong, ${task}`, 'Enter');
    await until('the attempt in front', () => vscode.window.activeTextEditor?.document.uri.scheme === 'genenv-answer');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, new RegExp(`Trace ${id.replaceAll('.', '\\.')}`));
    await driver.screenshot('evaluation-attempt');
    const uri = vscode.window.activeTextEditor?.document.uri;
    assert.deepEqual(await vscode.commands.executeCommand('vscode.executeLinkProvider', uri), [], 'no run to lead to');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ['Tokens'],
    );
    const shown = await vscode.commands.executeCommand<ShownTokens>(
      'genenv.showTokens',
      lenses[0]?.command?.arguments?.[0],
    );
    const tokens = shown.answers.flatMap((answer) => answer.tokens);
    assert.deepEqual([shown.trace, shown.sampledBy, shown.of], [id, 'agent@0', 'evaluation']);
    assert(tokens.length > 0 && tokens.every(({ sampled, entropy }) => sampled !== null && entropy !== null));
    await pageSays('tokens', /sampled by agent@0.*agent@0 was loaded and gives the recorded log-probabilities again/);
    await driver.screenshot('evaluation-tokens');
    await driver.pageButton('tokens', 'Open Trace');
    await until('the attempt again', () => vscode.window.activeTextEditor?.document.uri.toString() === uri?.toString());
    assert.match(text, /Attempt[^]*Gold ─+\s+nowhere[^]*Prompt/);
  });

  it('go on where they were cut, and ask for what is missing alone', async () => {
    const [at = ''] = made;
    const path = join(at, 'answers.jsonl');
    const whole = await readFile(path, 'utf8');
    const kept = whole.split('\n').slice(0, 5);
    await writeFile(path, `${kept.join('\n')}\n`);
    await vscode.commands.executeCommand('genenv.continueEvaluation', { folder: at });
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    assert.deepEqual(lines.slice(0, 5), kept);
    assert.deepEqual(lines.toSorted(), whole.trimEnd().split('\n').toSorted(), 'the same answers as before');
  });

  it('are listed in the view Data, and two of them are compared task by task', async () => {
    await evaluate(request({ seed: 2 }));
    await vscode.commands.executeCommand('genenv.data.focus');
    await rows((shown) => /Evaluations.*2/.test(shown));
    await driver.screenshot('evaluation-tree');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const comparing = vscode.commands.executeCommand('genenv.compareEvaluations', { folder: made[0] });
    await driver.choose('Stores: agent@0');
    await comparing;
    await pageSays('evaluation', /B − A: [+−]?\d+\.\d points.*bootstrap.*6 tasks of both; 0 of one alone/);
    const title = vscode.window.tabGroups.activeTabGroup.activeTab?.label;
    assert.equal(title, 'Stores: agent@0 · shipped ↔ agent@0 · shipped');
    for (const width of [1440, 900]) {
      await driver.width(width);
      await driver.screenshot(`evaluation-pair-${width}`);
    }
    await driver.width(1400);
    await driver.pageButton('evaluation', /Missed by both \d+/.exec(await driver.pageText('evaluation'))?.[0] ?? '');
    await driver.pagePress('evaluation', 'row', 'Missed by both', 'Enter');
    await until('both answers', () => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputTextDiff && input.original.scheme === 'genenv-answer';
    });
    await driver.screenshot('evaluation-pair-answers');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('begin from the page of the adapter, whose changes are saved first', async () => {
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.commands.executeCommand('vscode.open', document.uri);
    const edit = new vscode.WorkspaceEdit();
    const at = document.positionAt(document.getText().indexOf('Stores'));
    edit.replace(document.uri, new vscode.Range(at, at.translate(0, 'Stores'.length)), 'Shops');
    await vscode.workspace.applyEdit(edit);
    assert.ok(document.isDirty);
    await pageSays('adapter', /Shops/);
    await driver.pageButton('adapter', 'Evaluate…');
    await driver.type('The embedded agent as it is shipped');
    await driver.typeInto('How many tasks of Shops to draw? Empty: all of them.', '2');
    assert.equal(document.isDirty, false);
    assert.match(await readFile(file, 'utf8'), /Shops/);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await writeFile(file, JSON.stringify(adapter));
  });

  it('are asked for step by step, and begin when what they take has been seen', async () => {
    const asking = vscode.commands.executeCommand<Evaluation | null>(
      'genenv.evaluateOnBenchmark',
      vscode.Uri.file(file),
    );
    // Typed, as runs of other suites stand before it in the list.
    await driver.type('The embedded agent as it is shipped');
    await vscode.commands.executeCommand('genenv.data.focus');
    await driver.typeInto('How many tasks of Stores to draw? Empty: all of them.', '2');
    await driver.typeInto('Attempts at each task: n, of which pass@1 and pass@n are estimated', '1');
    await driver.typeInto('Seed of the draw and of the sampling', '7');
    await driver.typeInto('Longest answer in tokens, thoughts included', '1024');
    await driver.screenshot('evaluation-confirm');
    await driver.choose('Evaluate');
    const ended = await asking;
    assert.ok(ended != null, 'it went through');
    made.push(ended.folder);
    const { tasks, attempts, seed, temperature } = ended.settings;
    assert.deepEqual([tasks, attempts, seed, temperature], [2, 1, 7, 0]);
  });
});
