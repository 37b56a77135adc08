import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../../support/runs/child.ts';
import { all, experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

const kills = 20;

describe('runs: SIGKILL while appending', () => {
  it(`at ${kills} moments leaves whole lines, everything acknowledged, and a run that goes on`, async function () {
    this.timeout(240_000);
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const made = await store.create({ experiment });
      await made.close();
      const files = ['journal.jsonl', 'traces.jsonl', 'tasks.jsonl'].map((name) => join(made.dir, name));
      let before = files.map(() => Buffer.alloc(0));
      let rounds = 0;
      for (let kill = 0; kill < kills; kill++) {
        const child = startChild('appender.ts', runs.root, made.id);
        assert.equal(await child.next(), `appending ${rounds}`);
        let acknowledged = rounds;
        // From the first write after opening to the middle of a stream of them, however long a write takes.
        for (let line = 0; line < 2 * (kill % 3); line++) acknowledged = Number(await child.next());
        await sleep(kill % 3 === 0 ? kill / 3 : Math.random() * 60);
        child.kill();
        await child.ended();
        for (;;) {
          const line = await child.next().catch(() => null);
          if (line === null) break;
          acknowledged = Number(line);
        }

        const after = await Promise.all(files.map((file) => readFile(file)));
        for (const [i, bytes] of after.entries()) {
          const whole = before[i]!.lastIndexOf(10) + 1;
          assert.deepEqual(bytes.subarray(0, whole), before[i]!.subarray(0, whole), 'what was there is as it was');
        }
        before = after;
        const reader = await store.openReader(made.id);
        const events = await all(reader.events());
        const traces = await reader.tracesOf(1);
        const tasks = await reader.tasksOf(1);
        await reader.close();
        assert.ok(events.length >= acknowledged, `${events.length} events of ${acknowledged} acknowledged`);
        assert.deepEqual(
          events.map(({ seq }) => seq),
          events.map((_, i) => i),
        );
        // Each event was appended after the records that it counts.
        assert.ok(traces.length >= 2 * events.length && traces.length <= 2 * events.length + 2);
        assert.ok(tasks.length >= events.length && tasks.length <= events.length + 1);
        assert.equal(new Set(traces.map(({ id }) => id)).size, traces.length);
        assert.equal((await store.list())[0]?.state, 'interrupted');
        rounds = events.length;
      }
      assert.ok(rounds > kills, `${rounds} rounds`);
      const writer = await store.openWriter(made.id);
      const recovered = (await writer.sessions()).filter(({ type }) => type === 'recovered');
      await writer.close();
      assert.ok(recovered.length <= 3 * kills);
      const reader = await store.openReader(made.id);
      assert.ok((await reader.columns()).count >= 2 * rounds);
      await reader.close();
    });
  });

  it('leaves an index of any age behind: what it lacks is read from the records', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const made = await store.create({ experiment });
      await made.close();
      const child = startChild('appender.ts', runs.root, made.id);
      await child.next();
      for (let line = ''; Number(line) < 40; line = await child.next());
      child.kill();
      await child.ended();
      const index = join(made.dir, 'index', 'traces.bin');
      const bytes = await readFile(index);
      const reader = await store.openReader(made.id);
      const { count } = await reader.columns();
      await reader.close();
      for (const length of [0, 63, 64, 65, 128, 1000, bytes.byteLength - 1]) {
        await writeFile(index, bytes.subarray(0, length));
        const again = await store.openReader(made.id);
        assert.equal((await again.columns()).count, count);
        assert.equal((await again.trace('t33/r1'))?.id, 't33/r1');
        await again.close();
      }
    }));
});
