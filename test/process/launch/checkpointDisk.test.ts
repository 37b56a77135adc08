import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { launchHere } from '../../support/launchHere.ts';
import { mountSmallDisk, type SmallDisk } from '../../support/runs/smallDisk.ts';
import { withTempRuns } from '../../support/runs/tempRuns.ts';
import { skip } from '../../support/skip.ts';
import { timeless, tiny } from '../../support/tiny.ts';

const experiment = resolveExperiment({ version: 1, mode: 'coevolve', ...tiny });
const megabyte = 1024 * 1024;

describe('launch: a disk that is full at a checkpoint', () => {
  let disk: SmallDisk | null = null;

  before(function () {
    const mounted = mountSmallDisk(64 * megabyte);
    if (typeof mounted === 'string') skip(this, mounted);
    disk = mounted;
  });
  after(() => disk?.remove());

  it('pauses the run, which goes on to the same end once there is space', async () => {
    const root = disk?.root ?? '';
    const here = { root, notes: [] };
    const filler = join(root, '.filler');
    const landing = await launchHere(
      here,
      { experiment, directory: root },
      {
        onEvent: (event) => {
          if (event.type !== 'rollouts.finished' || event.epoch !== 1) return;
          // Everything but a little: records still fit, weights do not.
          const { bavail, bsize } = statfsSync(root);
          writeFileSync(filler, Buffer.alloc(bavail * bsize - 256 * 1024));
        },
      },
    );
    assert.equal(landing.state, 'paused');
    assert.match(landing.error?.message ?? '', /^Checkpoint 'agent@1' could not be written .*ENOSPC/);
    const [id = ''] = readdirSync(root).filter((name) => !name.startsWith('.'));
    const journal = (): string => readFileSync(join(root, id, 'journal.jsonl'), 'utf8');
    const log = { info: () => undefined, warn: () => undefined };
    const [head] = await new RunStore(root, { clock: { now: () => Date.now() }, log, version: 'test' }).list();
    assert.equal(head?.state, 'paused');

    disk?.grow(256 * megabyte);
    const resumed = await launchHere(here, { resume: id }, {});
    assert.equal(resumed.state, 'finished', resumed.error?.stack);
    await withTempRuns(async (runs) => {
      const undisturbed = await launchHere({ root: runs.root, notes: [] }, { experiment, directory: runs.root }, {});
      const whole = readFileSync(join(runs.root, undisturbed.id, 'journal.jsonl'), 'utf8');
      assert.deepEqual(timeless(journal()), timeless(whole));
    });
  });
});
