/** Inside the extension host: how soon a large run shows something, and what that takes. One test a window. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { driver } from '../../../test/vscode/driver.ts';
import { api } from '../../../test/support/host/api.ts';
import type { KnownRun } from '../../../src/host/runs/runs.ts';
import { at, watchHost } from './hostWatch.ts';
import { tellFigure } from './tell.ts';

describe('a large run', () => {
  it('in the tree', () =>
    measure('its newest epoch in the tree', async ({ dir, head }, { runsTree }) => {
      await runsTree.reveal({ run: dir, epoch: head.epoch });
    }));

  it('in calibration', () =>
    measure('first numbers in calibration', async ({ dir }) => {
      await vscode.commands.executeCommand('genenv.openCalibration', { run: dir });
      while (!(await driver.pageText('calibration')).includes('Mean p̂ was')) await sleep(5);
    }));
});

type Parts = Awaited<ReturnType<typeof api>>;

async function measure(what: string, show: (run: KnownRun, parts: Parts) => Promise<void>): Promise<void> {
  const parts = await api();
  await driver.command('GenEnv: Focus on Runs View');
  const [known] = parts.catalog.runs;
  if (known === undefined) throw new Error('There is no run.');
  const [start, shown] = [performance.now(), { after: 0 }];
  const { held, memory } = await watchHost(async () => {
    await show(known, parts);
    shown.after = (performance.now() - start) / 1000;
    // Reads after the first paint count too.
    (await parts.catalog.follow(known.dir)).dispose();
    await sleep(3000);
  });
  const { name } = known.head;
  tellFigure({
    name: `${name}: ${what}`,
    value: shown.after,
    unit: 's',
    budget: 1,
    better: 'lower',
    note: `by the clock, the editor’s own part included; the host’s thread was held for ${at(held, 1).toFixed(0)} ms at the longest`,
  });
  tellFigure({
    name: `${name}: more memory of the host for ${what}`,
    value: memory / 1e6,
    unit: 'MB',
    budget: 150,
    better: 'lower',
  });
}
