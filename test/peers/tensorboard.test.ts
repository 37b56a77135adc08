/** The event file of a run, read by the real TensorBoard. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { writeEvents } from '../../src/features/report/node/writeEvents.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { fromArray } from '../support/report/fromArray.ts';
import { eventsOf, referenceExperiment, runReference } from '../support/reference/referenceRun.ts';
import { skip } from '../support/skip.ts';

const reading = `
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
read = EventAccumulator(sys.argv[1])
read.Reload()
print(json.dumps({tag: [[e.step, e.value] for e in read.Scalars(tag)] for tag in read.Tags()["scalars"]}))
`;

describe('the figures of a run in TensorBoard', function () {
  this.timeout(900_000);
  let python = '';
  let folder = '';
  before(async function () {
    this.timeout(1_200_000);
    const found = await peerPython('tensorboard');
    if ('why' in found) skip(this, `tensorboard cannot be installed: ${found.why}`);
    python = found.python;
    folder = await mkdtemp(join(tmpdir(), 'genenv-tensorboard-'));
  });
  after(async () => {
    if (folder !== '') await rm(folder, { recursive: true });
  });

  it('are those of its journal, epoch by epoch', async () => {
    const { run } = await runReference(referenceExperiment());
    await writeEvents({ events: () => fromArray(run.events) }, folder);
    const { stdout } = await promisify(execFile)(python, ['-c', reading, folder]);
    const read = z.record(z.string(), z.array(z.tuple([z.int(), z.number()]))).parse(JSON.parse(stdout));
    const summaries = eventsOf(run, 'epoch.finished').map(({ summary }) => summary);
    assert.deepEqual(
      read['epoch/rollouts'],
      summaries.map(({ epoch, rollouts }) => [epoch, rollouts]),
    );
    assert.deepEqual(
      read['successRate/p'],
      summaries.flatMap(({ epoch, successRate: { p } }) => (p === null ? [] : [[epoch, Math.fround(p)]])),
    );
  });
});
