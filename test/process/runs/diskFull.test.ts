import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { RunError } from '../../../src/runs/store/runError.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { journalOf } from '../../support/journal.ts';
import { FaultyDisk } from '../../support/runs/faultyFiles.ts';
import { makeTask, makeTrace } from '../../support/runs/records.ts';
import { runError } from '../../support/runs/runError.ts';
import { mountSmallDisk, type SmallDisk } from '../../support/runs/smallDisk.ts';
import { all, experiment, withTempRuns } from '../../support/runs/tempRuns.ts';
import { skip } from '../../support/skip.ts';

const events = journalOf([{ successes: 10, attempts: 20 }]);
const traces = Array.from({ length: 30 }, (_, i) => makeTrace({ id: `r${i}` }));
const tasks = Array.from({ length: 10 }, (_, i) => makeTask({ id: `t${i}` }));

describe('runs: full and unwritable disks', () => {
  it('full after any byte, a run keeps what was finished, says so, and goes on once there is space', () =>
    withTempRuns(async (runs) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(12_000), fc.constantFrom('ENOSPC', 'EDQUOT'), async (space, code) => {
          const disk = new FaultyDisk();
          const store = runs.store({ files: disk.files });
          const writer = await store.create({ experiment });
          const { id } = writer;
          disk.space = space;
          disk.code = code;
          const done = { tasks: 0, traces: 0, events: 0 };
          let failed: RunError | null = null;
          try {
            for (let i = 0; i < 10; i++) {
              await writer.appendTasks([tasks[i]!]);
              done.tasks += 1;
              await writer.appendTraces(traces.slice(3 * i, 3 * i + 3));
              done.traces += 3;
              const event = events[i];
              if (event === undefined) continue;
              await writer.append(event);
              done.events += 1;
            }
          } catch (error) {
            if (!RunError.is(error)) throw error;
            failed = error;
          }
          if (failed !== null) {
            assert.equal(failed.reason, 'disk-full');
            assert.match(
              failed.message,
              /cannot write, (the disk is full|your quota on this disk is used up) .*Free some space/,
            );
          }
          // Nothing of what follows a failed append gets in behind it.
          await Promise.allSettled([writer.appendTraces(traces), writer.append(events[done.events]!)]);
          disk.space = 0;
          if (failed !== null) await writer.session({ type: 'paused', reason: failed.message });
          await writer.close();

          const reader = await store.openReader(id);
          if (failed !== null) assert.equal((await reader.head()).state, 'paused');
          const kept = {
            tasks: (await all(reader.tasks())).length,
            traces: (await all(reader.traces())).length,
            events: (await all(reader.events())).length,
          };
          await reader.close();
          if (failed !== null) assert.deepEqual(kept, done);

          disk.space = Number.POSITIVE_INFINITY;
          const again = await store.openWriter(id);
          assert.deepEqual(again.recovered, []);
          for (const event of events.slice(kept.events)) await again.append(event);
          const known = new Set((await again.tracesOf(1)).map((trace) => trace.id));
          await again.appendTraces(traces.filter((trace) => !known.has(trace.id)));
          assert.equal((await again.tracesOf(1)).length, 30);
          assert.deepEqual(await all(again.events()), events);
          await again.close();
          await store.remove(id);
        }),
        { numRuns: 25 },
      );
    }));

  it('a partial write that cannot even be cut back is cut by the next writer', () =>
    withTempRuns(async (runs) => {
      const disk = new FaultyDisk();
      const store = runs.store({
        files: {
          ...disk.files,
          openForWriting: async (path) => {
            const file = await disk.files.openForWriting(path);
            const stuck = path.endsWith('traces.jsonl') && disk.space < 1e6;
            const truncate = () => Promise.reject(new Error('the cable was pulled'));
            return { ...file, ...(stuck ? { truncate } : {}) };
          },
        },
      });
      const made = await store.create({ experiment });
      await made.close();
      disk.space = 900;
      const writer = await store.openWriter(made.id);
      await writer.appendTraces([traces[0]!]);
      const error = await runError(writer.appendTraces(traces.slice(1, 4)));
      assert.match(error.message, /nor can the partial write be cut: Error: the cable was pulled/);
      await writer.close();
      disk.space = Number.POSITIVE_INFINITY;
      const again = await store.openWriter(made.id);
      assert.equal(again.recovered[0]?.path, join(made.dir, 'traces.jsonl'));
      assert.equal((await again.tracesOf(1))[0]?.id, 'r0');
      assert.equal((await again.sessions()).at(-1)?.type, 'recovered');
      await again.close();
    }));

  for (const [code, words] of [
    ['EACCES', 'permission was denied'],
    ['EROFS', 'the disk is read-only'],
    ['EIO', 'the device reported an input/output error'],
  ] as const) {
    it(`${code} is unwritable: ${words}`, () =>
      withTempRuns(async (runs) => {
        const disk = new FaultyDisk();
        const store = runs.store({ files: disk.files });
        const writer = await store.create({ experiment });
        await writer.append(events[0]!);
        disk.refused.set('journal.jsonl', code);
        const error = await runError(writer.append(events[1]!));
        assert.equal(error.reason, 'unwritable');
        assert.match(
          error.message,
          new RegExp(`journal\\.jsonl: cannot write, ${words} \\(${code}\\).*resume the run`),
        );
        await writer.session({ type: 'paused', reason: error.message });
        await writer.close();
        assert.equal((await runError(store.openWriter(writer.id))).reason, 'unwritable');
        const reader = await store.openReader(writer.id);
        assert.equal((await reader.head()).state, 'paused');
        assert.deepEqual(await all(reader.events()), events.slice(0, 1));
      }));
  }

  it('a run folder that was removed under the writer is unwritable, not a crash', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      await rm(writer.dir, { recursive: true });
      runs.now += 3_600_000;
      assert.equal((await runError(writer.append(events[0]!))).reason, 'in-use');
      await writer.close();
    }));

  describe('on a real disk of 512 kB', () => {
    let disk: SmallDisk | null = null;
    const store = () => {
      const log = { info: () => undefined, warn: () => undefined };
      return new RunStore(disk?.root ?? '', { clock: { now: () => Date.now() }, log, version: 'test' });
    };

    /** Takes all the space there is. */
    function fill(): void {
      try {
        for (let size = 4096; ; size += 4096) writeFileSync(join(disk?.root ?? '', 'filler'), 'x'.repeat(size));
      } catch (error) {
        assert.match(String(error), /ENOSPC/);
      }
    }

    before(function () {
      const mounted = mountSmallDisk(512 * 1024);
      if (typeof mounted === 'string') skip(this, mounted);
      disk = mounted;
    });
    after(() => disk?.remove());

    it('pauses with everything finished, and goes on once there is space', async () => {
      const writer = await store().create({ experiment });
      const done: string[] = [];
      let failed: RunError | null = null;
      for (let i = 0; failed === null; i++) {
        try {
          await writer.appendTraces([makeTrace({ id: `r${i}` }), makeTrace({ id: `s${i}` })]);
          done.push(`r${i}`, `s${i}`);
        } catch (error) {
          if (!RunError.is(error)) throw error;
          failed = error;
        }
      }
      assert.equal(failed.reason, 'disk-full');
      assert.ok(done.length > 400, `${done.length} traces fitted`);
      // Whatever is left goes too, so that the words of the pause have only what the lease held back.
      fill();
      const long = `${failed.message} `.repeat(20);
      await writer.session({ type: 'paused', reason: long });
      await writer.close();
      const [head] = await store().list();
      assert.equal(head?.state, 'paused');
      disk?.grow(1024 * 1024);
      const again = await store().openWriter(writer.id);
      assert.deepEqual(again.recovered, []);
      const kept = (await again.tracesOf(1)).map(({ id }) => id);
      assert.deepEqual(kept, done);
      assert.match(await readFile(join(again.dir, 'sessions.jsonl'), 'utf8'), /"type":"paused"/);
      await again.close();
    });

    it('cannot make a run, and leaves nothing behind', async () => {
      const before = (await store().list()).length;
      fill();
      assert.equal((await runError(store().create({ experiment }))).reason, 'disk-full');
      assert.equal((await store().list()).length, before);
      assert.deepEqual(await store().problems(), []);
    });
  });
});
