/** The recomputation of runs that lack tasks: where the environment writes none, and where spare groups have nothing to replace. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ParsedTask } from '../../src/engine/ports.ts';
import { wholeBranch, wholeRun } from '../support/runs/branchedRun.ts';
import { changed, recompute } from '../support/runs/recompute.ts';
import { withTempRuns } from '../support/runs/tempRuns.ts';
import { LadderDomain } from '../support/scripted/ladder.ts';
import { OutOfOrder } from '../support/scripted/outOfOrder.ts';
import { type MemoryRun, smallExperiment } from '../support/scripted/scriptedRun.ts';
import { skip } from '../support/skip.ts';

/** No text becomes a task in some epochs. */
class Mute extends LadderDomain {
  readonly #run: MemoryRun;
  readonly #from: number;

  constructor(run: MemoryRun, from: number) {
    super();
    this.#run = run;
    this.#from = from;
  }

  override parseTask(...args: Parameters<LadderDomain['parseTask']>): ParsedTask {
    if ((this.#run.state.open?.epoch ?? 0) < this.#from) return super.parseTask(...args);
    return { ok: false, cause: 'unparseable', note: 'no task' };
  }
}

class FewSeeds extends LadderDomain {
  override seeds(split: 'base' | 'validation') {
    return split === 'base' ? super.seeds('base').slice(0, 5) : super.seeds(split);
  }
}

describe('the recomputation of a run that lacks tasks', function () {
  before(function () {
    if (spawnSync('python3', ['--version']).status !== 0) skip(this, 'there is no python3');
  });

  it('knows when one ends because nothing usable was written, and when not', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const mute = (from: number) => (run: MemoryRun) => ({ domain: new Mute(run, from) });
      const experiment = smallExperiment({ epochs: 7 });
      const [never, lost] = [await wholeRun(store, experiment, mute(1)), await wholeRun(store, experiment, mute(3))];
      // It tries again: two epochs are too few to end it, and then there are no more.
      const retried = await wholeBranch(store, { parent: lost, epoch: 5, experiment }, mute(3));
      const ends = await Promise.all(
        [never, lost, retried].map(async ({ dir }) => {
          const journal = await readFile(join(dir, 'journal.jsonl'), 'utf8');
          return /"type":"run.finished","reason":"([^"]*)"/.exec(journal)?.[1];
        }),
      );
      assert.deepEqual(ends, ['no-tasks', 'no-tasks', 'epochs']);
      const { code, said } = recompute(never.dir, lost.dir, retried.dir);
      assert.equal(code, 0, said);
      for (const [{ dir }, reason] of [
        [lost, 'early-stop'],
        [retried, 'no-tasks'],
      ] as const) {
        const path = join(dir, 'journal.jsonl');
        await writeFile(path, changed(await readFile(path, 'utf8'), ['run.finished', 'reason', () => reason]));
        assert.match(recompute(dir).said, /run\.finished: reason: expected/);
      }
    });
  });

  it('agrees with spare groups of which none falls out, and with rounds that have none', async () => {
    await withTempRuns(async (runs) => {
      const generation = { families: 4, variations: 2, staticFamilies: 3, staticVariations: 2 };
      const rollouts = { spare: 0.5, baseShare: 0.5, batch: 2 };
      const all = {
        fewSeeds: smallExperiment({ mode: 'static', generation, rollouts }),
        manyRounds: smallExperiment({
          generation: { families: 3, variations: 4 },
          rollouts: { ...rollouts, batch: 1 },
        }),
      };
      const journals: string[] = [];
      for (const [name, experiment] of Object.entries(all)) {
        const { dir } = await wholeRun(runs.store(), { ...experiment, name }, ({ checkpoints }) => ({
          agent: new OutOfOrder('agent', 4, checkpoints.agent),
          ...(name === 'fewSeeds' && { domain: new FewSeeds() }),
        }));
        journals.push(await readFile(join(dir, 'journal.jsonl'), 'utf8'));
        const { code, said } = recompute(dir);
        assert.equal(code, 0, said);
      }
      const [few = '', many = ''] = journals;
      assert.match(few, /"epoch":2,"round":5,/);
      assert.doesNotMatch(few, /"dropped"/);
      assert.match(many, /"dropped"/);
    });
  });
});
