/** The extension host dies or is reloaded in mid-epoch; the run ends as if nothing had happened. Packaged. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { cli } from '../support/built.ts';
import { onlyRun, runContents } from '../support/runContents.ts';
import { uiSuite } from '../support/ui/uiSuite.ts';
import { until } from '../support/until.ts';

const experiment = {
  version: 1,
  name: 'crash',
  preset: 'embedded',
  mode: 'coevolve',
  seed: 7,
  epochs: 3,
  generation: { families: 4 },
  validation: { tasks: 40 },
};
/**
 * The journal's last event when the extension host ends, each time at another point of an epoch, and the way it ends.
 */
const moments = [
  { type: 'tasks.generated', epoch: 1, by: 'SIGKILL' },
  { type: 'families.scored', epoch: 2, by: 'reload' },
  { type: 'tasks.generated', epoch: 3, by: 'SIGKILL' },
] as const;

describe('an extension host that is killed and reloaded in mid-epoch', function () {
  this.timeout(300_000);
  const ui = uiSuite('crash', {
    packaged: true,
    settings: { 'genenv.openCalibrationOnStart': false },
    prepare: (folder) => writeFile(join(folder, 'crash.genenv.json'), JSON.stringify(experiment)),
  });

  it('leaves a run that, resumed, ends as an undisturbed one', async () => {
    const { folder, win } = ui;
    await win.openFile('crash.genenv.json');
    await win.command('GenEnv: Start Run');
    const root = join(folder, '.genenv', 'runs');
    for (const { type, epoch, by } of moments) {
      const [pid] = await until(`${type} of epoch ${epoch}`, async () =>
        (await reached(root, type, epoch)) ? ui.host.extensionHosts() : undefined,
      );
      assert.ok(pid !== undefined);
      if (by === 'SIGKILL') process.kill(pid, by);
      else {
        // At once: by the palette it would take longer than what is left of the epoch.
        await win.page.reload({ waitUntil: 'commit' });
        await win.ready();
      }
      await win.answer('crash', 'Resume');
    }
    await until('the run to finish', async () => reached(root, 'run.finished'));
    const whole = join(folder, 'whole');
    await promisify(execFile)(process.execPath, [cli, 'run', join(folder, 'crash.genenv.json'), '--root', whole]);
    const expected = await runContents(join(whole, await onlyRun(whole)));
    const actual = await runContents(join(root, await onlyRun(root)));
    assert.deepEqual(Object.keys(actual), Object.keys(expected));
    for (const [name, text] of Object.entries(expected)) assert.ok(actual[name] === text, `${name} differs`);
  });
});

const eventSchema = z.object({ type: z.string(), epoch: z.number().optional() });

/** Whether the only run's journal holds an event. */
async function reached(root: string, type: string, epoch?: number): Promise<boolean> {
  const runs = await readdir(root).catch(() => []);
  const [journal = ''] = await Promise.all(
    runs
      .filter((name) => !name.startsWith('.'))
      .map((id) => readFile(join(root, id, 'journal.jsonl'), 'utf8').catch(() => '')),
  );
  // The last piece may be half a line.
  const events = journal
    .split('\n')
    .slice(0, -1)
    .map((line) => eventSchema.parse(JSON.parse(line)));
  return events.some((event) => event.type === type && event.epoch === epoch);
}
