import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFiles } from '../../../src/runs/files/fileOperations.ts';
import { manifestVersion, readManifest, writeManifest, type Manifest } from '../../../src/runs/store/manifest.ts';
import { endpointDefaults } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';

describe('runs: what a run was started with', () => {
  let dir = '';

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-manifest-'));
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  const manifest = (): Manifest => ({
    ...{ v: manifestVersion, id: 'run', createdAt: '2026-11-01T12:00:00.000Z', experiment: presets.paper },
    versions: { genenv: '0.1.0', node: 'v24.0.0', journal: 1, records: 1, sessions: 1 },
    ...{ parent: null, ancestors: [], source: null, servers: [], imported: null },
  });

  it('is what it did, where a release of before had no setting for it and one that is gone', async () => {
    await writeManifest(nodeFiles, dir, manifest());
    assert.deepEqual((await readManifest(dir)).experiment, presets.paper);
    const path = join(dir, 'run.json');
    const later = /\n *"(maxSequence|batch|minibatchUnit|anchors)": [^,\n]+,?(?=\n)/g;
    const older = (await readFile(path, 'utf8'))
      .replace(later, '')
      .replace('"rollouts": {', '"rollouts": { "maxStaleness": 1,');
    assert.ok(older.includes('maxStaleness') && !/maxSequence|minibatchUnit|anchors|"batch"/.test(older));
    await writeFile(path, older);
    const read = (await readManifest(dir)).experiment;
    // The preset has another value now; a resumed run keeps its own.
    assert.deepEqual(
      [read.rollouts.batch, read.rollouts.maxSequence, read.generation.maxSequence, read.agent.minibatchUnit],
      [null, null, null, 'sequence'],
    );
    assert.equal(read.environment.anchors, 'any');
    assert.ok(!('maxStaleness' in read.rollouts));
  });

  it('is of no run whose name leads elsewhere', async () => {
    for (const id of ['../other', '/etc', 'a/b', 'a\\b', '..', '-x', '', 'a\n', '\u202Ea']) {
      await writeManifest(nodeFiles, dir, { ...manifest(), id });
      await assert.rejects(readManifest(dir), /field "id"/, id);
      await writeManifest(nodeFiles, dir, { ...manifest(), parent: { run: id, epoch: 1 } });
      await assert.rejects(readManifest(dir), /field "parent\.run"/, id);
    }
  });

  it('never shows the password that an address held in a release of before', async () => {
    const environment = { ...endpointDefaults.openai, url: 'https://gpu.example/v1' };
    const experiment = { ...presets.paper, endpoints: { ...presets.paper.endpoints, environment } };
    await writeManifest(nodeFiles, dir, { ...manifest(), experiment });
    const path = join(dir, 'run.json');
    const older = (await readFile(path, 'utf8')).replace('https://gpu', 'https://me:sesame@gpu');
    assert.ok(older.includes('sesame'));
    await writeFile(path, older);
    assert.deepEqual((await readManifest(dir)).experiment.endpoints.environment, environment);
  });
});
