import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, readlink, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RunReader } from '../../../src/runs/store/runReader.ts';
import type { RunWriter } from '../../../src/runs/store/runWriter.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { skip } from '../../support/skip.ts';
import { makeTask, makeTrace } from '../../support/runs/records.ts';
import { runError } from '../../support/runs/runError.ts';
import { all, experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

/** A run's records in the plainest possible model. */
class Model {
  tasks: Task[] = [];
  traces: Trace[] = [];

  /** The complete records of a file with so many bytes. */
  static whole<T>(records: readonly T[], bytes: number): T[] {
    let end = 0;
    return records.filter((record) => {
      end += Buffer.byteLength(JSON.stringify(record)) + 1;
      return end <= bytes;
    });
  }
}

async function sameAsModel(reader: RunReader, model: Model): Promise<void> {
  for (let epoch = 0; epoch <= 4; epoch++) {
    assert.deepEqual(
      await reader.tasksOf(epoch),
      model.tasks.filter((task) => task.epoch === epoch),
    );
    assert.deepEqual(
      await reader.tracesOf(epoch),
      model.traces.filter((trace) => trace.epoch === epoch),
    );
  }
  for (let epoch = 0; epoch <= 4; epoch++) {
    assert.deepEqual(
      await reader.rejectedIn(epoch),
      model.tasks.filter((task) => task.epoch === epoch && task.status === 'rejected'),
    );
  }
  assert.deepEqual(await all(reader.tasks()), model.tasks);
  assert.deepEqual(await all(reader.traces()), model.traces);
  for (const task of model.tasks) assert.deepEqual(await reader.task(task.id), task);
  for (const [row, trace] of model.traces.entries()) {
    assert.deepEqual(await reader.trace(trace.id), trace);
    assert.deepEqual(await reader.traceAt(row), trace);
  }
  for (const { task, epoch } of model.traces) {
    assert.deepEqual(
      await reader.attemptsAt(task, epoch),
      model.traces.filter((trace) => trace.task === task && trace.epoch === epoch),
    );
  }
  for (const task of new Set(model.traces.map((trace) => trace.task))) {
    const epochs = new Set(model.traces.filter((trace) => trace.task === task).map(({ epoch }) => epoch));
    assert.deepEqual(
      await reader.epochsAttempting(task),
      [...epochs].sort((a, b) => a - b),
    );
  }
  assert.deepEqual(await reader.epochsAttempting('nobody'), []);
  assert.deepEqual(await reader.attemptsAt('nobody', 1), []);
  assert.equal(await reader.trace('nobody'), undefined);
  assert.equal(await reader.traceAt(model.traces.length), undefined);
  const columns = await reader.columns();
  assert.equal(columns.count, model.traces.length);
  for (const [row, trace] of model.traces.entries()) {
    assert.equal(columns.epoch[row], trace.epoch);
    assert.equal(columns.reward[row], trace.verdict.reward);
    assert.equal(columns.success[row], trace.verdict.success ? 1 : 0);
    assert.equal(columns.valid[row], trace.verdict.valid ? 1 : 0);
    assert.equal(columns.judged[row], trace.verdict.error === undefined ? 1 : 0);
    assert.equal(columns.purpose[row], ['train', 'validation', 'rank'].indexOf(trace.purpose));
    assert.equal(columns.length[row], Buffer.byteLength(JSON.stringify(trace)));
    const mates = model.traces.filter(
      (other) => other.family === trace.family && other.epoch === trace.epoch && other.purpose === trace.purpose,
    );
    const judged = mates.filter(({ verdict }) => verdict.error === undefined);
    const { families } = columns;
    const family = columns.family[row] ?? -1;
    assert.equal(families.attempts[family], judged.length);
    assert.equal(families.successes[family], judged.filter(({ verdict }) => verdict.success).length);
    assert.equal(families.firstTrace[family], model.traces.indexOf(mates[0]!));
    assert.equal(families.epoch[family], trace.epoch);
  }
}

const word = fc.constantFrom('e1.f0', 'e2.f1', 'base.17', 'naïve 😀', '"', '\\\n');

type Step =
  | { do: 'append'; kind: 'tasks' | 'traces'; count: number; epoch: number; text: string; bits: number }
  | { do: 'reopen' }
  | { do: 'cut'; file: 'tasks' | 'traces'; share: number }
  | { do: 'lose' | 'blur' | 'shorten'; file: 'tasks' | 'traces'; at: number }
  | { do: 'check' };

const file = fc.constantFrom('tasks' as const, 'traces' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      kind: file,
      count: fc.integer({ min: 0, max: 5 }),
      epoch: fc.integer({ min: 0, max: 4 }),
      text: word,
      bits: fc.nat(1023),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'reopen' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('cut' as const), file, share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('lose' as const, 'blur' as const, 'shorten' as const),
      file,
      at: fc.nat(),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'check' as const }) },
);

