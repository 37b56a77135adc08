import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { held, inLanes, lanesOf, type Job } from '../../../scripts/lanes.ts';

describe('jobs in lanes', () => {
  /** Jobs by name, each with the names of those that ran when it began; they end by hand, one after the other. */
  class Bench {
    readonly began = new Map<string, readonly string[]>();
    readonly shown: string[] = [];
    readonly #running = new Map<string, () => void>();

    job(name: string, seconds: number, more: Partial<Job> = {}): Job {
      const run = (): Promise<void> =>
        new Promise((end) => {
          this.began.set(name, [...this.#running.keys()]);
          held()?.push(`said by ${name}`);
          this.#running.set(name, end);
        });
      return { name, seconds, run, ...more };
    }

    /** Ends the job that began first until none is left. */
    async all(jobs: readonly Job[], lanes: number, drawing = 2): Promise<string[]> {
      const over = inLanes(jobs, { lanes, drawing }, (bytes) => void this.shown.push(String(bytes))).then(() => true);
      while (!(await Promise.race([over, setImmediate(false)]))) {
        const [name = '', end] = [...this.#running][0] ?? [];
        this.#running.delete(name);
        end?.();
      }
      return [...this.began.keys()];
    }
  }

  it('takes the longest first', async () => {
    const bench = new Bench();
    const order = await bench.all([bench.job('short', 1), bench.job('long', 9), bench.job('middle', 5)], 2);
    assert.deepEqual(order, ['long', 'middle', 'short']);
    assert.deepEqual(bench.began.get('short'), ['middle']);
  });

  it('waits for what a job needs, and takes others meanwhile', async () => {
    const bench = new Bench();
    const needy = bench.job('needy', 9, { needs: ['build', 'package'] });
    const jobs = [needy, bench.job('build', 7), bench.job('package', 8, { needs: ['build'] }), bench.job('lint', 1)];
    assert.deepEqual(await bench.all(jobs, 3), ['build', 'lint', 'package', 'needy']);
    assert.deepEqual(bench.began.get('needy'), []);
  });

  it('draws so often at a time', async () => {
    const bench = new Bench();
    const pages = ['one', 'two', 'three'].map((name) => bench.job(name, 5, { draws: true }));
    assert.deepEqual(await bench.all([...pages, bench.job('plain', 1)], 3), ['one', 'two', 'plain', 'three']);
    assert.deepEqual(bench.began.get('three'), ['two', 'plain']);
    const wide = new Bench();
    await wide.all(
      ['one', 'two', 'three'].map((name) => wide.job(name, 5, { draws: true })),
      3,
      3,
    );
    assert.deepEqual(wide.began.get('three'), ['one', 'two']);
  });

  it('draws before longer jobs that do not', async () => {
    const bench = new Bench();
    const pages = ['one', 'two', 'three'].map((name) => bench.job(name, 5, { draws: true }));
    const order = await bench.all([bench.job('long', 9), bench.job('longer', 10), ...pages], 3);
    assert.deepEqual(order, ['one', 'two', 'longer', 'three', 'long']);
  });

  it('are as many as cores and memory allow', () => {
    const lanesWith = (cores: number, bytes: number): number[] => {
      const { lanes, drawing } = lanesOf({ cores, bytes });
      return [lanes, drawing];
    };
    assert.deepEqual(lanesWith(1, 4e9), [2, 2]);
    assert.deepEqual(lanesWith(2, 8e9), [2, 2]);
    assert.deepEqual(lanesWith(2, 16e9), [3, 2]);
    assert.deepEqual(lanesWith(4, 16e9), [4, 2]);
    assert.deepEqual(lanesWith(16, 128e9), [17, 8]);
  });

  it('shows all that was said, by every lane', async () => {
    const bench = new Bench();
    await bench.all([bench.job('a', 3), bench.job('b', 2), bench.job('c', 1)], 2);
    // The first lane says it at once.
    assert.deepEqual(bench.shown, ['said by b']);
  });

  it('refuses a job that waits for none of the others', async () => {
    const jobs = [new Bench().job('page', 1, { needs: ['bild'] })];
    await assert.rejects(inLanes(jobs, { lanes: 2, drawing: 2 }), /these need: page/);
  });
});
