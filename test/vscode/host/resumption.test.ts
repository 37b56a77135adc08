import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { cli } from '../../support/built.ts';
import { api, experimentFile, next, shown, workspaceFolder } from '../../support/host/api.ts';
import { driver } from '../driver.ts';

describe('an interrupted run', () => {
  let parts: GenEnvApi;

  before(async () => {
    parts = await api();
  });

  afterEach(async () => {
    for (const dir of parts.service.active.keys()) await parts.service.stop(dir);
    await wish(undefined);
  });

  const wish = (value: string | undefined) =>
    vscode.workspace.getConfiguration('genenv').update('resume', value, vscode.ConfigurationTarget.Workspace);

  /** A run of a process that was killed after an epoch. */
  const killed = async (name: string): Promise<RunDir> => {
    const { file } = await experimentFile(name, { epochs: 500 });
    const root = join(workspaceFolder(), '.genenv', 'runs');
    const child = spawn(process.execPath, [cli, 'run', file.fsPath, '--root', root, '--json']);
    const listed = (): RunDir | undefined => parts.catalog.runs.find(({ head }) => head.name === name)?.dir;
    while (listed() === undefined) await next(parts.catalog.onDidChangeList);
    const dir = listed() ?? '';
    await shown(parts, dir, ({ head }) => head.epoch >= 1);
    child.kill('SIGKILL');
    return dir;
  };

  it('is offered, and goes on when the offer is taken', async () => {
    await wish('ask');
    const dir = await killed('asked');
    await driver.answer('“asked” was interrupted', 'Resume');
    const { head } = await shown(parts, dir, ({ writer }) => writer === 'here');
    assert.equal(head.state, 'running');
  });

  it('is not offered again once it was declined', async () => {
    await wish('ask');
    const dir = await killed('declined');
    await driver.answer('“declined” was interrupted', 'Not Now');
    await parts.catalog.refresh();
    await parts.service.resume(dir);
    await shown(parts, dir, ({ writer }) => writer === 'here');
  });

  it('goes on without a question when the setting says always', async () => {
    await wish('always');
    const dir = await killed('always');
    await shown(parts, dir, ({ writer }) => writer === 'here');
  });

  it('is left alone when the setting says never', async () => {
    await wish('never');
    const dir = await killed('never');
    await shown(parts, dir, ({ head, writer }) => head.state === 'interrupted' && writer === null);
    // Longer than it takes to be resumed.
    await sleep(2_000);
    assert.equal(parts.service.active.has(dir), false);
    assert.equal(parts.catalog.get(dir)?.head.state, 'interrupted');
  });
});
