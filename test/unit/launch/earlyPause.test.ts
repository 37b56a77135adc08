/** Requests to pause, from before a run is resumed and from its first moments. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { launchHere } from '../../support/launchHere.ts';
import { onlyRun } from '../../support/runContents.ts';
import { tiny } from '../../support/tiny.ts';

describe('a request to pause', function () {
  this.timeout(120_000);
  let root = '';
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'genenv-pause-'));
  });
  after(() => rm(root, { recursive: true }));

  const leave = (dir: string, name: string): void => {
    mkdirSync(join(dir, 'inbox'), { recursive: true });
    writeFileSync(
      join(dir, 'inbox', `${name}.json`),
      JSON.stringify({ v: 1, at: Date.now(), type: 'pause', author: 'ann' }),
    );
  };

  it('is obeyed from the moment on in which others see the run go on, and not from before', async () => {
    const here = { root, notes: [] };
    const experiment = resolveExperiment({ version: 1, ...tiny, epochs: 200 });
    // The run has its lease, and has not looked into its inbox yet.
    const first = await launchHere(here, { experiment, directory: root }, { onRun: (_id, dir) => leave(dir, 'first') });
    assert.equal(first.state, 'paused');
    const id = await onlyRun(root);
    leave(join(root, id), 'before');
    const second = await launchHere(here, { resume: id }, { onRun: (_id, dir) => leave(dir, 'second') });
    assert.equal(second.state, 'paused');
    assert.deepEqual(readdirSync(join(root, id, 'inbox')), []);
  });
});
