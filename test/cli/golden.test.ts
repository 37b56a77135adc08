import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cli } from '../support/built.ts';

/** Two epochs on the shipped weights: gradients, samples and scores to the last bit, on any machine. */
const experiment = {
  version: 1,
  name: 'golden',
  preset: 'embedded',
  mode: 'coevolve',
  seed: 3,
  epochs: 2,
  generation: { families: 4 },
  curriculum: { filter: 'soft' },
  environment: { bufferEpochs: 2 },
  agent: { klCoefficient: 0.01 },
  validation: { tasks: 50 },
};

describe('the embedded run', () => {
  it('writes the golden journal', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-golden-'));
    try {
      const file = join(folder, 'golden.genenv.json');
      const root = join(folder, 'runs');
      await writeFile(file, JSON.stringify(experiment));
      const { status, stderr } = spawnSync(process.execPath, [cli, 'run', file, '--root', root], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      const [id = ''] = await readdir(root);
      const journal = await readFile(join(root, id, 'journal.jsonl'), 'utf8');
      const text = journal.replaceAll(/"(at|seconds)":[0-9.]+/g, '"$1":0');
      const golden = new URL('golden/embedded.jsonl', import.meta.url);
      if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(golden, text);
      assert.ok(text === (await readFile(golden, 'utf8')), 'the journal differs; UPDATE_GOLDEN=1 writes it anew');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
