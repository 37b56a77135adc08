/** When each phase was at work, from the journal, and who waited for whom. */
import assert from 'node:assert/strict';
import { EpochFold } from '../../../src/runs/facts/epochFold.ts';
import { standingStill } from '../../../src/runs/facts/timeline/standingStill.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import type { EpochTimeline } from '../../../src/shared/report/timeline.ts';
import { timelineEpochs, timelineRange, timelineShares } from '../../../src/shared/report/timelineCourse.ts';
import { timelineGeometry } from '../../../webview/charts/timeline/timelineGeometry.ts';
import { timelineLines } from '../../../src/cli/show/timeline.ts';
import { bytesOf } from '../../support/cli.ts';
import { timelineNote, timelineReading } from '../../../webview/report/timeline/timelineWords.ts';
import { journalOf } from '../../support/journal.ts';

/** Seconds of each event since its epoch began, and of its phase. */
const times: Partial<Record<JournalEvent['type'], { at: number; seconds?: number; ended?: number }>> = {
  'epoch.started': { at: 0 },
  'tasks.generated': { at: 4, seconds: 4 },
  'rollouts.finished': { at: 10, seconds: 7 },
  'families.scored': { at: 11 },
  'agent.updated': { at: 21, seconds: 10 },
  'environment.updated': { at: 21, seconds: 6 },
  'pools.grown': { at: 21 },
  'epoch.finished': { at: 22 },
};

const start = 1_700_000_000_000;

/** Written and attempted, which `journalOf` leaves out. */
function sampledIn(epoch: number): JournalEvent[] {
  const head = { v: 1 as const, seq: 0, at: 0, epoch, tokens: 100, seconds: 0 };
  return [
    {
      ...{ ...head, type: 'tasks.generated', families: 14, written: 14, accepted: 14, rejected: {}, taskLength: null },
    },
    {
      ...{ ...head, type: 'rollouts.finished', tasks: 14, rollouts: 140, truncated: 0, invalid: 0 },
      ...{ checkerErrors: 0, answerLength: null },
    },
  ];
}

/** Two epochs of 22 s, one after the other. */
function timed(change: (event: JournalEvent) => JournalEvent = (event) => event, length = 22): JournalEvent[] {
  const script = { successes: 5, attempts: 10 };
  const events = journalOf([script, script], '00').flatMap((event) =>
    event.type === 'epoch.started' ? [event, ...sampledIn(event.epoch)] : [event],
  );
  return events.map((event) => {
    const time = times[event.type];
    if (time === undefined || !('epoch' in event) || event.epoch === 0) return { ...event, at: start };
    const at = start + 1000 * (length * (event.epoch - 1) + time.at);
    if (event.type === 'epoch.finished') return change({ ...event, at, summary: { ...event.summary, seconds: 22 } });
    return change('seconds' in event ? { ...event, at, seconds: time.seconds ?? 0 } : { ...event, at });
  });
}

function rowsOf(events: readonly JournalEvent[]) {
  const fold = new EpochFold();
  for (const event of events) fold.add(event);
  return fold.rows;
}

const told = ({ parts }: EpochTimeline) => parts.map(({ phase, from, to }) => [phase, from / 1000, to / 1000]);

