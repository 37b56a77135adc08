/** Groups that fell out of epochs with spare ones, in rows, words and numbers for other programs. */
import assert from 'node:assert/strict';
import { epochScalars } from '../../../../src/features/report/core/scalars.ts';
import { EpochFold } from '../../../../src/runs/facts/epochFold.ts';
import { fellOutOf } from '../../../../src/runs/facts/schedule/fellOut.ts';
import { madeIn, type Dropped } from '../../../../src/shared/journal/dropped.ts';
import type { EventOf } from '../../../../src/shared/journal/events.ts';
import type { EpochRow } from '../../../../src/shared/report/data.ts';
import { epochRowSchema } from '../../../../src/shared/report/schemas.ts';
import { lateNote } from '../../../../webview/report/fellOut/lateNote.ts';
import { fellOutReading } from '../../../../webview/report/fellOut/fellOutWords.ts';
import { lateExperiment } from '../../../support/scripted/lateExperiment.ts';
import { runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

const dropped = (groups: number, more: Partial<Dropped> = {}): Dropped => ({
  groups: Array.from({ length: groups }, (_, i) => ({ task: `t${i}`, attempts: 2 })),
  ...{ attempts: 2 * groups, tokens: 200 * groups, left: 2 * groups, likely: 100 * groups },
  ...more,
});

async function rowsOf(spare: number): Promise<{ rows: EpochRow[]; rounds: EventOf<'rollouts.finished'>[] }> {
  const run = await runScripted(smallExperiment({ epochs: 4, generation: { families: 4 }, rollouts: { spare } }));
  const fold = new EpochFold();
  for (const event of run.events) fold.add(event);
  return { rows: fold.rows, rounds: run.events.filter((event) => event.type === 'rollouts.finished') };
}

describe('groups that fell out', () => {
  it('are counted with their cost in their epoch’s row', async () => {
    const { rows, rounds } = await rowsOf(0.5);
    for (const [i, round] of rounds.entries()) {
      const row = rows[i];
      const out = row?.fellOut;
      assert.ok(row !== undefined && out !== undefined && round.dropped !== undefined);
      assert.equal(out.groups, round.dropped.groups.length);
      assert.equal(out.of, round.dropped.groups.length + round.tasks);
      assert.equal(out.attempts, round.dropped.attempts);
      const { tokens } = round;
      assert.ok(tokens !== null);
      assert.equal(out.tokens, (madeIn(round).tokens ?? NaN) - tokens);
      assert.deepEqual(out.expected, round.dropped.expected);
      assert.equal(row.tokens.attempt, tokens + out.tokens, 'a share of the tokens of all attempts');
      assert.deepEqual(epochRowSchema.parse(row), row);
      assert.equal(epochScalars(row).find(({ tag }) => tag === 'fellOut/groups')?.value, out.groups);
    }
  });

  it('are in no row of a run without spare groups', async () => {
    for (const row of (await rowsOf(0)).rows) assert.ok(!('fellOut' in row));
  });

  it('are taken together over rounds, each mean by as many groups as it is of', () => {
    const expected = { counted: 100, dropped: 300 };
    const together = fellOutOf([
      { tasks: 3, dropped: dropped(1, { expected }) },
      { tasks: 5 },
      { tasks: 1, dropped: dropped(3, { expected: { counted: 20, dropped: 100 } }) },
    ]);
    assert.deepEqual(together, {
      ...{ groups: 4, of: 13, attempts: 8, tokens: 1200 },
      expected: { counted: 80, dropped: 150 },
    });
    assert.deepEqual(fellOutOf([{ tasks: 3, dropped: dropped(1) }]), { groups: 1, of: 4, attempts: 2, tokens: 300 });
    assert.equal(fellOutOf([{ tasks: 3 }]), undefined);
  });

  it('are summed up in two sentences: their cost, and how far the counted groups favour fast answers', async () => {
    const [row] = (await rowsOf(0.5)).rows;
    assert.ok(row !== undefined);
    const told = (expected?: { counted: number; dropped: number }): string =>
      fellOutReading([
        {
          ...row,
          tokens: { generate: 0, attempt: 2000 },
          fellOut: { groups: 2, of: 10, attempts: 8, tokens: 250, ...(expected && { expected }) },
        },
      ]);
    assert.equal(
      told(),
      '2 of 10 groups fell out, for 13 % of the tokens of all attempts. How long their answers would have been is not known: p̂ may lean to fast tasks.',
    );
    assert.match(
      told({ counted: 100, dropped: 150 }),
      /expected to be 1\.50 times as long as in those that count: p̂ and what is learned lean to tasks that are answered fast\.$/,
    );
    assert.match(
      told({ counted: 100, dropped: 124 }),
      /1\.24 times .*: p̂ leans little to tasks that are answered fast\.$/,
    );
    assert.match(told({ counted: 100, dropped: 90 }), /0\.90 times/);
  });
});

describe('late groups in the report', () => {
  it('are counted in the row of the epoch that attempted them, and told in one sentence', async () => {
    const experiment = lateExperiment();
    const { events, state } = await runScripted(experiment);
    const fold = new EpochFold();
    for (const event of events) fold.add(event);
    for (const row of fold.rows) {
      assert.equal(row.late, state.late.get(row.epoch)?.length);
      assert.deepEqual(epochRowSchema.parse(row), row);
    }
    const all = [...state.late.values()].flat().length;
    assert.equal(lateNote(fold.rows), `Late groups, each counted one epoch after its own (rollouts.late): ${all}.`);
    assert.equal(lateNote(fold.rows.slice(-1)), undefined);
  });
});
