/**
 * Opens the run named on the command line for writing, says `holding` or `refused REASON MESSAGE`, and closes it again
 * on request. With `--at MS` it waits for that moment first, so that several start together.
 */
import { createInterface } from 'node:readline';
import { RunError } from '../../../src/runs/store/runError.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';

const [, , root = '', id = '', at = '0'] = process.argv;
const log = { info: () => undefined, warn: () => undefined };
const store = new RunStore(root, { clock: { now: () => Date.now() }, log, version: 'test' });
const input = createInterface({ input: process.stdin });
while (Date.now() < Number(at)) await new Promise((resolve) => setImmediate(resolve));
try {
  const writer = await store.openWriter(id);
  console.log('holding');
  input.once('line', () => {
    void writer.close().then(() => {
      console.log('released');
      input.close();
    });
  });
} catch (error) {
  if (!RunError.is(error)) throw error;
  console.log(`refused ${error.reason} ${error.message}`);
  input.close();
}
