/** A run in MLflow's file store, read by the real MLflow. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { writeMlflow } from '../../src/features/report/node/writeMlflow.ts';
import { peerFolder } from '../support/peers/peerFolder.ts';
import { fromArray } from '../support/report/fromArray.ts';
import { eventsOf, referenceExperiment, runReference } from '../support/reference/referenceRun.ts';

const reading = `
import json, os, sys
os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
from mlflow.tracking import MlflowClient
client = MlflowClient(tracking_uri="file://" + sys.argv[1])
(experiment,) = [e for e in client.search_experiments() if e.name != "Default"]
(run,) = client.search_runs([experiment.experiment_id])
print(json.dumps({
  "experiment": experiment.name, "name": run.info.run_name, "status": run.info.status, "params": run.data.params,
  "metrics": {m: [[p.step, p.value] for p in client.get_metric_history(run.info.run_id, m)] for m in run.data.metrics},
}))
`;
const readSchema = z.object({
  experiment: z.string(),
  name: z.string(),
  status: z.string(),
  params: z.record(z.string(), z.string()),
  metrics: z.record(z.string(), z.array(z.tuple([z.int(), z.number()]))),
});

describe('a run in MLflow', function () {
  this.timeout(900_000);
  const peer = peerFolder('mlflow');

  it('has the settings of its manifest and the figures of its journal, written twice or once', async () => {
    const experiment = referenceExperiment();
    const { run } = await runReference(experiment);
    const source = {
      events: () => fromArray(run.events),
      manifest: { id: '20261121-090000-first', createdAt: '2026-11-21T09:00:00.000Z', experiment },
      head: () => Promise.resolve({ state: 'finished' as const }),
    };
    for (let times = 0; times < 2; times++) await writeMlflow(source, 'first try', peer.folder);
    const { stdout } = await promisify(execFile)(peer.python, ['-c', reading, peer.folder]);
    const read = readSchema.parse(JSON.parse(stdout));
    assert.deepEqual([read.experiment, read.name, read.status], [experiment.name, 'first try', 'FINISHED']);
    assert.equal(read.params['curriculum.alpha'], String(experiment.curriculum.alpha));
    const summaries = eventsOf(run, 'epoch.finished').map(({ summary }) => summary);
    assert.deepEqual(
      read.metrics['epoch/rollouts'],
      summaries.map(({ epoch, rollouts }) => [epoch, rollouts]),
    );
    assert.deepEqual(
      read.metrics['successRate/p'],
      summaries.flatMap(({ epoch, successRate: { p } }) => (p === null ? [] : [[epoch, p]])),
    );
  });
});
