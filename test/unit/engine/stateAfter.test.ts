/** The effect of single events of a journal on the state. */
import assert from 'node:assert/strict';
import { applyEvent, emptyState, StateFold, type RunState } from '../../../src/engine/state.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { journalOf } from '../../support/journal.ts';
import { runScripted, smallExperiment, MemoryRun } from '../../support/scripted/scriptedRun.ts';

const after = (events: readonly JournalEvent[], from = emptyState): RunState => events.reduce(applyEvent, from);

/** A whole run whose clock advances by a second with every reading. */
function ticking(over: Parameters<typeof smallExperiment>[0] = {}): Promise<MemoryRun> {
  let now = 0;
  return runScripted(smallExperiment({ epochs: 2, ...over }), new MemoryRun(), {
    ports: { clock: { now: () => (now += 1000) } },
  });
}

const groups = { solved: 0, hopeless: 0, trained: 0, broken: 0 };
const skipped = (seq: number): JournalEvent => ({
  ...{ v: 1, seq, at: 0, type: 'agent.skipped', epoch: 1, reason: 'Nothing to learn from.', groups },
});
const written = (accepted: number): JournalEvent => ({
  ...{ v: 1, seq: 0, at: 0, type: 'tasks.generated', epoch: 4, families: 1, written: 5, accepted },
  ...{ rejected: { schema: 5 - accepted }, tokens: 10, taskLength: null, seconds: 1 },
});
const changed = (...fields: string[]): JournalEvent => ({
  ...{ v: 1, seq: 0, at: 0, type: 'settings.changed', epoch: 5, author: 'a person' },
  changes: fields.map((field) => ({ field, from: 1, to: 2 })),
});
const rescored = (rescoring: string): EventOf<'verdicts.rescored'> => ({
  ...{ v: 1, seq: 0, at: 0, type: 'verdicts.rescored', epoch: 2, author: 'a person', rescoring },
  ...{ reward: { path: 'own.ts', files: {} }, epochs: { first: 1, last: 2 }, attempts: 4, flips: 1, errors: 0 },
});

describe('the state', () => {
  it('begins without anything that people do to a run', () => {
    assert.deepEqual([emptyState.changes, emptyState.edits, emptyState.rescorings], [[], [], []]);
  });

  it('spends the tokens and rollouts of every phase, and the time of epochs and of what was measured before them', async () => {
    const { events, state } = await ticking();
    let [tokens, rollouts, seconds] = [0, 0, 0];
    for (const event of events) {
      if (event.type === 'tasks.generated' || event.type === 'validated') tokens += event.tokens;
      if (event.type === 'rollouts.finished') {
        tokens += event.tokens ?? NaN;
        rollouts += event.rollouts;
      }
      if (event.type === 'validated' && event.epoch === 0) seconds += event.seconds;
      if (event.type === 'epoch.finished') seconds += event.summary.seconds;
    }
    assert.ok(events.some((event) => event.type === 'validated' && event.epoch > 0 && event.tokens > 0));
    assert.ok(tokens > 0 && rollouts > 0 && seconds > 0);
    assert.deepEqual(state.spent, { tokens, rollouts, seconds });
  });

  it('is the same for a fold that is looked at after every event of a whole run, and what was seen stays', async () => {
    const { events } = await ticking({ rollouts: { poolShare: 0.2, batch: 5 } });
    assert.ok(events.some(({ type }) => type === 'pools.grown'));
    for (const every of [1, 3]) {
      const fold = new StateFold();
      const seen: { state: RunState; copy: RunState }[] = [];
      for (const [at, event] of events.entries()) {
        fold.add(event);
        if (at % every === 0) seen.push({ state: fold.state, copy: after(events.slice(0, at + 1)) });
      }
      for (const { state, copy } of seen) assert.deepEqual(state, copy);
    }
  });

  it('keeps what an update of the agent came to, or that there was none, while its epoch is open', () => {
    const open = after(journalOf([{ successes: 5, attempts: 20, agent: 'none' }]).slice(0, 2));
    assert.deepEqual(
      after([skipped(2), skipped(3)], open).open?.agent.map(({ seq }) => seq),
      [2, 3],
    );
    assert.equal(applyEvent(emptyState, skipped(0)).open, null);
  });

  it('has no learner where the journal does not begin with one', () => {
    const [updated] = journalOf([{ successes: 5, attempts: 20 }]).filter(({ type }) => type === 'agent.updated');
    assert.ok(updated !== undefined);
    assert.equal(applyEvent(emptyState, updated).agent, null);
  });

  it('remembers the families of the sixteen newest epochs', () => {
    const epochs = Array.from({ length: 20 }, () => ({ successes: 5, attempts: 20 }));
    assert.deepEqual(
      [...after(journalOf(epochs)).scores.keys()],
      Array.from({ length: 16 }, (_, i) => 5 + i),
    );
  });

  it('counts an epoch whose beginning is not journaled by what its end says', () => {
    const events = journalOf([{ successes: 5, attempts: 20 }]).filter(({ type }) => type !== 'epoch.started');
    const { summaries, spent } = after(events);
    assert.deepEqual([summaries.length, summaries[0]?.seconds, spent.seconds], [1, 2.5, 2.5]);
  });

  it('forgets epochs without usable tasks when what shapes them is changed, alone or among others', () => {
    const dry = after([written(0), written(0)]);
    assert.deepEqual([dry.usable, dry.unusable.length, dry.unusable[0]?.written], [false, 2, 5]);
    assert.equal(after([changed('curriculum.beta')], dry).unusable.length, 2);
    assert.equal(after([changed('generation.temperature')], dry).unusable.length, 0);
    assert.equal(after([changed('curriculum.beta', 'generation.temperature')], dry).unusable.length, 0);
    const wet = after([written(1)], dry);
    assert.deepEqual([wet.usable, wet.unusable.length], [true, 0]);
    assert.deepEqual([after([written(0)], wet).usable, after([written(0)], wet).unusable.length], [true, 1]);
  });

  it('has the rescorings that were not taken back, the newest last', () => {
    const both = after([rescored('1'), rescored('2')]);
    assert.deepEqual(
      both.rescorings.map(({ rescoring }) => rescoring),
      ['1', '2'],
    );
    const taken: JournalEvent = {
      ...{ v: 1, seq: 0, at: 0, type: 'rescoring.withdrawn', epoch: 2, author: 'a person', rescoring: '1' },
    };
    assert.deepEqual(
      applyEvent(both, taken).rescorings.map(({ rescoring }) => rescoring),
      ['2'],
    );
  });
});
