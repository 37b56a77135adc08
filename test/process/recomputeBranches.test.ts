/** The recomputation of branches, whose shared epochs have the settings of other runs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Changes, CheckpointRef, PolicyVersion } from '../../src/engine/ports.ts';
import { wholeBranch, wholeRun } from '../support/runs/branchedRun.ts';
import { changed, recompute } from '../support/runs/recompute.ts';
import { withTempRuns } from '../support/runs/tempRuns.ts';
import { OutOfOrder } from '../support/scripted/outOfOrder.ts';
import { ScriptedPolicy } from '../support/scripted/scriptedPolicy.ts';
import { type MemoryRun, smallExperiment } from '../support/scripted/scriptedRun.ts';
import { skip } from '../support/skip.ts';

type Overrides = Parameters<typeof smallExperiment>[0] & object;

/** Gives restored weights another handle, as a training server does. */
class Elsewhere extends ScriptedPolicy {
  readonly #saved: Map<string, number>;

  constructor(weight: number, saved: Map<string, number>) {
    super('agent', weight, saved);
    this.#saved = saved;
  }

  override async publish(name: string): Promise<PolicyVersion> {
    const { handle } = await super.publish(`elsewhere/${name}`);
    return { name, handle };
  }

  override restore({ handle }: CheckpointRef): Promise<ScriptedPolicy> {
    return Promise.resolve(new Elsewhere(this.#saved.get(handle) ?? NaN, this.#saved));
  }
}

const given = { epochs: 4, generation: { families: 4, variations: 2 }, rollouts: { baseShare: 0.25, poolShare: 0.25 } };

/** One setting that a branch changes, with what it decides in the epochs after. */
const settings: Record<string, Overrides> = {
  'alpha by a course': { curriculum: { alpha: 0.3, alphaPoints: [{ epoch: 4, alpha: 0.6 }] } },
  'alpha by a controller': { curriculum: { control: { ...smallExperiment().curriculum.control, kind: 'success' } } },
  reward: { curriculum: { reward: { kind: 'progress', repetition: 1, file: null } } },
  'shape of the batch': { generation: { families: 2, variations: 3 }, rollouts: { group: 3, batch: 4 } },
  'mode random': { mode: 'random', validation: { tasks: 4 } },
  'mode static': { mode: 'static', rollouts: { poolShare: 0 } },
  sampler: { rollouts: { sampler: { kind: 'plr', temperature: 0.1, staleness: 0.3 } } },
  'spare groups': { rollouts: { spare: 0.5 } },
  update: { environment: { update: 'rejection', bufferEpochs: 3 }, seed: 9 },
  'kind of reward': {
    curriculum: { reward: { kind: 'advantage', repetition: 1, file: null } },
    environment: { bufferEpochs: 3 },
  },
};

function experimentOf(name: string, over: Overrides) {
  const rollouts = { ...given.rollouts, ...over.rollouts };
  const generation = { ...given.generation, ...over.generation };
  return { ...smallExperiment({ ...given, ...over, rollouts, generation }), name };
}

describe('the recomputation of a branch', function () {
  before(function () {
    if (spawnSync('python3', ['--version']).status !== 0) skip(this, 'there is no python3');
  });

  it('agrees whatever setting it changes, and in a branch of it', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const parent = await wholeRun(store, experimentOf('parent', {}));
      const folders: string[] = [];
      for (const [name, over] of Object.entries(settings)) {
        const once = await wholeBranch(store, { parent, epoch: 1, experiment: experimentOf(name, over) });
        const reward =
          name === 'kind of reward' ? { reward: { kind: 'regret' as const, repetition: 1, file: null } } : {};
        const curriculum = { ...over.curriculum, ...reward, beta: 2, kMin: 0.4 };
        const again = experimentOf(`${name}, again`, { ...over, curriculum });
        const twice = await wholeBranch(store, { parent: once, epoch: 2, experiment: again });
        folders.push(once.dir, twice.dir);
      }
      const { code, said } = recompute(...folders);
      assert.equal(code, 0, said);
      const [, folder = ''] = folders;
      // Each epoch is held to the settings of the run that made it.
      const path = join(folder, 'journal.jsonl');
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
      for (const epoch of [1, 2, 3]) {
        const at = lines.findIndex((line) => line.includes(`"type":"epoch.started","epoch":${epoch},`));
        const untrue = changed(`${lines[at]}\n`, ['epoch.started', 'settings.alpha', (value) => value + 0.1]).trimEnd();
        await writeFile(path, `${lines.with(at, untrue).join('\n')}\n`);
        assert.match(recompute(folder).said, new RegExp(`epoch.started, epoch ${epoch}: settings: expected`));
      }
    });
  });

