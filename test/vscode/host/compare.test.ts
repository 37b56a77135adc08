import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { api, experimentFile, landing } from '../../support/host/api.ts';
import { pageSays } from '../../support/host/onScreen.ts';
import { driver } from '../driver.ts';

describe('runs compared in the editor', () => {
  let parts: GenEnvApi;
  let first: RunDir;
  let second: RunDir;

  async function finished(name: string, settings: Record<string, unknown>): Promise<RunDir> {
    const dir = await parts.service.start(await experimentFile(name, settings));
    await landing(parts, dir);
    return dir;
  }

  before(async () => {
    parts = await api();
    first = await finished('one', {});
    second = await finished('other', { seed: 4, mode: 'random' });
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(async () => {
    for (const dir of [...parts.service.active.keys()]) await parts.service.stop(dir);
  });

  const compare = (...dirs: RunDir[]) => {
    const nodes = dirs.map((run) => ({ run }));
    return vscode.commands.executeCommand('genenv.compareRuns', nodes[0], nodes);
  };

  it('shows the runs that were selected: curves, settings, and the held-out tasks one by one', async () => {
    await compare(first, second);
    const text = await pageSays('compare', /95 % interval/);
    assert.match(text, /Compare 2 runs/);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Compare: one ↔ other');
    assert.match(text, /A one.*finished, 2 of 2 epochs · mode coevolve, seed 3/);
    assert.match(text, /Of 20 shared tasks A after epoch 2 solved \d+ /);
    assert.match(text, /mode coevolve random/);
    await driver.screenshot('compare');
  });

  it('says so when the validation sets differ, and compares what is shared', async () => {
    const smaller = await finished('smaller', { validation: { tasks: 8, temperature: 0 } });
    await compare(first, smaller);
    const text = await pageSays('compare', /sets differ/);
    assert.match(text, /A was validated on 20 tasks, B on 8; only the 8 that both share are compared/);
    assert.match(text, /were measured differently: validation\.temperature/);
  });

  it('says so when a run has no validation', async () => {
    const unmeasured = await finished('unmeasured', { validation: { every: 0 } });
    await compare(first, unmeasured);
    await pageSays('compare', /B was not validated yet/);
  });

  it('grows with a run that goes on', async () => {
    const live = await parts.service.start(await experimentFile('live', { epochs: 500 }));
    await compare(first, live);
    await pageSays('compare', /B live.*running, [1-9]\d* of 500 epochs/);
    await parts.service.stop(live);
    await pageSays('compare', /B live.*stopped/);
  });

  it('asks which runs when it was given fewer than two', async () => {
    const asked = vscode.commands.executeCommand('genenv.compareRuns', { run: first });
    await driver.choose('other');
    await driver.press('quick input', 'Enter');
    await asked;
    await pageSays('compare', /Compare 2 runs/);
  });
});
