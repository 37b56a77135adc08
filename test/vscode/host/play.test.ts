import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { taskUri, traceUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { readPlays } from '../../../src/runs/records/playsFile.ts';
import { runPaths } from '../../../src/runs/store/runPaths.ts';
import type { TaskEdit } from '../../../src/shared/records/taskEdit.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { until } from '../../support/until.ts';
import { api, experimentFile, landing, next } from '../../support/host/api.ts';
import { rows } from '../../support/host/onScreen.ts';
import { driver } from '../driver.ts';

describe('a task played by a person', () => {
  let parts: GenEnvApi;
  let finished: RunDir;
  let task: Task;

  before(async () => {
    parts = await api();
    finished = await parts.service.start(
      await experimentFile('play', { generation: { families: 4, variations: 1 }, rollouts: { group: 2, maxTurns: 6 } }),
    );
    await landing(parts, finished);
    while (parts.catalog.get(finished)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
    const followed = await parts.catalog.follow(finished);
    const tasks = await followed.reader.tasksOf(1);
    followed.dispose();
    const found = tasks.find(({ status, gold }) => status === 'accepted' && (gold ?? '').split(' ').length > 6);
    assert.ok(found !== undefined);
    task = found;
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const dir of parts.service.active.keys()) await parts.service.stop(dir);
  });

  const plays = async () => (await readPlays(runPaths(finished).plays)).plays;
  const page = (words: string) =>
    until(`“${words}” on the page`, async () => (await driver.pageText('play')).includes(words));

  it('keeps the draft when its page is closed, and resumes from it', async () => {
    await vscode.commands.executeCommand('genenv.playTask', { run: finished, task: task.id });
    await page('Turn 1.');
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, `Play: ${task.id} · play`);
    await driver.pageType('play', 'textbox', 'Your turn, as the agent would write it', 'first of');
    await until('the draft on disk', async () => (await plays()).some(({ draft }) => draft === 'first of'));
    await driver.screenshot('play-asking');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    const again = vscode.commands.executeCommand('genenv.playTask', { run: finished, task: task.id });
    await driver.choose('Continue the one of');
    await again;
    await page('Turn 1.');
    assert.equal((await plays()).length, 1);
  });

  it('is answered by its tools and judged, and stands beside the other attempts', async () => {
    // The gold is all calls in one turn, which the tools take too.
    const gold = (task.gold ?? '').replace(/\s*<end>$/, '');
    await driver.pageType('play', 'textbox', 'Your turn, as the agent would write it', gold);
    await driver.pageButton('play', 'Send Turn');
    await page('Solved');
    const [play] = await plays();
    const trace = play?.trace;
    assert.ok(trace != null);
    assert.deepEqual([trace.verdict.success, trace.messages[0]?.role], [true, 'assistant']);
    assert.match(trace.version, /^person:/);
    await driver.screenshot('play-ended');
    await driver.pageButton('play', 'Open Attempt');
    const textOf = (uri: vscode.Uri): string =>
      vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString())?.getText() ?? '';
    await until('the attempt as a document', () => textOf(traceUri(finished, trace.id)).includes('a person'));
    await vscode.commands.executeCommand('genenv.openTask', { run: finished, task: task.id });
    await until('the attempt in its task', () =>
      vscode.workspace.textDocuments.some(
        (one) => one.uri.scheme === taskUri(finished, task.id).scheme && one.getText().includes('Attempted by people'),
      ),
    );
    const followed = await parts.catalog.follow(finished);
    const recorded = await followed.reader.attemptsAt(task.id, 1);
    followed.dispose();
    assert.ok(recorded.every(({ id }) => id !== trace.id));
  });

  it('is put into the agent pool by a button, stands in Data Pools, and is removed there', async () => {
    const [play] = await plays();
    const trace = play?.trace;
    assert.ok(trace != null);
    const admitted = async (): Promise<readonly TaskEdit[]> => {
      const followed = await parts.catalog.follow(finished);
      const edits = followed.state.edits.map(({ edit }) => edit);
      followed.dispose();
      return edits;
    };
    await vscode.commands.executeCommand('workbench.action.firstEditorInGroup');
    await page('Add to Agent Pool');
    await driver.pageButton('play', 'Add to Agent Pool');
    await until('journaled', async () => (await admitted()).some(({ action }) => action === 'admit'));
    const lenses = async (): Promise<string[]> => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        traceUri(finished, trace.id),
      );
      return found.map(({ command }) => command?.title ?? '');
    };
    await vscode.commands.executeCommand('genenv.openTrace', { run: finished, trace: trace.id });
    await until('its lens', async () => (await lenses()).some((title) => title.endsWith(': Remove')));
    await vscode.commands.executeCommand('genenv.data.focus');
    await rows((text) => text.includes('Data Pools'));
    await vscode.commands.executeCommand('list.focusFirst');
    // The pools, the newest run, and D_train, which is its first.
    await vscode.commands.executeCommand('list.expand');
    await rows((text) => (text.match(/play(?:epoch|p̂)/g) ?? []).length > 1);
    await vscode.commands.executeCommand('list.focusDown');
    await vscode.commands.executeCommand('list.expand');
    await rows((text) => text.includes('D_train'));
    await vscode.commands.executeCommand('list.focusDown');
    await vscode.commands.executeCommand('list.expand');
    await rows((text) => text.includes('Generated tasks'));
    for (let i = 0; i < 4; i++) await vscode.commands.executeCommand('list.focusDown');
    await rows((text) => text.includes('Attempt of a person'));
    await driver.screenshot('play-pool');
    await vscode.commands.executeCommand('genenv.removeFromAgentPool', { run: finished, trace: trace.id });
    await until('removed', async () => (await admitted()).at(-1)?.action === 'withdraw');
    await until('its lens again', async () => (await lenses()).includes('Add to Agent Pool'));
    await rows((text) => !text.includes('Attempt of a person'));
    await driver.screenshot('play-removed');
    // Other tests look for what stands below the pools.
    await vscode.commands.executeCommand('genenv.data.focus');
    await vscode.commands.executeCommand('list.focusFirst');
    await vscode.commands.executeCommand('list.collapse');
    await rows((text) => !text.includes('D_train'));
    const shown = await vscode.commands.executeCommand<{ without: string | null }>('genenv.showTokens', {
      ...{ run: finished, trace: trace.id },
    });
    assert.equal(shown.without, 'person');
    await until('why, on the page', async () =>
      (await driver.pageText('tokens')).includes('A person made this attempt'),
    );
    await driver.screenshot('play-tokens');
  });
});
