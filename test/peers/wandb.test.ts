/** A run handed to the real Weights & Biases, offline, by the script of docs/examples, and what its own file then holds. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { writeEvents } from '../../src/features/report/node/writeEvents.ts';
import { peerFolder } from '../support/peers/peerFolder.ts';
import { fromArray } from '../support/report/fromArray.ts';
import { eventsOf, referenceExperiment, runReference } from '../support/reference/referenceRun.ts';

const script = fileURLToPath(new URL('../../docs/examples/wandb_offline.py', import.meta.url));

/** Its file is a log of blocks as LevelDB's, of its own messages. */
const reading = `
import glob, json, struct, sys
from wandb.proto.wandb_internal_pb2 import Record
(path,) = glob.glob(sys.argv[1] + "/wandb/offline-run-*/run-*.wandb")
data = open(path, "rb").read()
at, piece, records = 7, b"", []
while at < len(data):
    left = 32768 - at % 32768
    if left < 7:
        at += left
        continue
    _, size, kind = struct.unpack("<IHB", data[at:at + 7])
    piece += data[at + 7:at + 7 + size]
    at += 7 + size
    if kind in (1, 4):
        records.append(Record.FromString(piece))
        piece = b""
config, history = {}, []
for record in records:
    for item in record.run.config.update: config[item.key or item.nested_key[0]] = json.loads(item.value_json)
    if record.WhichOneof("record_type") == "history":
        history.append([record.history.step.num, {(i.key or i.nested_key[0]): json.loads(i.value_json) for i in record.history.item}])
print(json.dumps({"id": records[1].run.run_id, "name": records[1].run.display_name, "config": config, "history": history}))
`;
const readSchema = z.object({
  ...{ id: z.string(), name: z.string(), config: z.record(z.string(), z.unknown()) },
  history: z.array(z.tuple([z.int(), z.record(z.string(), z.unknown())])),
});

describe('a run in Weights & Biases', function () {
  this.timeout(900_000);
  const peer = peerFolder('wandb');

  it('has its settings and the figures of every epoch, and is found by wandb sync', async () => {
    const experiment = referenceExperiment();
    const { run } = await runReference(experiment);
    const events = join(peer.folder, 'events');
    const home = join(peer.folder, '20261121-090000-first');
    await writeEvents({ events: () => fromArray(run.events) }, events);
    await mkdir(home);
    await writeFile(join(home, 'run.json'), JSON.stringify({ experiment }));
    const here = { cwd: peer.folder, env: { ...process.env, WANDB_DIR: peer.folder, WANDB_SILENT: 'true' } };
    await promisify(execFile)(peer.python, [script, events, home], here);
    const { stdout } = await promisify(execFile)(peer.python, ['-c', reading, peer.folder]);
    const { id, name, config, history } = readSchema.parse(JSON.parse(stdout));
    assert.deepEqual([id, name], ['20261121-090000-first', experiment.name]);
    assert.deepEqual(config['curriculum'], JSON.parse(JSON.stringify(experiment.curriculum)));
    const figures = eventsOf(run, 'epoch.finished').map(({ summary: { epoch, rollouts } }) => [epoch, rollouts]);
    assert.deepEqual(
      history.flatMap(([step, row]) => ('epoch/rollouts' in row ? [[step, row['epoch/rollouts']]] : [])),
      figures,
    );
    const dry = await promisify(execFile)(peer.python, ['-m', 'wandb', 'sync', '--dry-run', '--yes'], {
      ...{ cwd: peer.folder, env: { ...process.env, WANDB_DIR: peer.folder } },
    });
    assert.match(dry.stdout + dry.stderr, /Would sync 1 run/);
  });
});