  it('agrees where its parent’s settings were changed while it ran', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      let looked = 0;
      const changes: Changes = {
        waiting: () => {
          looked += 1;
          const change = { id: `${looked}`, author: 'ada', changes: [{ field: 'rollouts.group', to: 2 + looked }] };
          return Promise.resolve([change]);
        },
        taken: () => Promise.resolve(),
      };
      const parent = await wholeRun(store, experimentOf('parent', {}), () => ({ changes }));
      const experiment = experimentOf('branch', { rollouts: { group: 3 }, curriculum: { alpha: 0.4 } });
      const branch = await wholeBranch(store, { parent, epoch: 2, experiment });
      assert.match(await readFile(join(branch.dir, 'journal.jsonl'), 'utf8'), /"type":"settings.changed"/);
      const { code, said } = recompute(parent.dir, branch.dir);
      assert.equal(code, 0, said);
    });
  });

  it('agrees where it has another judge than its parent, and learns nothing from the shared epochs', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const folders: string[] = [];
      const draws = { rollouts: { sampler: { kind: 'plr' as const, temperature: 0.1, staleness: 0.3 } } };
      const progress = { curriculum: { reward: { kind: 'progress' as const, repetition: 1, file: null } } };
      for (const [name, over] of Object.entries({ draws, progress })) {
        const given = { ...over, environment: { bufferEpochs: 3 } };
        const parent = await wholeRun(store, experimentOf(name, given));
        const experiment = experimentOf(`${name} again`, given);
        const { maxTokens } = experiment.rollouts;
        const branch = await wholeBranch(store, {
          ...{ parent, epoch: 2, experiment: { ...experiment, rollouts: { ...experiment.rollouts, maxTokens: 999 } } },
          changes: [{ field: 'rollouts.maxTokens', from: maxTokens, to: 999 }],
        });
        folders.push(parent.dir, branch.dir);
      }
      const { code, said } = recompute(...folders);
      assert.equal(code, 0, said);
    });
  });

  it('agrees where its server knows the shared versions by other handles', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const parent = await wholeRun(store, experimentOf('parent', {}));
      const branch = await wholeBranch(
        store,
        { parent, epoch: 2, experiment: experimentOf('branch', { rollouts: { staleness: 1 } }) },
        ({ checkpoints }) => ({ agent: new Elsewhere(4, checkpoints.agent) }),
      );
      assert.match(await readFile(join(branch.dir, 'journal.jsonl'), 'utf8'), /"handle":"elsewhere\/agent@2"/);
      const { code, said } = recompute(branch.dir);
      assert.equal(code, 0, said);
    });
  });

  it('agrees where epochs are sampled early, with late groups too', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const folders: string[] = [];
      for (const [name, rollouts] of Object.entries({
        stale: { staleness: 2, order: 'longest' as const },
        late: { staleness: 1, late: 0.5 },
      })) {
        const experiment = { ...experimentOf(name, { rollouts }), epochs: 6 };
        const outOfOrder = ({ checkpoints }: MemoryRun) => ({ agent: new OutOfOrder('agent', 4, checkpoints.agent) });
        const parent = await wholeRun(store, experiment, outOfOrder);
        const branch = await wholeBranch(store, { parent, epoch: 3, experiment }, outOfOrder);
        const again = await wholeBranch(
          store,
          { parent: branch, epoch: 4, experiment: { ...experiment, seed: 9 } },
          outOfOrder,
        );
        folders.push(parent.dir, branch.dir, again.dir);
        // Whatever a branch has of staleness and group, it counts the late groups of its parent as these are.
        const others = [
          { staleness: 0 },
          { staleness: 0, late: 0, batch: 8 },
          { group: 2 },
          { staleness: 0, group: 6 },
        ];
        for (const [i, more] of name === 'late' ? others.entries() : []) {
          const changed = { ...experimentOf(`${name} ${i}`, { rollouts: { ...rollouts, ...more } }), epochs: 5 };
          const other = await wholeBranch(store, { parent, epoch: 3, experiment: changed }, outOfOrder);
          folders.push(other.dir);
        }
      }
      const { code, said } = recompute(...folders);
      assert.equal(code, 0, said);
    });
  });
});
