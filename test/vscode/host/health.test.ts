import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { taskUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { readReattempts } from '../../../src/runs/records/reattemptsFile.ts';
import { runPaths } from '../../../src/runs/store/runPaths.ts';
import { api, experimentFile, landing, next, workspaceFolder } from '../../support/host/api.ts';
import { verlDumps } from '../../support/runs/foreignRollouts.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

describe('health of tasks, re-attempts, and rollouts from elsewhere', () => {
  let parts: GenEnvApi;
  let finished: RunDir;
  let task: string;
  let uri: vscode.Uri;

  before(async () => {
    parts = await api();
    // Wide enough that some family always fails: the shipped environment starts far too hard.
    finished = await parts.service.start(
      await experimentFile('looked', { epochs: 1, generation: { families: 8, variations: 2 } }),
    );
    await landing(parts, finished);
    while (parts.catalog.get(finished)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
    const followed = await parts.catalog.follow(finished);
    const events = followed.reader.events();
    let family: { tasks: readonly { id: string }[] } | undefined;
    for await (const event of events) {
      if (event.type !== 'families.scored') continue;
      family = event.families.find(({ successRate, tasks }) => successRate.successes === 0 && tasks.length > 1);
    }
    followed.dispose();
    assert.ok(family, 'a family that nobody solved');
    task = family.tasks[0]?.id ?? '';
    uri = taskUri(finished, task);
  });

  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('say in the document and among the problems what is wrong, and what can be done', async () => {
    await vscode.commands.executeCommand('genenv.openTask', { run: finished, task });
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no document is open');
    assert.match(document.getText(), /── Health ─+\n(.+\n)*dead group +All 8 attempts at its family failed: /);
    const problem = await until('the flag among the problems', () =>
      vscode.languages.getDiagnostics(document.uri).find(({ code }) => code === 'dead'),
    );
    assert.equal(document.getText(problem.range), problem.message);
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      ...[document.uri, problem.range],
    );
    assert.deepEqual(
      fixes.flatMap(({ command }) => (command?.command.startsWith('genenv.') === true ? [command.command] : [])),
      ['genenv.excludeTask', 'genenv.openAttempts', 'genenv.reattemptTask'],
    );
  });

  it('attempt a task again by its lens, and show the attempts', async () => {
    const document = await vscode.workspace.openTextDocument(uri);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 20);
    const lens = lenses.find(({ command }) => command?.command === 'genenv.reattemptTask');
    assert.ok(lens?.command);
    const asked: unknown = lens.command.arguments?.[0];
    const asking = vscode.commands.executeCommand(lens.command.command, asked);
    await driver.typeInto('Re-attempt', '3');
    await asking;
    const { reattempts } = await readReattempts(runPaths(finished).reattempts);
    assert.deepEqual(
      reattempts.map(({ state, task: of, group, traces }) => [state, of, group, traces.after.length]),
      [['finished', task, 3, 3]],
    );
    assert.match(
      await driver.message('by agent@'),
      /p̂ 0\.00 \[.+\] → p̂ \d\.\d\d \[.+\] \(3 attempts; before: as recorded\)/,
    );
    await until('the attempts in the document', () =>
      /── Attempted again ─/.test(document.getText()) ? true : undefined,
    );
    await driver.answer('by agent@', 'Open Attempts');
    const trace = await until('an attempt on screen', () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.scheme === 'genenv-trace' ? shown : undefined;
    });
    assert.match(trace.getText(), /after\.[0-9a-z]+/);
    const before = trace.uri.toString();
    await vscode.commands.executeCommand('genenv.nextAttempt');
    await until('the next of them', () => {
      const shown = vscode.window.activeTextEditor?.document.uri;
      return shown?.scheme === 'genenv-trace' && shown.toString() !== before && /after\./.test(shown.query)
        ? true
        : undefined;
    });
  });

  it('import rollouts as a run, once it is seen what is left out', async () => {
    const file = vscode.Uri.file(join(workspaceFolder(), '10.jsonl'));
    await writeFile(file.fsPath, (verlDumps['10.jsonl'] ?? []).map((row) => `${JSON.stringify(row)}\n`).join(''));
    const importing = vscode.commands.executeCommand('genenv.importRollouts', file);
    await driver.choose('Import as a run');
    await importing;
    const run = parts.catalog.runs.find(({ head }) => head.imported === 'verl');
    assert.deepEqual([run?.head.state, run?.head.name], ['finished', '10.jsonl']);
    await vscode.commands.executeCommand('genenv.openTask', { run: run?.dir, task: 'task.1' });
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /2\+2\?[^]*── Attempts in epoch 1 ─/);
    await vscode.commands.executeCommand('genenv.openTrace', { run: run?.dir, trace: 'e1/task.2/r0' });
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /\n {2}7\n/);
  });
});
