import assert from 'node:assert/strict';
import { CompareFold } from '../../../src/features/compare/core/compareFold.ts';
import { EpochFold } from '../../../src/runs/facts/epochFold.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import { journalOf } from '../../support/journal.ts';

/**
 * Two epochs of 30 s. In the first the updates, 10 s and 6 s, end together; the second has one update of 12 s.
 * @param old as older versions wrote it: the epoch's time is the sum over its phases
 */
function journal(old: boolean): JournalEvent[] {
  const script = { successes: 5, attempts: 10 };
  let epochs = 0;
  return journalOf([script, { ...script, environment: 'none', validation: '10' }], '00').map((event) => {
    const base = 100_000 * ('epoch' in event ? event.epoch : 0);
    switch (event.type) {
      case 'epoch.started':
        epochs += 1;
        return { ...event, at: base };
      case 'agent.updated':
        return { ...event, at: base + 20_000, seconds: epochs === 1 ? 10 : 12 };
      case 'environment.updated':
        return { ...event, at: base + 20_000, seconds: 6 };
      case 'validated':
        return { ...event, at: base + 25_000, seconds: 4 };
      case 'epoch.finished':
        return { ...event, at: base + 30_000, summary: { ...event.summary, seconds: old ? 16 : 30 } };
      default:
        return event;
    }
  });
}

describe('the time of a run', () => {
  it('is that on the clock in a report and a comparison alike', () => {
    const [report, compare] = [new EpochFold(), new CompareFold()];
    for (const event of journal(false)) {
      report.add(event);
      compare.add(event);
    }
    // 4 s of validation before the first epoch.
    assert.equal(report.totals.seconds, 64);
    assert.deepEqual(
      compare.epochs.map(({ seconds, spent }) => [seconds, spent.seconds]),
      [
        [30, 34],
        [30, 64],
      ],
    );
    assert.deepEqual(
      compare.validations.map(({ spent }) => spent.seconds),
      [4, 34 + 12 + 4],
    );
    assert.deepEqual(
      report.rows.map(({ seconds }) => seconds.other),
      [30 - 10, 30 - 12 - 4],
    );
    assert.deepEqual(
      report.rows.map(({ seconds }) => seconds.whole),
      [30, 30],
    );
  });

  it('counts phases that ran side by side once where an older version summed them', () => {
    const [report, compare] = [new EpochFold(), new CompareFold()];
    for (const event of journal(true)) {
      report.add(event);
      compare.add(event);
    }
    // 10 s before the first update are too long to be anything but a pause; 1 s and 5 s are what a run needs between phases.
    assert.equal(report.totals.seconds, 4 + 10 + 0 + (16 + 1 + 5));
    assert.equal(report.rows[0]?.seconds.other, 0);
    assert.equal(compare.epochs.at(-1)?.spent.seconds, report.totals.seconds);
  });

  it('and its tokens hold evaluations on a benchmark', () => {
    const evaluated: JournalEvent = {
      ...{ v: 1, seq: 1, at: 1000, type: 'evaluated', epoch: 0, version: 'agent@0', benchmark: 'b', rule: 'r' },
      ...{ digest: '00', tasks: 1, attempts: 1, pass: [{ k: 1, tasks: 1, value: 1, low: 0, high: 1 }], outcomes: '1' },
      ...{ checkerErrors: 0, answerLength: 3, tokens: 77, seconds: 1 },
    };
    const [start, ...rest] = journalOf([{ successes: 5, attempts: 10 }]);
    assert.ok(start);
    const [report, compare] = [new EpochFold(), new CompareFold()];
    for (const event of [start, evaluated, ...rest.map((one) => ({ ...one, seq: one.seq + 1 }))]) {
      report.add(event);
      compare.add(event);
    }
    assert.equal(report.totals.tokens, 77);
    assert.equal(compare.epochs[0]?.spent.tokens, 77);
  });
});
