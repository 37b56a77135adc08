import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Recording } from '../../../../src/engine/phases/attempts/recording.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import { makeTrace } from '../../../support/runs/records.ts';
import { attempting, said, task, type Answers } from '../../../support/scripted/attempting.ts';

const turn = (): Promise<void> => new Promise(setImmediate);

/** A disk whose writes end when a test says so. */
class Disk {
  readonly writes: { ids: string[]; end: PromiseWithResolvers<null> }[] = [];

  async append(traces: readonly Trace[]): Promise<void> {
    const end = Promise.withResolvers<null>();
    this.writes.push({ ids: traces.map(({ id }) => id), end });
    await end.promise;
  }

  get ids(): string[][] {
    return this.writes.map(({ ids }) => ids);
  }

  /** Ends every write, and those that follow. */
  async run(): Promise<void> {
    for (let i = 0; i < this.writes.length; i++) {
      this.writes[i]?.end.resolve(null);
      await turn();
    }
  }
}

const recordingTo = (disk: Disk) => new Recording((traces) => disk.append(traces));
const named = (id: string, tokens = 2): Trace =>
  makeTrace({ id, sequences: [{ tokens: [], spans: [[1, tokens]], logprobs: [] }] });

describe('recording', () => {
  it('writes what waits when a write ends in one write, in the order in which it came', async () => {
    const disk = new Disk();
    const recording = recordingTo(disk);
    for (const id of ['a', 'b', 'c']) await recording.add(named(id));
    assert.deepEqual(disk.ids, [['a']]);
    disk.writes[0]?.end.resolve(null);
    await turn();
    await recording.add(named('d'));
    assert.deepEqual(disk.ids, [['a'], ['b', 'c']]);
    await disk.run();
    assert.deepEqual(disk.ids, [['a'], ['b', 'c'], ['d']]);
    await recording.finish();
  });

  it('is finished when the last of them is written, not before', async () => {
    const disk = new Disk();
    const recording = recordingTo(disk);
    await recording.add(named('a'));
    await recording.add(named('b'));
    let finished = false;
    const finishing = recording.finish().then(() => (finished = true));
    disk.writes[0]?.end.resolve(null);
    await turn();
    assert.equal(finished, false);
    await disk.run();
    await finishing;
  });

  it('writes long traces by themselves', async () => {
    const disk = new Disk();
    const recording = recordingTo(disk);
    const adding = ['a', 'b', 'c'].map((id) => recording.add(named(id, 100_000)));
    await disk.run();
    await Promise.all(adding);
    assert.deepEqual(disk.ids, [['a'], ['b'], ['c']]);
  });

  it('makes attempts wait where more has ended than a disk takes', async () => {
    const disk = new Disk();
    const recording = recordingTo(disk);
    let added = 0;
    const adding = (async () => {
      for (let i = 0; i < 20; i++) {
        await recording.add(named(`${i}`, 100_000));
        added += 1;
      }
    })();
    await turn();
    assert.equal(added, 1);
    await disk.run();
    await adding;
    await disk.run();
    await recording.finish();
    assert.deepEqual(
      disk.ids.flat(),
      Array.from({ length: 20 }, (_, i) => `${i}`),
    );
  });

  it('gives everyone who waits the same error, and writes nothing after it', async () => {
    const disk = new Disk();
    const recording = recordingTo(disk);
    const waiting: Promise<void>[] = [];
    for (let i = 0; i < 8; i++) waiting.push(recording.add(named(`${i}`, 100_000)));
    const full = new Error('ENOSPC');
    disk.writes[0]?.end.reject(full);
    const ends = await Promise.allSettled([...waiting, recording.finish(), recording.add(named('late'))]);
    const refused = ends.filter((end) => end.status === 'rejected');
    assert.ok(refused.length > 2 && refused.every(({ reason }) => reason === full));
    assert.equal(recording.failed.reason, full);
    assert.equal(disk.writes.length, 1);
  });
});

describe('attempts whose records cannot be written', () => {
  it('end at once, those under way too, with the error of the disk', async () => {
    const full = new Error('ENOSPC');
    const reasons: unknown[] = [];
    const after = async (signal: AbortSignal): Promise<void> => {
      // The second answer takes for ever.
      if (!signal.aborted) await once(signal, 'abort');
      reasons.push(signal.reason);
      signal.throwIfAborted();
    };
    const answers: Answers = (request, index) => (index === 0 ? [said(request, 0, 'up')] : []);
    for (const deterministic of [true, false]) {
      const { done } = attempting(
        { tasks: [task('a')] },
        { answers, deterministic, after, append: () => Promise.reject(full) },
      );
      await assert.rejects(done, (error) => error === full);
    }
    assert.deepEqual(reasons, [full, full]);
  });
});
