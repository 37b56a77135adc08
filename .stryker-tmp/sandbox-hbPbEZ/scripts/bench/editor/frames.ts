/** Frames a second of the calibration page inside VS Code, 100,000 families in it, while a person works in its chart. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Mouse } from 'playwright-core';
import * as z from 'zod';
import { startHost } from '../../../test/vscode/host.ts';
import type { Figure } from '../figure.ts';
import { writeLargeRun } from './largeRun.ts';

const epochs = 1000;
const families = 100;
const seconds = 3;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One step of a gesture; `share` runs from 0 to 1 and back. */
type Step = (mouse: Mouse, box: Box, share: number) => Promise<void>;

const across: Step = (mouse, { x, y, width, height }, share) =>
  mouse.move(x + width * (0.2 + 0.6 * share), y + height * (0.3 + 0.3 * share));

const gestures: { name: string; tool?: RegExp; drags: boolean; key?: string; step: Step }[] = [
  { name: 'at rest', drags: false, step: () => Promise.resolve() },
  { name: 'hover', drags: false, step: across },
  { name: 'brush', tool: /selects/, drags: true, step: across },
  // A plain wheel scrolls the page.
  { name: 'zoom', drags: false, key: 'Control', step: (mouse, _, share) => mouse.wheel(0, share < 0.5 ? -60 : 60) },
  { name: 'pan', tool: /moves/, drags: true, step: across },
];

export async function benchFrames(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-bench-frames-'));
  await writeLargeRun(join(folder, '.genenv', 'runs'), { name: 'large', epochs, families, records: false });
  const host = await startHost();
  try {
    const win = await host.open({ folder });
    await win.command('GenEnv: Open Calibration');
    const start = performance.now();
    const page = await win.webview('calibration');
    await page.getByText('Mean p̂ was').waitFor({ timeout: 120_000 });
    const opened = (performance.now() - start) / 1000;
    await page.getByText(`in epoch ${epochs}`).first().waitFor({ timeout: 120_000 });
    const box = await page.locator('.main-chart canvas').first().boundingBox();
    if (box === null) throw new Error('The chart is not on screen.');
    const processor = await processorTime(page);
    const measured = new Map<string, Frames>();
    for (const { name, tool, drags, key, step } of gestures) {
      if (tool !== undefined) await page.getByRole('button', { name: tool }).first().click();
      await win.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      if (drags) await win.page.mouse.down();
      if (key !== undefined) await win.page.keyboard.down(key);
      measured.set(name, await framesWhile(page, processor, (share) => step(win.page.mouse, box, share)));
      if (drags) await win.page.mouse.up();
      if (key !== undefined) await win.page.keyboard.up(key);
    }
    return figures(measured, opened);
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function figures(measured: ReadonlyMap<string, Frames>, opened: number): Figure[] {
  const rest = measured.get('at rest')?.rate ?? 0;
  const moving = [...measured].filter(([name]) => name !== 'at rest');
  return [
    {
      name: 'calibration of 100,000 families: from the command to first numbers',
      value: opened,
      unit: 's',
      better: 'lower',
    },
    ...moving.map(([name, { rate, slow, cost }]): Figure => ({
      name: `calibration of 100,000 families: ${name}`,
      value: rate,
      unit: 'frames/s',
      ...(name !== 'hover' && { budget: 50 }),
      note: `${rest.toFixed(0)} at rest on this machine; 5 % of its frames took longer than ${slow.toFixed(0)} ms; one costs the window ${cost.toFixed(1)} ms of processor time`,
    })),
  ];
}

interface Frames {
  /** A second. */
  rate: number;
  /** Milliseconds of the frame that 95 % are quicker than. */
  slow: number;
  /** Milliseconds of processor time that the window takes for one. */
  cost: number;
}

/** @returns seconds of processor time that the window's process, the page in it, has used */
async function processorTime(page: Frame): Promise<() => Promise<number>> {
  const session = await page.page().context().newCDPSession(page.page());
  await session.send('Performance.enable');
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ProcessTime')?.value ?? 0;
  };
}

/** Counts the page's own animation frames while something is done with it. */
async function framesWhile(
  page: Frame,
  processor: () => Promise<number>,
  work: (share: number) => Promise<void>,
): Promise<Frames> {
  const before = await processor();
  await page.evaluate(`{
    const times = [];
    let last = performance.now();
    const tick = (now) => {
      times.push(now - last);
      last = now;
      window.frameWatch = { times, next: requestAnimationFrame(tick) };
    };
    requestAnimationFrame(tick);
  }`);
  const start = performance.now();
  for (let now = start; now < start + seconds * 1000; now = performance.now()) {
    const turn = ((now - start) / 1000) % 1;
    await work(turn < 0.5 ? 2 * turn : 2 - 2 * turn);
    await page.page().waitForTimeout(5);
  }
  const told: unknown = await page.evaluate('cancelAnimationFrame(frameWatch.next), frameWatch.times.slice(1)');
  const times = z
    .array(z.number())
    .parse(told)
    .toSorted((a, b) => a - b);
  const total = times.reduce((sum, time) => sum + time, 0);
  const cost = (1000 * ((await processor()) - before)) / times.length;
  return { rate: (1000 * times.length) / total, slow: times[Math.floor(times.length * 0.95)] ?? 0, cost };
}
