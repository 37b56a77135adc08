/** Inside the extension host: how long the host's own thread is held at a time while a run is live and watched. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { driver } from '../../../test/vscode/driver.ts';
import { at, watchHost } from './hostWatch.ts';
import { tellFigure } from './tell.ts';

const seconds = 40;

describe('blocking', () => {
  it('while the demo runs, its tree open and its calibration drawn', async () => {
    await driver.command('GenEnv: Focus on Runs View');
    await vscode.commands.executeCommand('genenv.runDemo');
    const { held, gaps } = await watchHost(() => sleep(seconds * 1000));
    const ms = (value: number): string => `${value.toFixed(1)} ms`;
    tellFigure({
      name: 'extension host held at a time, a run live',
      value: at(held, 1),
      unit: 'ms',
      budget: 50,
      better: 'lower',
      note: `processor time of its thread between two turns of its loop, longest in ${seconds} s; 99 % ${ms(at(held, 0.99))}; with the machine shared with two training threads turns came every ${ms(at(gaps, 0.5))}, at the longest ${ms(at(gaps, 1))}`,
    });
  });
});
