/** Inside the extension host: how long it is held while a run of another process journals very wide epochs. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { driver } from '../../../test/vscode/driver.ts';
import { api, next } from '../../../test/support/host/api.ts';
import { at, watchHost } from './hostWatch.ts';
import { tellFigure } from './tell.ts';

const epochs = 4;

describe('blocking', () => {
  it('while epochs of 10,000 families arrive, the tree open and calibration drawn', async () => {
    const parts = await api();
    await driver.command('GenEnv: Focus on Runs View');
    while (parts.catalog.runs.length === 0) await next(parts.catalog.onDidChangeList);
    const [known] = parts.catalog.runs;
    if (known === undefined) throw new Error('There is no run.');
    const { held } = await watchHost(async () => {
      await parts.runsTree.reveal({ run: known.dir });
      await vscode.commands.executeCommand('genenv.openCalibration', { run: known.dir });
      const followed = await parts.catalog.follow(known.dir);
      for (let seen = 0; seen < epochs; seen++) {
        await next(followed.onDidAppend, (events) => events.some(({ type }) => type === 'families.scored'));
      }
      followed.dispose();
      await sleep(2000);
    });
    tellFigure({
      name: 'extension host held at a time, 10,000 families an epoch',
      value: at(held, 1),
      unit: 'ms',
      budget: 50,
      better: 'lower',
      note: `a run elsewhere journals ${epochs} epochs of 7 MB each, its tree open and its calibration drawn; 99 % ${at(held, 0.99).toFixed(1)} ms`,
    });
  });
});
