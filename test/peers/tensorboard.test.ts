/** The event file of a run, read by the real TensorBoard. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { writeEvents } from '../../src/features/report/node/writeEvents.ts';
import { peerFolder } from '../support/peers/peerFolder.ts';
import { fromArray } from '../support/report/fromArray.ts';
import { eventsOf, referenceExperiment, runReference } from '../support/reference/referenceRun.ts';

const reading = `
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
read = EventAccumulator(sys.argv[1])
read.Reload()
print(json.dumps({tag: [[e.step, e.value] for e in read.Scalars(tag)] for tag in read.Tags()["scalars"]}))
`;

describe('the figures of a run in TensorBoard', function () {
  this.timeout(900_000);
  const peer = peerFolder('tensorboard');

  it('are those of its journal, epoch by epoch', async () => {
    const { run } = await runReference(referenceExperiment());
    await writeEvents({ events: () => fromArray(run.events) }, peer.folder);
    const { stdout } = await promisify(execFile)(peer.python, ['-c', reading, peer.folder]);
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
