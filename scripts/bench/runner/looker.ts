/** Stands for windows attached to a queue: `node looker.ts ROOT WINDOWS SECONDS` prints the processor time that they took. */
import { setTimeout as sleep } from 'node:timers/promises';
import { lookAtRunner, QueueReading } from '../../../src/features/runner/node/runnerFiles.ts';
import { processorSeconds } from '../processorSeconds.ts';

const [root = '', windows = '1', seconds = '5'] = process.argv.slice(2);
const around = { clock: { now: () => Date.now() }, log: { info: () => undefined, warn: () => undefined } };
const end = Date.now() + 1000 * Number(seconds);

async function look(): Promise<void> {
  const reading = new QueueReading(root);
  // The file events of a running run come twice a second, the editor's own timer once.
  while (Date.now() < end) {
    await lookAtRunner(root, around, reading);
    await sleep(350);
  }
}

await lookAtRunner(root, around);
const before = processorSeconds();
await Promise.all(Array.from({ length: Number(windows) }, look));
console.log((processorSeconds() - before).toFixed(4));
