/** Inside the extension host: how long the host's own thread is held at a time while a run is live and watched. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { driver } from '../../../test/vscode/driver.ts';
import { tellFigure } from './tell.ts';

const seconds = 40;

describe('blocking', () => {
  it('while the demo runs, its tree open and its calibration drawn', async () => {
    await driver.command('GenEnv: Focus on Runs View');
    await vscode.commands.executeCommand('genenv.runDemo');
    const held: number[] = [];
    const gaps: number[] = [];
    const end = performance.now() + seconds * 1000;
    for (let last = performance.now(), cpu = thread(); last < end;) {
      await sleep(2);
      const [now, used] = [performance.now(), thread()];
      held.push(used - cpu);
      gaps.push(now - last);
      [last, cpu] = [now, used];
    }
    held.sort((a, b) => a - b);
    const at = (values: number[], share: number): string => (values[Math.floor(values.length * share)] ?? 0).toFixed(1);
    gaps.sort((a, b) => a - b);
    tellFigure({
      name: 'extension host held at a time, a run live',
      value: held.at(-1) ?? 0,
      unit: 'ms',
      budget: 50,
      better: 'lower',
      note: `processor time of its thread between two turns of its loop, longest in ${seconds} s; 99 % ${at(held, 0.99)} ms; with the machine shared with two training threads turns came every ${at(gaps, 0.5)} ms, at the longest ${at(gaps, 1 - 1e-9)} ms`,
    });
  });
});

/** Milliseconds of processor time that this thread has used. */
function thread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
