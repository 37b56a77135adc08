import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyEvent, emptyState, StateFold, type RunState } from '../../../src/engine/state.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import { journalOf } from '../../support/journal.ts';

const epoch = fc.record({
  successes: fc.nat(20),
  attempts: fc.constant(20),
  environment: fc.constantFrom('updated', 'skipped', 'none'),
  agent: fc.constantFrom('updated', 'none'),
  validation: fc.constantFrom('0101', '1111'),
});
const changed = (seq: number): JournalEvent => ({
  ...{ v: 1, seq, at: 0, type: 'settings.changed', epoch: 1, author: 'a person' },
  changes: [{ field: 'curriculum.beta', from: 5, to: seq }],
});

describe('engine: the fold over many events', () => {
  it('is the fold over one after the other, whenever somebody looks, and what was seen never changes', () => {
    fc.assert(
      fc.property(fc.array(epoch, { maxLength: 24 }), fc.func(fc.integer({ min: 0, max: 3 })), (epochs, draw) => {
        const events = journalOf(epochs, '01').flatMap((event) =>
          draw('changes', event.seq) === 0 ? [event, changed(event.seq)] : [event],
        );
        const fold = new StateFold();
        const seen: { state: RunState; expected: RunState }[] = [];
        let expected = emptyState;
        for (const [i, event] of events.entries()) {
          fold.add(event);
          expected = applyEvent(expected, event);
          if (draw('looks', i) === 0) seen.push({ state: fold.state, expected });
        }
        assert.deepEqual(fold.state, expected);
        for (const one of seen) assert.deepEqual(one.state, one.expected);
      }),
    );
  });

  it('goes on from a state without touching it', () => {
    const events = journalOf([
      { successes: 5, attempts: 20 },
      { successes: 9, attempts: 20, validation: '01' },
    ]);
    const before = events.slice(0, 8).reduce(applyEvent, emptyState);
    const copy = structuredClone(before);
    const fold = new StateFold(before);
    for (const event of events.slice(8)) fold.add(event);
    assert.deepEqual(before, copy);
    assert.deepEqual(fold.state, events.reduce(applyEvent, emptyState));
  });
});
