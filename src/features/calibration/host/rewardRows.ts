/**
 * Shaped rewards per epoch. Means over every attempt come from the index of traces alone; parts of a reward are in the
 * records, of which a fixed number is read per epoch, evenly spaced, so that no run is too long for it.
 */
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { RewardRow } from '../contract.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

type Traces = Pick<RunReader, 'columns' | 'traceAt'>;

const sampledAttempts = 32;
const sampledEpochs = 100;

interface Sums {
  attempts: number;
  reward: number;
  success: number;
  valid: number;
  /** Every k-th row of the epoch, k doubling when there are too many. */
  rows: number[];
  every: number;
}

const noSums: Sums = { attempts: 0, reward: 0, success: 0, valid: 0, rows: [], every: 1 };

export class RewardRows {
  readonly #traces: Traces;
  readonly #told = new Set<number>();
  /** Rows of the index already counted, and the counts of unreported epochs. */
  #seen = 0;
  readonly #sums = new Map<number, Sums>();

  constructor(traces: Traces) {
    this.#traces = traces;
  }

  /**
   * Rows of the epochs not reported before. @param done whether all attempts of an epoch exist
   * @throws RunError when traces cannot be read
   */
  async *update(done: (epoch: number) => boolean): AsyncGenerator<RewardRow> {
    await this.#count();
    const ready = [...this.#sums.keys()].filter(done).sort((a, b) => a - b);
    const stride = Math.ceil(ready.length / sampledEpochs);
    for (const [i, epoch] of ready.entries()) {
      const sums = this.#sums.get(epoch);
      if (sums === undefined || this.#told.has(epoch)) continue;
      const sample = (ready.length - 1 - i) % stride === 0 ? await this.#sample(sums.rows) : { parts: {}, sampled: 0 };
      this.#told.add(epoch);
      this.#sums.delete(epoch);
      const { attempts, reward, success, valid } = sums;
      yield {
        epoch,
        attempts,
        reward: reward / attempts,
        success: success / attempts,
        valid: valid / attempts,
        ...sample,
      };
    }
  }

  async #count(): Promise<void> {
    const columns = await this.#traces.columns();
    const { count, epoch, purpose, judged, reward, success, valid } = columns;
    let sums = noSums;
    let open = -1;
    for (let row = this.#seen; row < count; row++) {
      if (purpose[row] !== 0 || judged[row] !== 1) continue;
      const at = epoch[row] ?? outOfRange();
      // Attempts of an epoch are adjacent: one look-up for each of a million would be slow.
      if (at !== open) sums = this.#sumsOf(at);
      open = at;
      sums.reward += reward[row] ?? outOfRange();
      sums.success += success[row] ?? outOfRange();
      sums.valid += valid[row] ?? outOfRange();
      if (sums.attempts % sums.every === 0) sums.rows.push(row);
      sums.attempts += 1;
      if (sums.rows.length < 2 * sampledAttempts) continue;
      sums.rows = sums.rows.filter((_, i) => i % 2 === 0);
      sums.every *= 2;
    }
    this.#seen = count;
  }

  #sumsOf(epoch: number): Sums {
    const known = this.#sums.get(epoch);
    if (known !== undefined) return known;
    const sums: Sums = { ...noSums, rows: [] };
    this.#sums.set(epoch, sums);
    return sums;
  }

  async #sample(rows: readonly number[]): Promise<Pick<RewardRow, 'parts' | 'sampled'>> {
    const sums: Record<string, number> = {};
    let sampled = 0;
    for (const row of rows) {
      const parts = (await this.#traces.traceAt(row))?.verdict.parts;
      if (parts === undefined) continue;
      sampled += 1;
      for (const [name, value] of Object.entries(parts)) sums[name] = (sums[name] ?? 0) + value;
    }
    const parts = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / Math.max(1, sampled)]));
    return { parts, sampled };
  }
}
