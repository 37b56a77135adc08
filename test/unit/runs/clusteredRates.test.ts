import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assumedRate } from '../../../src/engine/math/written/clusters.ts';
import { successRate } from '../../../src/engine/math/successRate.ts';
import { clusteredSummary } from '../../../src/runs/facts/clusteredRates.ts';
import { readEventAt, readJournal, type PlacedEvent } from '../../../src/runs/journal/journalFile.ts';
import { isObject } from '../../../src/shared/experiment/resolve.ts';
import { eventSchema, type EventOf, type JournalEvent } from '../../../src/shared/journal/events.ts';
import { all, experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

const golden = new URL('../engine/golden/coevolve.jsonl', import.meta.url);

/** Rates as they were written before: Wilson's interval on all attempts, and nothing of what they are worth. */
function asWritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asWritten);
  if (!isObject(value)) return value;
  const { successes, attempts, effective, ...rest } = value;
  if (typeof successes === 'number' && typeof attempts === 'number' && effective !== undefined) {
    const { p, low, high } = successRate(successes, attempts);
    return { successes, attempts, p, low, high };
  }
  const all = {
    ...rest,
    ...(successes === undefined ? {} : { successes }),
    ...(attempts === undefined ? {} : { attempts }),
  };
  return Object.fromEntries(Object.entries(all).map(([key, one]) => [key, asWritten(one)]));
}

async function readAs(root: string, events: readonly unknown[]): Promise<{ path: string; read: PlacedEvent[] }> {
  const path = join(root, 'journal.jsonl');
  await writeFile(path, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return { path, read: await all(readJournal(path)) };
}

const eventsOf = (text: string): JournalEvent[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => eventSchema.parse(JSON.parse(line)));

const isType =
  <T extends JournalEvent['type']>(type: T) =>
  (event: JournalEvent): event is EventOf<T> =>
    event.type === type;

describe('runs: rates of an older journal', () => {
  it('are read as they would be written today, wherever it has the counts', () =>
    withTempRuns(async ({ root }) => {
      const today = eventsOf(await readFile(golden, 'utf8'));
      const written = today.map(asWritten);
      assert.ok(!JSON.stringify(written).includes('"effective":'), 'an older journal');
      const { path, read } = await readAs(root, written);
      const events = read.map(({ event }) => event);
      const unbased = (some: JournalEvent[]) =>
        some.map((event) => (event.type === 'families.scored' ? { ...event, baseSuccessRate: null } : event));
      assert.deepEqual(unbased(events), unbased(today));
      // Families are read again from their place.
      for (const { event, start, end } of read) {
        if (event.type === 'families.scored') assert.deepEqual(await readEventAt(path, { start, end }), event);
      }
    }));

  it('rest on what is assumed where it has none', () =>
    withTempRuns(async ({ root }) => {
      const today = eventsOf(await readFile(golden, 'utf8'));
      const many = today.filter(isType('validated')).map((event) => ({
        ...event,
        outcomes: '11100-',
        successRate: successRate(12, 20),
      }));
      const scored = today.filter(isType('families.scored')).map((event) => ({
        ...event,
        // Twelve tasks beside the three families' six.
        baseSuccessRate: successRate(30, 48),
      }));
      const events = [...many.slice(0, 1), ...scored.slice(0, 1)].map((event, seq) => asWritten({ ...event, seq }));
      const { read } = await readAs(root, events);
      const [validated, families] = read.map(({ event }) => event);
      assert.ok(validated?.type === 'validated' && families?.type === 'families.scored');
      assert.deepEqual(validated.successRate, assumedRate({ successes: 12, attempts: 20 }, 5, 0.7));
      assert.deepEqual(families.baseSuccessRate, assumedRate({ successes: 30, attempts: 48 }, 12, 0.7));
      assert.ok((validated.successRate.effective ?? 20) < 10);
    }));

  it('are the same in a list of runs, which reads the ends of journals alone', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const whole = eventsOf(await readFile(golden, 'utf8'));
      // Up to the first epoch, whose families tell more than is assumed of them.
      const today = whole.slice(0, whole.findIndex(isType('epoch.finished')) + 1);
      for (const event of today) await writer.append(eventSchema.parse(asWritten(event)));
      await writer.close();
      const [head] = await runs.store().list();
      const last = today.findLast(isType('epoch.finished'));
      assert.deepEqual(head?.summary?.successRate, last?.summary.successRate);
    }));

  it('of an epoch whose families nobody reads rest on their number', () => {
    const old = { successes: 100, attempts: 448, p: 100 / 448, low: 0.187, high: 0.264 };
    const summary = { families: 14, successRate: old };
    const { successRate: read } = clusteredSummary({ ...emptySummary, ...summary });
    assert.deepEqual(read, assumedRate(old, 14, 0.35));
    assert.ok(read.low < 0.13 && read.high > 0.37, `${read.low} to ${read.high}`);
    const written = { ...old, effective: 40 };
    assert.deepEqual(clusteredSummary({ ...emptySummary, ...summary, successRate: written }).successRate, written);
  });
});

const emptySummary = {
  ...{ epoch: 1, inBand: 0, environmentReward: 0, familiesKept: 0, effectiveSampleSize: 0 },
  ...{ kl: { agent: null, environment: null }, taskLength: null, answerLength: null, rejected: {} },
  ...{ rollouts: 0, tokens: 0, seconds: 0 },
};