describe('the phase timeline', () => {
  it('places each phase by its event; the shorter of two updates at their common start', () => {
    const [first] = rowsOf(timed());
    assert.ok(first?.timeline);
    assert.deepEqual(told(first.timeline), [
      ['generate', 0, 4],
      ['attempt', 3, 10],
      ['agent', 11, 21],
      ['environment', 11, 17],
      ['score', 10, 11],
    ]);
    assert.deepEqual(first.timeline.still, []);
    assert.equal(first.timeline.to, start + 22_000);
  });

  it('leaves updates one after the other as they were', () => {
    const rows = rowsOf(
      timed((event) => (event.type === 'environment.updated' ? { ...event, at: event.at + 6000 } : event)),
    );
    const parts = told(rows[0]?.timeline ?? assert.fail());
    assert.deepEqual(
      parts.filter(([phase]) => phase === 'agent' || phase === 'environment'),
      [
        ['agent', 11, 21],
        ['environment', 21, 27],
      ],
    );
  });

  it('places publishing within its update', () => {
    const published = [{ at: start + 20_000, seconds: 2 }];
    const rows = rowsOf(
      timed((event) => {
        if (event.type === 'environment.updated' && event.epoch === 1)
          return { ...event, published: [...published, { at: start + 16_000, seconds: 0.5 }] };
        return event.type === 'agent.updated' && event.epoch === 1 ? { ...event, published } : event;
      }),
    );
    assert.deepEqual(told(rows[0]?.timeline ?? assert.fail()), [
      ['generate', 0, 4],
      ['attempt', 3, 10],
      ['agent', 11, 21],
      ['agent-publish', 18, 20],
      ['environment', 11, 17],
      ['environment-publish', 18, 20],
      ['environment-publish', 15.5, 16],
      ['score', 10, 11],
    ]);
    const epochs = timelineEpochs(rows).slice(0, 1);
    assert.deepEqual(timelineShares(epochs), timelineShares(timelineEpochs(rowsOf(timed())).slice(0, 1)));
    assert.match(timelineNote(epochs), /includes publishing its weights: 4\.5 s of these epochs/);
    assert.deepEqual(
      timelineLines(epochs, { width: 54 }).map((line) => bytesOf(line)),
      [
        'Updates waited for sampling 45.5 % of the time, sampling waited for updates 45.5 %; both were at work 0.0 %, neither 9.1 %.',
        '',
        'epoch 1  22 s',
        'write tasks         ████··················  4.0 s',
        'attempt tasks       ···███████············  7.0 s',
        'score               ··········█···········  1.0 s',
        'update agent        ···········██████████·  10 s',
        '  publish it        ··················██··  2.0 s',
        'update environment  ···········██████·····  6.0 s',
        '  publish it        ···············█··██··  2.5 s',
        '',
        '█ for this epoch, ░ for a later one; a cell counts where a phase was at work for half of it.',
      ],
    );
    assert.deepEqual(timelineLines([], { width: 80 }), ['No epoch with times has finished yet.']);
  });

  it('says who waited for whom', () => {
    const epochs = timelineEpochs(rowsOf(timed()));
    assert.equal(epochs.length, 2);
    const shares = timelineShares(epochs) ?? assert.fail();
    assert.deepEqual(
      Object.values(shares).map((share) => Math.round(22 * share * 1000) / 1000),
      [0, 10, 10, 2],
    );
    assert.equal(
      timelineReading(epochs),
      'In epochs 1 to 2, updates waited for sampling 45 % of the time and sampling waited for updates 45 %; both were at work 0 %, neither 9 %.',
    );
    assert.equal(timelineShares([]), null);
  });

  it('shows what was sampled ahead in the epoch in which it happened', () => {
    const rows = rowsOf(
      timed((event) => {
        if (event.type !== 'tasks.generated' && event.type !== 'rollouts.finished') return event;
        if (event.epoch !== 2) return event;
        return { ...event, at: start + 22_500, ended: { at: event.at - 10_000 } };
      }),
    );
    const [first, second] = timelineEpochs(rows);
    assert.deepEqual(
      first?.stretches.filter(({ of }) => of === 2).map(({ phase, from, to }) => [phase, from, to]),
      [
        ['generate', 12_000, 16_000],
        ['attempt', 15_000, 22_000],
      ],
    );
    assert.ok((second?.stretches ?? []).every(({ phase }) => phase !== 'generate' && phase !== 'attempt'));
    assert.ok((timelineShares(timelineEpochs(rows))?.both ?? 0) > 0.2);
  });

  it('leaves out a pause', () => {
    const paused = timed((event) => {
      const later =
        event.type !== 'epoch.started' && event.type !== 'tasks.generated' && event.type !== 'rollouts.finished';
      return later && 'epoch' in event && event.epoch === 1 ? { ...event, at: event.at + 3_600_000 } : event;
    }, 3622);
    const [first] = timelineEpochs(rowsOf(paused));
    assert.ok(first !== undefined && first.paused === 3_600_000 && first.length === 22_000);
    assert.deepEqual(
      first.stretches.map(({ phase, from, to }) => [phase, from, to]),
      [
        ['generate', 0, 4000],
        ['attempt', 3000, 10_000],
        ['score', 10_000, 11_000],
        ['agent', 11_000, 21_000],
        ['environment', 11_000, 17_000],
      ],
    );
  });

  it('puts pauses where nothing was at work, the longest gap first', () => {
    const busy = [
      { from: 0, to: 10_000 },
      { from: 12_000, to: 20_000 },
      { from: 50_000, to: 60_000 },
    ];
    const whole = { from: 0, to: 60_000 };
    assert.deepEqual(standingStill(busy, whole, 400), []);
    assert.deepEqual(standingStill(busy, whole, 25_000), [{ from: 20_000, to: 45_000 }]);
    assert.deepEqual(standingStill(busy, whole, 31_000), [
      { from: 10_000, to: 11_000 },
      { from: 20_000, to: 50_000 },
    ]);
  });

  it('shows the epoch that is looked at and those before it', () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({
      epoch: i + 1,
      timeline: { from: 0, to: i === 19 ? null : 1, parts: [], still: [] },
    }));
    assert.deepEqual(timelineRange(rows, null, 8), [11, 19]);
    assert.deepEqual(timelineRange(rows, 10, 8), [2, 10]);
    assert.deepEqual(timelineRange(rows, 2, 8), [0, 8]);
  });

  it('has a lane for each, in the unit that fits', () => {
    const epochs = timelineEpochs(rowsOf(timed()));
    const { unit, rows, stretches } = timelineGeometry(epochs, { left: 50, right: 490, top: 0 });
    assert.equal(unit, 's');
    assert.deepEqual(
      rows.map(({ x, width }) => [x, width]),
      [
        [50, 440],
        [50, 440],
      ],
    );
    const agent = stretches.find(({ stretch }) => stretch.phase === 'agent');
    assert.ok(agent !== undefined && Math.abs(agent.x - 270) < 1e-6 && Math.abs(agent.width - 200) < 1e-6);
    const inLane = stretches.filter(({ epoch, y }) => epoch === 1 && y === agent.y);
    assert.deepEqual(inLane.map(({ stretch }) => stretch.phase).sort(), ['agent', 'score']);
  });
});
