/**
 * SIGKILL in the middle of a run whose epochs are sampled while those before are learned from, by `genenv serve`, and of one
 * whose longest attempts begin first, of one whose families are cut off, and of those with
 * spare and with late groups. Resumed, each ends as an undisturbed run does; with spare or late groups, as the order of its records says.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import { overlay } from '../../src/shared/experiment/resolve.ts';
import { skip } from '../support/skip.ts';
import { ServedModels } from '../support/whole/servedModels.ts';
import { assertSame, lives, WholeRun } from '../support/whole/wholeRun.ts';

describe('a run on another schedule that is killed', function () {
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

  it('ends as an undisturbed one with staleness', async () => {
    const early = /"versions":\{"agent":\{"name":"agent@1"[^\n]*"sampled":\{"agent":\{"name":"agent@0"/;
    await endsTheSame('stale', { staleness: 1 }, early);
  });

  it('ends as an undisturbed one with the longest first', async () => {
    await endsTheSame('longest', { order: 'longest' }, /"lengths":\[\{"seed":"base\.\d+","tokens":[1-9]/);
  });

  it('ends as an undisturbed one with families that are cut off', async () => {
    const curriculum = { filter: 'hard', scope: 'family', warmupEpochs: 0 } as const;
    await endsTheSame('cut', { cutOff: 'band' }, /"cutOff":\[\{"family":"e2/, curriculum);
  });

  for (const [name, rollouts, says] of [
    ['spare', { spare: 0.5 }, /"dropped":\{"groups":\[\{"task"/],
    ['late', { staleness: 1, late: 0.5 }, /"late":\["/],
  ] satisfies [string, Partial<Experiment['rollouts']>, RegExp][]) {
    it(`counts the groups that its records say with ${name} ones`, async function () {
      if (spawnSync('python3', ['--version']).status !== 0) skip(this, 'there is no python3');
      const path = join(dir, `${name}.genenv.json`);
      const shares = { baseShare: 0.25, poolShare: 0 };
      const experiment = overlay(
        { ...models.experiment('stories.domain.ts') },
        { epochs: 4, rollouts: { ...rollouts, ...shares } },
      );
      await writeFile(path, JSON.stringify(experiment));
      const killed = new WholeRun(path, join(dir, `${name}-killed`));
      for (const life of lives) await killed.kill(life);
      await killed.finish();
      const { journal } = await killed.left();
      assert.match(journal, says);
      const { status, stdout, stderr } = spawnSync('python3', ['scripts/recompute', await killed.dir()], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, `${stdout}${stderr}`);
    });
  }

  /** @param says the undisturbed run's journal */
  async function endsTheSame(
    name: string,
    rollouts: Partial<Experiment['rollouts']>,
    says: RegExp,
    curriculum: Partial<Experiment['curriculum']> = {},
  ): Promise<void> {
    const path = join(dir, `${name}.genenv.json`);
    const experiment = overlay({ ...models.experiment('stories.domain.ts') }, { epochs: 4, rollouts, curriculum });
    await writeFile(path, JSON.stringify(experiment));
    const whole = new WholeRun(path, join(dir, `${name}-whole`));
    await whole.finish();
    const expected = await whole.left();
    assert.match(expected.journal, says);

    const killed = new WholeRun(path, join(dir, `${name}-killed`));
    for (const life of lives) await killed.kill(life);
    await killed.finish();
    assertSame(await killed.left(), expected);
  }
});