const purposes = ['train', 'validation', 'rank'] as const;

/** Files below a folder that this process has open. */
async function openFiles(folder: string): Promise<string[]> {
  const paths = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(paths)).filter((path) => path.startsWith(folder));
}

describe('runs: records', () => {
  it('are what a plain list is, over any appends, crashes at any byte, and damage to the index', () =>
    withTempRuns(async (runs) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
          const store = runs.store();
          const model = new Model();
          let serial = 0;
          let writer: RunWriter = await store.create({ experiment });
          const { id, dir } = writer;
          const reader = await store.openReader(id);
          const reopen = async (meddle: () => Promise<void> = () => Promise.resolve()) => {
            await writer.close();
            await meddle();
            writer = await store.openWriter(id);
          };
          for (const it of steps) {
            if (it.do === 'append' && it.kind === 'tasks') {
              const tasks = Array.from({ length: it.count }, () =>
                makeTask({ id: `t${serial++}.${it.text}`, epoch: it.epoch, family: it.text, gold: it.text }),
              );
              await writer.appendTasks(tasks);
              model.tasks.push(...tasks);
            } else if (it.do === 'append') {
              const traces = Array.from({ length: it.count }, (_, i) =>
                makeTrace({
                  id: `r${serial++}.${it.text}`,
                  epoch: it.epoch,
                  family: it.text,
                  purpose: purposes[it.bits % 3] ?? 'train',
                  verdict: {
                    success: (it.bits >> i) % 2 === 0,
                    reward: it.bits / 1024,
                    valid: it.bits % 5 > 0,
                    ...(it.bits % 7 === 0 ? { error: 'no checker' } : {}),
                  },
                }),
              );
              await writer.appendTraces(traces);
              model.traces.push(...traces);
            } else if (it.do === 'reopen') await reopen();
            else if (it.do === 'check') await sameAsModel(reader, model);
            else if (it.do === 'cut') {
              await reopen(async () => {
                const path = join(dir, `${it.file}.jsonl`);
                const bytes = Math.floor(it.share * ((await readFile(path)).byteLength + 1));
                await truncate(path, bytes);
                if (it.file === 'tasks') model.tasks = Model.whole(model.tasks, bytes);
                else model.traces = Model.whole(model.traces, bytes);
              });
            } else {
              await reopen(async () => {
                const path = join(dir, 'index', `${it.file}.bin`);
                const bytes = await readFile(path);
                if (it.do === 'lose') await rm(path);
                else if (it.do === 'shorten') await truncate(path, it.at % (bytes.byteLength + 1));
                else {
                  bytes.writeUInt8((bytes.readUInt8(it.at % bytes.byteLength) + 1) % 256, it.at % bytes.byteLength);
                  await writeFile(path, bytes);
                }
              });
            }
          }
          await sameAsModel(writer, model);
          await writer.close();
          await sameAsModel(reader, model);
          const fresh = await store.openReader(id);
          await sameAsModel(fresh, model);
          await fresh.close();
          await reader.close();
          await store.remove(id);
        }),
        { numRuns: 40 },
      );
    }));

  it('are read by epoch wherever they lie in the file', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const traces = Array.from({ length: 60 }, (_, i) => makeTrace({ id: `r${i}`, epoch: [1, 1, 2, 3, 2][i % 5]! }));
      for (const trace of traces) await writer.appendTraces([trace]);
      for (const epoch of [0, 1, 2, 3]) {
        assert.deepEqual(
          (await writer.tracesOf(epoch)).map(({ id }) => id),
          traces.filter((trace) => trace.epoch === epoch).map(({ id }) => id),
        );
      }
      await writer.close();
    }));

  it('are read on where another program puts a longer file in the place of the one that is open', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      for (const epoch of [1, 2, 3]) {
        await writer.appendTasks([makeTask({ id: `task-${epoch}`, epoch })]);
        await writer.appendTraces([makeTrace({ id: `trace-${epoch}`, task: `task-${epoch}`, epoch })]);
      }
      await writer.close();
      const files = ['tasks.jsonl', 'traces.jsonl'].map((name) => join(writer.dir, name));
      const lines = await Promise.all(files.map(async (file) => (await readFile(file, 'utf8')).split('\n')));
      /** As rsync, Syncthing and others do. */
      const sync = async (epochs: number): Promise<void> => {
        for (const [i, file] of files.entries()) {
          await writeFile(`${file}.next`, `${lines[i]?.slice(0, epochs).join('\n') ?? ''}\n`);
          await rename(`${file}.next`, file);
        }
      };
      await rm(join(writer.dir, 'index'), { recursive: true, force: true });
      await sync(1);
      const reader = await runs.store().openReader(writer.id);
      const seen = async () => {
        const epochs = [1, 2, 3].map(async (epoch) => [await reader.tasksOf(epoch), await reader.tracesOf(epoch)]);
        return (await Promise.all(epochs)).flat(2).map(({ id }) => id);
      };
      assert.deepEqual(await seen(), ['task-1', 'trace-1']);
      // A read that is under way keeps what it reads from.
      const before = [reader.task('task-1'), reader.tracesOf(1)];
      await sync(3);
      assert.deepEqual(await seen(), ['task-1', 'trace-1', 'task-2', 'trace-2', 'task-3', 'trace-3']);
      assert.equal((await Promise.all(before)).flat().length, 2);
      await sync(2);
      assert.deepEqual(await seen(), ['task-1', 'trace-1', 'task-2', 'trace-2']);
      await reader.close();
      if (process.platform !== 'linux') return;
      const open = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      );
      assert.deepEqual(
        open.filter((path) => path.startsWith(writer.dir)),
        [],
      );
    }));

  it('keep their order when many appends are under way at once', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const traces = Array.from({ length: 200 }, (_, i) => makeTrace({ id: `r${i}` }));
      await Promise.all([
        writer.appendTraces(traces.slice(0, 150)),
        ...traces.slice(150).map((trace) => writer.appendTraces([trace])),
      ]);
      assert.deepEqual(await writer.tracesOf(1), traces);
      await writer.close();
      const reader = await runs.store().openReader(writer.id);
      assert.deepEqual(await reader.tracesOf(1), traces);
      await reader.close();
    }));

  it('leave no file open, closed in the middle of a read or read once more', async function () {
    if (!existsSync('/proc/self/fd')) skip(this, 'this system does not list open files');
    await withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      await writer.appendTasks([makeTask({ id: 'a', epoch: 1 })]);
      await writer.appendTraces([makeTrace({ id: 'b', epoch: 1 })]);
      await writer.close();
      for (let turns = 0; turns < 20; turns++) {
        const reader = await runs.store().openReader(writer.id);
        const reads = Promise.all([reader.tasksOf(1), reader.tracesOf(1), reader.task('a')]);
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
        await reader.close();
        const [tasks, traces, task] = await reads;
        assert.deepEqual([tasks[0]?.id, traces[0]?.id, task?.id], ['a', 'b', 'a']);
        assert.deepEqual(await openFiles(runs.root), [], `closed after ${turns} turns`);
        assert.equal((await reader.trace('b'))?.id, 'b');
        assert.deepEqual(await openFiles(runs.root), []);
      }
    });
  });

  it('of one id are there once: a writer refuses another', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      await writer.appendTraces([makeTrace({ id: 'a' })]);
      const again = await runError(writer.appendTraces([makeTrace({ id: 'b' }), makeTrace({ id: 'a' })]));
      assert.equal(again.reason, 'duplicate');
      assert.match(again.message, /traces\.jsonl: "a" is recorded already/);
      assert.equal(
        (await runError(writer.appendTraces([makeTrace({ id: 'c' }), makeTrace({ id: 'c' })]))).reason,
        'duplicate',
      );
      const racing = await Promise.allSettled([
        writer.appendTraces([makeTrace({ id: 'd' })]),
        writer.appendTraces([makeTrace({ id: 'd' })]),
      ]);
      assert.deepEqual(racing.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      assert.deepEqual(
        (await writer.tracesOf(1)).map(({ id }) => id),
        ['a', 'd'],
      );
      await writer.close();
    }));

  it('of one id twice in a file is told by every reader, with both lines', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment });
      await writer.appendTraces([makeTrace({ id: 'a' }), makeTrace({ id: 'b' })]);
      await writer.close();
      await appendFile(join(writer.dir, 'traces.jsonl'), `${JSON.stringify(makeTrace({ id: 'a', epoch: 2 }))}\n`);
      const reader = await store.openReader(writer.id);
      for (const read of [
        () => reader.tracesOf(1),
        () => reader.trace('b'),
        () => reader.columns(),
        () => reader.tracesOf(2),
        () => store.openWriter(writer.id),
      ]) {
        const error = await runError(read());
        assert.equal(error.reason, 'format');
        assert.match(
          error.message,
          /traces\.jsonl:3: field "id": "a" is already in line 1: .*Remove one of the two lines/,
        );
      }
      assert.equal((await store.list())[0]?.state, 'interrupted');
      await reader.close();
    }));

  it('that are foreign or newer are told with line and field, by range reads as by scans', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const cases: [unknown, RegExp][] = [
        [{ ...makeTask({ id: 'b' }), status: 'maybe' }, /tasks\.jsonl:2: field "status": /],
        [{ ...makeTask({ id: 'b' }), v: 2 }, /tasks\.jsonl:2: field "v": format version 2, and this release reads/],
        [{ hello: 'world' }, /tasks\.jsonl:2: field "(?:v|prompt)": /],
      ];
      for (const [foreign, message] of cases) {
        const writer = await store.create({ experiment });
        await writer.appendTasks([makeTask({ id: 'a' })]);
        await writer.close();
        const path = join(writer.dir, 'tasks.jsonl');
        await appendFile(path, `${JSON.stringify(foreign)}\n${JSON.stringify(makeTask({ id: 'c' }))}\n`);
        const before = await readFile(path, 'utf8');
        const reader = await store.openReader(writer.id);
        for (const read of [() => reader.tasksOf(1), () => reader.task('a'), () => all(reader.tasks())]) {
          assert.match((await runError(read())).message, message);
        }
        assert.match((await runError(store.openWriter(writer.id))).message, message);
        assert.equal(await readFile(path, 'utf8'), before);
        await reader.close();
      }
      // Fields outside the index are still checked when they are read.
      const writer = await store.create({ experiment });
      await writer.appendTasks([makeTask({ id: 'a' })]);
      await writer.close();
      await appendFile(join(writer.dir, 'tasks.jsonl'), `${JSON.stringify({ ...makeTask({ id: 'b' }), gold: 7 })}\n`);
      const reader = await store.openReader(writer.id);
      assert.match(
        (await runError(reader.tasksOf(1))).message,
        /tasks\.jsonl:2: field "gold": expected string, received number/,
      );
      await reader.close();
    }));

  it('damaged in the middle by something else are told, not served', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment });
      const traces = Array.from({ length: 20 }, (_, i) => makeTrace({ id: `r${i}` }));
      await writer.appendTraces(traces);
      await writer.close();
      const path = join(writer.dir, 'traces.jsonl');
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace('"id":"r7"', '"id":"x7"'));
      const reader = await store.openReader(writer.id);
      // Same length, so the index fits by its numbers; the records' own check words tell.
      assert.deepEqual((await reader.tracesOf(1)).map(({ id }) => id)[7], 'x7');
      assert.equal(await reader.trace('r7'), undefined);
      assert.equal((await reader.trace('x7'))?.id, 'x7');
      await writeFile(path, text.replace('"id":"r7"', '\0'.repeat(9)));
      const again = await store.openReader(writer.id);
      assert.match((await runError(again.tracesOf(1))).message, /traces\.jsonl:8: this is not JSON/);
      await reader.close();
      await again.close();
    }));
});
