/** Reward functions in the editor: written, tried on a recorded trace, their exceptions on their line, held to cases. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { traceUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { readCases } from '../../../src/shared/rewards/cases.ts';
import type { RewardOutcome } from '../../../src/shared/rewards/outcome.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { api, experimentFile, landing, workspaceFolder } from '../../support/host/api.ts';
import { driver } from '../driver.ts';

describe('reward functions, in the editor', function () {
  this.timeout(240_000);
  let parts: GenEnvApi;
  let run: RunDir;
  let trace: Trace;
  let folder = '';
  const mine = (): vscode.Uri => vscode.Uri.file(join(folder, 'mine.reward.ts'));
  const cases = (): string => join(folder, 'mine.reward.cases.jsonl');

  before(async () => {
    parts = await api();
    folder = join(workspaceFolder(), `rewards-${randomUUID().slice(0, 8)}`);
    await mkdir(folder);
    run = await parts.service.start(await experimentFile('judged', { epochs: 1 }));
    await landing(parts, run);
    const followed = await parts.catalog.follow(run);
    const [first] = await all(followed.reader.traces());
    followed.dispose();
    trace = first ?? assert.fail('the run has traces');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  it('are written with their types and two cases beside them', async () => {
    const writing = vscode.commands.executeCommand('genenv.newReward', vscode.Uri.file(folder));
    await driver.choose('TypeScript');
    await driver.typeInto('New reward function', 'mine');
    await writing;
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, mine().fsPath);
    assert.equal(
      await readFile(join(folder, 'genenv-reward.d.ts'), 'utf8'),
      await readFile(new URL('../../../media/rewards/genenv-reward.d.ts', import.meta.url), 'utf8'),
    );
    assert.equal([...readCases(await readFile(cases(), 'utf8'))].filter((line) => 'case' in line).length, 2);
  });

  it('judge the trace that is open, as their lens says', async () => {
    await vscode.window.showTextDocument(traceUri(run, trace.id), { preview: false });
    const { document } = await vscode.window.showTextDocument(mine(), { preview: false });
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', mine());
    const lens = lenses.find(({ command }) => command?.command === 'genenv.scoreWithReward');
    assert.match(document.lineAt(lens?.range.start.line ?? 0).text, /^export function reward\(/);
    const outcome = await vscode.commands.executeCommand<RewardOutcome>(
      'genenv.scoreWithReward',
      lens?.command?.arguments?.[0],
    );
    assert.equal(outcome.fault, null);
    assert.deepEqual(Object.keys(outcome.verdict.parts ?? {}), ['overlap', 'words']);
  });

  it('have an exception on its line, gone with the next change, and what they printed kept', async () => {
    const document = await vscode.workspace.openTextDocument(mine());
    const edit = new vscode.WorkspaceEdit();
    const body =
      'export function reward(task: { id: string }): number {\n  console.log("seen", task.id);\n  throw new Error("not today");\n}\n';
    edit.replace(mine(), new vscode.Range(0, 0, document.lineCount, 0), body);
    await vscode.workspace.applyEdit(edit);
    const outcome = await vscode.commands.executeCommand<RewardOutcome>('genenv.scoreWithReward', mine());
    assert.deepEqual([outcome.fault?.reason, outcome.output], ['threw', `seen ${trace.task}\n`]);
    assert.equal(document.isDirty, false, 'it is judged as it stands in the editor');
    const [problem, ...more] = vscode.languages.getDiagnostics(mine()).filter(({ source }) => source === 'GenEnv');
    assert.deepEqual([problem?.range.start.line, problem?.message, more.length], [2, 'Error: not today', 0]);
    assert.equal(
      problem?.relatedInformation?.[0]?.location.uri.toString(),
      traceUri(run, trace.id).toString(),
      'the way back to the attempt',
    );
    const change = new vscode.WorkspaceEdit();
    change.insert(mine(), new vscode.Position(0, 0), '\n');
    await vscode.workspace.applyEdit(change);
    assert.deepEqual(
      vscode.languages.getDiagnostics(mine()).filter(({ source }) => source === 'GenEnv'),
      [],
    );
    await document.save();
  });

  it('are held to a pinned trace, with the verdict that a person gave it last', async () => {
    const pin = async (expected: string): Promise<void> => {
      const pinning = vscode.commands.executeCommand('genenv.pinCase', { run, trace: trace.id });
      await driver.choose(expected);
      await pinning;
    };
    await vscode.window.showTextDocument(mine());
    await pin('As recorded');
    // The row of “Solved” is the first that asks for no reward; its own word stands in the others, too.
    await pin(trace.verdict.success ? 'Not solved' : 'any reward');
    const lines = [...readCases(await readFile(cases(), 'utf8'))];
    assert.equal(lines.length, 3);
    const last = lines.at(-1);
    assert.ok(last !== undefined && 'case' in last);
    assert.deepEqual(last.case.source, { run: run.split('/').at(-1), trace: trace.id });
    assert.equal(last.case.expected.success, !trace.verdict.success);
    assert.equal(last.case.task.id, trace.task);
  });

  it('get cases that are suggested, as far as a person ticks them and says what is right', async () => {
    await writeFile(join(folder, 'other.reward.ts'), 'export const reward = () => 0;\n');
    await vscode.window.showTextDocument(mine());
    const before = [...readCases(await readFile(cases(), 'utf8'))].length;
    const suggesting = vscode.commands.executeCommand('genenv.suggestCases', { run });
    await driver.choose('What was recorded');
    // The reward throws since it was edited, so that it disagrees everywhere.
    await driver.choose('now: checker failed');
    await driver.press('quick input', 'Enter');
    await driver.choose('Not solved');
    await suggesting;
    const lines = [...readCases(await readFile(cases(), 'utf8'))];
    assert.equal(lines.length, before + 1);
    const last = lines.at(-1);
    assert.ok(last !== undefined && 'case' in last);
    assert.deepEqual([last.case.source?.run, last.case.expected.success], [run.split('/').at(-1), false]);
  });

  it('are audited by what they judged, in a document that leads to the attempts', async () => {
    await vscode.commands.executeCommand('genenv.auditRewards', { run });
    const { document } = vscode.window.activeTextEditor ?? assert.fail('the audit is shown');
    assert.equal(document.uri.scheme, 'genenv-audit');
    const text = document.getText();
    assert.match(text, /^Reward audit of “judged”\n {2}\d+ judged attempts of training\n/);
    for (const title of ['Reward and length', 'Constant rewards', 'Majorities against the gold'])
      assert.ok(text.includes(title));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    assert.deepEqual(
      links.map(({ range }) => document.getText(range)).filter((shown) => !shown.startsWith('“')),
      text.split('\n').flatMap((line) => /^ {4}(e\d+\/.+)$/.exec(line)?.[1] ?? []),
    );
    assert.equal(document.getText(links[0]?.range), '“judged”');
  });

  it('in Python are run by what genenv.python names, as it is set', async () => {
    const settings = vscode.workspace.getConfiguration('genenv');
    const before = process.env['GENENV_PYTHON'];
    await settings.update('python', 'python-of-mine', vscode.ConfigurationTarget.Global);
    assert.equal(process.env['GENENV_PYTHON'], 'python-of-mine');
    await settings.update('python', undefined, vscode.ConfigurationTarget.Global);
    assert.equal(process.env['GENENV_PYTHON'], before);
  });

  it('have what they printed in a run in the document of each trace', async () => {
    const file = join(folder, 'loud.reward.js');
    const text = 'console.log("seen", task.id); console.log("x".repeat(9000));';
    await writeFile(file, `export const reward = (task, trace) => { ${text} return 0.5; };\n`);
    const loud = await parts.service.start(await experimentFile('loud', { epochs: 1, reward: { file } }));
    await landing(parts, loud);
    const followed = await parts.catalog.follow(loud);
    const [first] = await all(followed.reader.traces());
    followed.dispose();
    const document = await vscode.workspace.openTextDocument(traceUri(loud, first?.id ?? ''));
    const shown = document.getText();
    assert.match(
      shown,
      /── Printed by the Reward ─+\n {2}seen \S+\n {2}x{3,}\n {2}… \(cut: it printed more than 4000 characters\)\n$/,
    );
    assert.ok(shown.includes(`  seen ${first?.task ?? '?'}\n`));
  });
});
