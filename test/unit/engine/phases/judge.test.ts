/** A judge that takes its time leaves the journal and the records that a scorer leaves. */
import assert from 'node:assert/strict';
import type { Judge, Scorer } from '../../../../src/engine/ports.ts';
import { LadderScorer } from '../../../support/scripted/ladder.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

const never: Scorer = {
  score: () => {
    throw new Error('The scorer is not asked.');
  },
};

/** Judges as the ladder's scorer does, the later the sooner; counts how many are judged at once. */
class SlowJudge implements Judge {
  readonly #scorer = new LadderScorer();
  #calls = 0;
  #now = 0;
  most = 0;

  async judge(...[task, trace]: Parameters<Judge['judge']>): ReturnType<Judge['judge']> {
    this.#now += 1;
    this.most = Math.max(this.most, this.#now);
    const turns = 7 - (this.#calls++ % 7);
    for (let i = 0; i < turns; i++) await new Promise(setImmediate);
    this.#now -= 1;
    return this.#scorer.score(task, trace);
  }
}

const recordsOf = ({ traces }: MemoryRun): string => traces.map((trace) => JSON.stringify(trace)).join('\n');

describe('a loop with a judge that takes its time', () => {
  it('leaves the same journal and the same records in the same order, and judges side by side', async () => {
    const experiment = smallExperiment();
    const scored = await runScripted(experiment);
    const judge = new SlowJudge();
    const judged = await runScripted(experiment, new MemoryRun(), { ports: { judge, scorer: never } });
    assert.equal(judged.text, scored.text);
    assert.equal(recordsOf(judged), recordsOf(scored));
    assert.ok(judge.most > 3, String(judge.most));
  });

  it('ends the same after a crash between two of its verdicts', async () => {
    const experiment = smallExperiment();
    const scored = await runScripted(experiment);
    const run = new MemoryRun();
    const beforeAppend = (kind: string): void => {
      if (kind === 'trace' && run.traces.length === 13) throw new Error('crash');
    };
    const ports = { judge: new SlowJudge(), scorer: never };
    await assert.rejects(runScripted(experiment, run, { ports, beforeAppend }), /crash/);
    assert.equal(run.traces.length, 13);
    await runScripted(experiment, run, { ports });
    assert.equal(run.text, scored.text);
    assert.deepEqual(run.traces.map(({ id }) => id).sort(), scored.traces.map(({ id }) => id).sort());
  });
});
