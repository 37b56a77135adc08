/**
 * SIGKILL in the middle of a run whose epochs are sampled while those before are learned from, by `genenv serve`. Resumed,
 * it restores the older versions and ends as an undisturbed run does.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { overlay } from '../../src/shared/experiment/resolve.ts';
import { ServedModels } from '../support/whole/servedModels.ts';
import { assertSame, lives, WholeRun } from '../support/whole/wholeRun.ts';

describe('a run with staleness that is killed', function () {
  this.timeout(300_000);
  let dir = '';
  let models: ServedModels;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-stale-'));
    models = await ServedModels.start(join(dir, 'served'));
    await writeFile(join(dir, 'stories.domain.ts'), `export const recipe = 'storekeeper';\n`);
  });
  after(async () => {
    await models.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('ends as an undisturbed one', async () => {
    const path = join(dir, 'stale.genenv.json');
    const experiment = overlay(
      { ...models.experiment('stories.domain.ts') },
      { epochs: 4, rollouts: { staleness: 1 } },
    );
    await writeFile(path, JSON.stringify(experiment));
    const whole = new WholeRun(path, join(dir, 'whole'));
    await whole.finish();
    const expected = await whole.left();
    const early = /"versions":\{"agent":\{"name":"agent@1"[^\n]*"sampled":\{"agent":\{"name":"agent@0"/;
    assert.match(expected.journal, early);

    const killed = new WholeRun(path, join(dir, 'killed'));
    for (const life of lives) await killed.kill(life);
    await killed.finish();
    assertSame(await killed.left(), expected);
  });
});
