import assert from 'node:assert/strict';
import { RewardRows } from '../../../../src/features/calibration/host/rewardRows.ts';
import type { TraceColumns } from '../../../../src/runs/records/traceColumns.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import type { RewardRow } from '../../../../src/features/calibration/contract.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

interface Attempt {
  epoch: number;
  reward: number;
  purpose?: number;
  judged?: number;
}

/** An index of traces, and the records behind it; counts what is read. */
class Traces {
  attempts: Attempt[] = [];
  read: number[] = [];

  columns(): Promise<TraceColumns> {
    const of = (value: (attempt: Attempt) => number): number[] => this.attempts.map(value);
    return Promise.resolve({
      count: this.attempts.length,
      epoch: Uint32Array.from(of(({ epoch }) => epoch)),
      reward: Float64Array.from(of(({ reward }) => reward)),
      success: Uint8Array.from(of(({ reward }) => (reward === 1 ? 1 : 0))),
      judged: Uint8Array.from(of(({ judged }) => judged ?? 1)),
      valid: Uint8Array.from(of(() => 1)),
      purpose: Uint8Array.from(of(({ purpose }) => purpose ?? 0)),
      tokens: new Uint32Array(0),
      length: new Uint32Array(0),
      family: new Uint32Array(0),
      families: {
        count: 0,
        epoch: new Uint32Array(0),
        purpose: new Uint8Array(0),
        attempts: new Uint32Array(0),
        successes: new Uint32Array(0),
        successRate: new Float64Array(0),
        firstTrace: new Uint32Array(0),
      },
    });
  }

  traceAt(row: number): Promise<Trace | undefined> {
    this.read.push(row);
    const { epoch = 0, reward = 0 } = this.attempts[row] ?? {};
    return Promise.resolve({
      v: 1,
      id: `r${row}`,
      purpose: 'train',
      task: 't',
      family: 'f',
      epoch,
      version: 'agent@0',
      messages: [],
      sequences: [],
      stopReason: 'stop',
      verdict: { success: reward === 1, reward, valid: true, parts: { calls: reward / 2, format: 1 } },
    });
  }
}

const attempts = (epoch: number, count: number): Attempt[] =>
  Array.from({ length: count }, (_, i) => ({ epoch, reward: i % 4 === 0 ? 1 : 0.5 }));

describe('rewards of an epoch', () => {
  const rowsOf = (rows: RewardRows, done: (epoch: number) => boolean = () => true): Promise<RewardRow[]> =>
    Array.fromAsync(rows.update(done));

  it('are means over judged training attempts, and parts over a bounded number of them', async () => {
    const traces = new Traces();
    traces.attempts = [
      { epoch: 0, reward: 1, purpose: 1 },
      ...attempts(1, 4000),
      { epoch: 1, reward: 0, judged: 0 },
      { epoch: 1, reward: 0, purpose: 2 },
    ];
    const [row, ...more] = await rowsOf(new RewardRows(traces));
    assert.deepEqual(more, []);
    assert.ok(row);
    assert.equal(row.attempts, 4000);
    assert.equal(row.reward, 0.625);
    assert.equal(row.success, 0.25);
    assert.ok(row.sampled >= 32 && row.sampled < 64);
    assert.equal(row.parts['format'], 1);
    const gaps = traces.read.slice(1).map((at, i) => at - (traces.read[i] ?? outOfRange()));
    assert.equal(new Set(gaps).size, 1, 'evenly spaced');
  });

  it('are told once, when an epoch is over', async () => {
    const traces = new Traces();
    const rows = new RewardRows(traces);
    traces.attempts = [...attempts(1, 8), ...attempts(2, 3)];
    assert.deepEqual(
      (await rowsOf(rows, (epoch) => epoch < 2)).map(({ epoch }) => epoch),
      [1],
    );
    traces.attempts.push(...attempts(2, 5), ...attempts(3, 8));
    const next = await rowsOf(rows, (epoch) => epoch < 3);
    assert.deepEqual(
      next.map(({ epoch, attempts: n }) => [epoch, n]),
      [[2, 8]],
    );
  });

  it('of very many epochs are sampled for some, the last among them', async () => {
    const traces = new Traces();
    traces.attempts = Array.from({ length: 450 }, (_, i) => attempts(i + 1, 4)).flat();
    const rows = await rowsOf(new RewardRows(traces));
    assert.equal(rows.length, 450);
    const sampled = rows.filter((row) => row.sampled > 0);
    assert.ok(sampled.length > 50 && sampled.length <= 100);
    assert.equal(sampled.at(-1)?.epoch, 450);
  });
});
