import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { readTalk, type Talk } from '../../../src/features/talk/core/talk.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { until } from '../../support/until.ts';
import { api, experimentFile, landing, next } from '../../support/host/api.ts';
import { driver } from '../driver.ts';

describe('a conversation with checkpoints', () => {
  let parts: GenEnvApi;
  let finished: RunDir;
  let task = '';
  let file: vscode.Uri;

  before(async () => {
    parts = await api();
    finished = await parts.service.start(
      await experimentFile('talk', { generation: { families: 4, variations: 1 }, rollouts: { group: 2, maxTurns: 6 } }),
    );
    await landing(parts, finished);
    while (parts.catalog.get(finished)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
    const followed = await parts.catalog.follow(finished);
    task = (await followed.reader.tasksOf(1)).find(({ status }) => status === 'accepted')?.id ?? '';
    followed.dispose();
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(file);
    for (const dir of parts.service.active.keys()) await parts.service.stop(dir);
  });

  const page = (words: string) =>
    until(`“${words}” on the page`, async () => (await driver.pageText('talk')).includes(words));
  const textOf = (): string =>
    vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString())?.getText() ?? '';
  const talk = (): Talk | null => readTalk(textOf()).talk;

  it('is a file with the versions that were chosen, and the task’s tools answer', async () => {
    const asking = vscode.commands.executeCommand<vscode.Uri>('genenv.talkToCheckpoint', { run: finished, task });
    await driver.choose('agent@0');
    await driver.choose('environment@0');
    file = await asking;
    assert.match(file.path, /\/talk\.talk\.json$/);
    await page('MENU');
    await driver.pageButton('talk', 'Answer the Prompt');
    await page('left');
    assert.deepEqual(talk()?.policies, ['agent@0', 'environment@0']);
    assert.equal(talk()?.exchanges[0]?.answers[0]?.[0]?.role, 'assistant');
    await driver.pageType('talk', 'textbox', 'Your message', 'second count milk CALL');
    await driver.pageButton('talk', 'Send');
    await until('the second answer', () => talk()?.exchanges.length === 2);
    await driver.pageButton('talk', 'Judge');
    await until('the verdicts', () => talk()?.exchanges[1]?.verdicts?.length === 2);
    await page('reward');
    await driver.screenshot('talk');
  });

  it('is saved and opened as any file', async () => {
    await vscode.commands.executeCommand('workbench.action.files.save');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.commands.executeCommand('vscode.open', file);
    await page('second count milk CALL');
  });
});
