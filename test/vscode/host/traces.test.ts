/** Spans of the window's runs and of its runner's, by the settings that say where they go. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { cli } from '../../support/built.ts';
import { api, experimentFile, landing, workspaceFolder } from '../../support/host/api.ts';
import { Collector } from '../../support/traced/collector.ts';

describe('spans of rollouts', function () {
  this.timeout(240_000);
  let parts: GenEnvApi;
  let collector: Collector;
  const set = (name: string, value: unknown) =>
    vscode.workspace.getConfiguration('genenv').update(name, value, vscode.ConfigurationTarget.Global);
  const runOnce = async (name: string): Promise<void> => {
    const dir = await parts.service.start(await experimentFile(name));
    assert.equal((await landing(parts, dir)).landing.state, 'finished');
  };
  const epochs = (): string[] => collector.spans.map(({ name }) => name).filter((name) => name.startsWith('epoch '));

  before(async () => (parts = await api()));
  beforeEach(async () => (collector = await Collector.start()));
  afterEach(async () => {
    for (const name of ['endpoint', 'content']) await set(`traces.${name}`, undefined);
    await promisify(execFile)(process.execPath, [
      cli,
      'runner',
      'stop',
      '--root',
      join(workspaceFolder(), '.genenv', 'runs'),
    ]);
    await collector.stop();
  });

  it('go nowhere unless the settings say where, which no workspace can', async () => {
    await assert.rejects(async () =>
      vscode.workspace
        .getConfiguration('genenv')
        .update('traces.endpoint', collector.url, vscode.ConfigurationTarget.Workspace),
    );
    await runOnce('untraced');
    assert.deepEqual(collector.bodies, []);
  });

  it('go there from runs of the window, with texts where that is set', async () => {
    await set('traces.endpoint', collector.url);
    await runOnce('traced');
    assert.deepEqual(epochs(), ['epoch 1', 'epoch 2']);
    assert.ok(!collector.bodies.join('').includes('gen_ai.output.messages'));
    await set('traces.content', true);
    await runOnce('told');
    assert.ok(collector.bodies.join('').includes('gen_ai.output.messages'));
  });

  it('go there from runs of its runner', async () => {
    await set('traces.endpoint', collector.url);
    await vscode.workspace
      .getConfiguration('genenv')
      .update('runs.where', 'runner', vscode.ConfigurationTarget.Workspace);
    await runOnce('queued');
    await vscode.workspace
      .getConfiguration('genenv')
      .update('runs.where', undefined, vscode.ConfigurationTarget.Workspace);
    assert.deepEqual(epochs(), ['epoch 1', 'epoch 2']);
  });
});
