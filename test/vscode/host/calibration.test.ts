import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { api, experimentFile, landing, next, shown } from '../../support/host/api.ts';
import { pageSays, rows } from '../../support/host/onScreen.ts';
import { driver } from '../driver.ts';

const panels = (): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('genenv.calibration'));

describe('the calibration dashboard in the editor', () => {
  let parts: GenEnvApi;
  /** A finished run, for tests that only look. */
  let finished: RunDir;

  before(async () => {
    parts = await api();
    finished = await parts.service.start(await experimentFile('looked-at', { epochs: 3 }));
    await landing(parts, finished);
    await shown(parts, finished, ({ head }) => head.state === 'finished');
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(async () => {
    for (const dir of parts.service.active.keys()) await parts.service.stop(dir);
  });

  const open = (run: RunDir): Thenable<unknown> => vscode.commands.executeCommand('genenv.openCalibration', { run });

  it('opens once a run, with its numbers', async () => {
    await open(finished);
    const text = await pageSays('calibration', /Success rate p̂, epoch 3/);
    assert.match(text, /looked-at/);
    assert.match(text, /finished\s*epoch 3\/3/);
    const { summary } = parts.catalog.get(finished)?.head ?? {};
    assert.ok(summary?.successRate.p != null);
    assert.match(text, new RegExp(summary.successRate.p.toFixed(2)));
    await open(finished);
    assert.equal(panels().length, 1);
    assert.equal(panels()[0]?.label, 'Calibration: looked-at');
  });

  it('knows everything again after it was hidden', async () => {
    await open(finished);
    await pageSays('calibration', /Success rate p̂, epoch 3/);
    const document = await vscode.workspace.openTextDocument({ content: 'in front of it' });
    await vscode.window.showTextDocument(document);
    await open(finished);
    await pageSays('calibration', /Success rate p̂, epoch 3/);
  });

  it('leads to a family in the tree', async () => {
    await open(finished);
    await pageSays('calibration', /e3\.f0/);
    await driver.pageButton('calibration', 'e3.f0');
    await rows((text) => /[eE]poch 3/.test(text));
  });

  it('follows a live run, changes it and pauses it', async () => {
    const dir = await parts.service.start(await experimentFile('live', { epochs: 500 }));
    await open(dir);
    await pageSays('calibration', /Success rate p̂, epoch [1-9]/);
    const before = parts.service.active.get(dir)?.state.summaries.length ?? 0;
    await next(parts.service.onDidProgress, (run) => run.dir === dir && run.state.summaries.length > before + 1);
    await pageSays('calibration', new RegExp(`Success rate p̂, epoch (?!${before}\\D)[1-9]`));
    await driver.pageType('calibration', 'spinbutton', 'k_min, half width of the band', '0.4');
    await driver.pageButton('calibration', 'Apply from Next Epoch');
    const followed = await parts.catalog.follow(dir);
    while (followed.experiment.curriculum.kMin !== 0.4) await next(followed.onDidAppend);
    followed.dispose();
    await pageSays('calibration', /In the band 0\.5 ± 0\.4/);
    await driver.pageButton('calibration', 'Pause at phase boundary');
    await shown(parts, dir, ({ head }) => head.state === 'paused');
    await pageSays('calibration', /paused/);
    await driver.pageButton('calibration', 'Resume');
    await shown(parts, dir, ({ writer }) => writer === 'here');
    await pageSays('calibration', /running/);
    await parts.service.stop(dir);
  });

  it('says what happens before anything is measured', async () => {
    const dir = await parts.service.start(await experimentFile('young', { epochs: 500 }));
    await open(dir);
    await pageSays('calibration', /young/);
    await parts.service.stop(dir);
    await pageSays('calibration', /stopped/);
  });
});
