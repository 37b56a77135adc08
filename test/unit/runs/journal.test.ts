import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import { journalOf } from '../../support/journal.ts';
import { FaultyDisk } from '../../support/runs/faultyFiles.ts';
import { makeTrace } from '../../support/runs/records.ts';
import { runError } from '../../support/runs/runError.ts';
import { all, experiment, withTempRuns, type TempRuns } from '../../support/runs/tempRuns.ts';

const events = journalOf([
  { successes: 10, attempts: 20, validation: '0110' },
  { successes: 12, attempts: 20, environment: 'skipped' },
]);

/** A closed run with these events, or with this text as its journal. */
async function runWith(
  runs: TempRuns,
  journal: readonly JournalEvent[] | string,
): Promise<{ id: string; path: string }> {
  const writer = await runs.store().create({ experiment });
  const path = join(writer.dir, 'journal.jsonl');
  if (typeof journal !== 'string') for (const event of journal) await writer.append(event);
  await writer.close();
  if (typeof journal === 'string') await writeFile(path, journal);
  return { id: writer.id, path };
}

const read = async (runs: TempRuns, id: string) => all((await runs.store().openReader(id)).events());

const text = (some: readonly unknown[]): string => some.map((event) => `${JSON.stringify(event)}\n`).join('');

describe('runs: journal', () => {
  it('gives back what was appended, and is exactly its JSON lines', () =>
    withTempRuns(async (runs) => {
      const { id, path } = await runWith(runs, events);
      assert.equal(await readFile(path, 'utf8'), text(events));
      assert.deepEqual(await all((await runs.store().openReader(id)).events()), events);
    }));

  it('keeps the order of appends that were not waited for', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      await Promise.all(events.map((event) => writer.append(event)));
      assert.deepEqual(await all(writer.events()), events);
      await writer.close();
    }));

  it('shows a live journal to readers, whole lines only', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment });
      const reader = await store.openReader(writer.id);
      for (const [i, event] of events.entries()) {
        await writer.append(event);
        assert.equal((await all(reader.events())).length, i + 1);
      }
      await appendFile(join(writer.dir, 'journal.jsonl'), '{"v":1,"seq":');
      assert.equal((await all(reader.events())).length, events.length);
      await writer.close();
    }));

  it('groups appends into one write and one sync, after what they may refer to is synced', () =>
    withTempRuns(async (runs) => {
      const disk = new FaultyDisk();
      const writer = await runs.store({ files: disk.files }).create({ experiment });
      disk.calls.length = 0;
      await writer.appendTraces([makeTrace()]);
      await Promise.all(events.map((event) => writer.append(event)));
      assert.deepEqual(
        disk.calls.filter((call) => !call.includes('.bin')),
        ['write traces.jsonl', 'sync traces.jsonl', 'write journal.jsonl', 'sync journal.jsonl'],
      );
      await writer.close();
    }));

  it('does not journal an event when a record it may refer to cannot be synced', () =>
    withTempRuns(async (runs) => {
      const disk = new FaultyDisk();
      const writer = await runs.store({ files: disk.files }).create({ experiment });
      await writer.appendTraces([makeTrace()]);
      disk.unsyncable.add('traces.jsonl');
      const error = await runError(writer.append(events[0]!));
      assert.equal(error.reason, 'unwritable');
      assert.match(error.message, /traces\.jsonl: cannot write, the device reported an input\/output error \(EIO\)/);
      assert.deepEqual(await all(writer.events()), []);
      await writer.close();
    }));

  it('cut at any byte, is the events whose lines are whole; a writer says what it cut', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const { id, path } = await runWith(runs, events);
      const bytes = await readFile(path);
      const ends = events.map((_, i) => Buffer.byteLength(text(events.slice(0, i + 1))));
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: bytes.byteLength }), async (length) => {
          await writeFile(path, bytes.subarray(0, length));
          const whole = ends.filter((end) => end <= length).length;
          const reader = await store.openReader(id);
          assert.deepEqual(await all(reader.events()), events.slice(0, whole));
          const torn = length - (ends[whole - 1] ?? 0);
          const writer = await store.openWriter(id);
          assert.equal((await readFile(path)).byteLength, length - torn);
          const sessions = await writer.sessions();
          if (torn > 0) {
            assert.deepEqual(
              writer.recovered.map(({ path: cut, bytes: size }) => [cut, size]),
              [[path, torn]],
            );
            const { type, ...last } = sessions.at(-1)!;
            assert.equal(type, 'recovered');
            assert.deepEqual('cut' in last && { file: last.file, bytes: last.bytes, cut: last.cut }, {
              file: 'journal.jsonl',
              bytes: torn,
              cut: bytes
                .subarray(length - torn, length)
                .toString()
                .slice(0, 200),
            });
          } else assert.deepEqual(writer.recovered, []);
          for (const event of events.slice(whole)) await writer.append(event);
          await writer.close();
          assert.deepEqual(await readFile(path), bytes);
        }),
        { numRuns: 25 },
      );
    }));

  it('takes a last line that is no JSON, newline and all, for a torn one', () =>
    withTempRuns(async (runs) => {
      const { id, path } = await runWith(runs, `${text(events.slice(0, 2))}${'\0'.repeat(600)}\n`);
      const reader = await runs.store().openReader(id);
      assert.equal((await all(reader.events())).length, 2);
      assert.equal((await reader.head()).state, 'interrupted');
      const writer = await runs.store().openWriter(id);
      assert.equal(writer.recovered[0]?.bytes, 601);
      assert.match(runs.told.join('\n'), /journal\.jsonl: cut 601 bytes that a crashed writer left unfinished/);
      await writer.close();
      assert.equal(await readFile(path, 'utf8'), text(events.slice(0, 2)));
    }));

  describe('says file, line, field and remedy of', () => {
    const [first, second] = events;
    const broken: [string, string, RegExp][] = [
      [
        'a line that is no JSON',
        `${text([first])}hello\n${text([second])}`,
        /journal\.jsonl:2: this is not JSON .*Restore the file/,
      ],
      ['an empty line', `${text([first])}\n${text([second])}`, /journal\.jsonl:2: this is empty, not JSON\. Restore/],
      [
        'a foreign object',
        text([first, { type: 'meteor', v: 1, seq: 1, at: 0 }]),
        /journal\.jsonl:2: field "type": .*Restore/,
      ],
      ['an array', text([first, []]), /journal\.jsonl:2: expected object, received array\. Restore/],
      [
        'a field of another type',
        text([{ ...first, epochs: 'ten' }]),
        /journal\.jsonl:1: field "epochs": expected number, received string\. Restore/,
      ],
      ['an unknown field', text([{ ...first, extra: 1 }]), /journal\.jsonl:1: unknown field extra\. Restore/],
      [
        'a newer version',
        text([first, { ...second, v: 9 }]),
        /journal\.jsonl:2: field "v": format version 9, and this release reads version 1\. A newer GenEnv wrote it/,
      ],
      [
        'a gap',
        text([first, { ...second, seq: 5 }]),
        /journal\.jsonl:2: field "seq": event 5 where 1 should follow: a line is missing or was written twice/,
      ],
      [
        'a foreign file of one line',
        'Dear diary',
        /journal\.jsonl: it ends in something that is not a line of a run: "Dear diary"\. Restore/,
      ],
      [
        'a foreign end',
        `${text([first])}{"version": 3}`,
        /journal\.jsonl: it ends in something that is not a line of a run: "\{\\"version\\": 3\}"\. Restore/,
      ],
      ['a repeated line', text([first, first]), /journal\.jsonl:2: field "seq": event 0 where 1 should follow/],
    ];
    for (const [name, journal, message] of broken) {
      it(name, () =>
        withTempRuns(async (runs) => {
          const { id, path } = await runWith(runs, journal);
          const error = await runError(read(runs, id));
          assert.match(error.message, message);
          assert.equal(error.reason, name === 'a newer version' ? 'version' : 'format');
          assert.equal(error.path, path);
          // A writer meets the same line, lets go of the run, and leaves the file as it was.
          assert.match((await runError(runs.store().openWriter(id))).message, message);
          assert.equal(await readFile(path, 'utf8'), journal);
          assert.deepEqual(
            await runs
              .store()
              .list()
              .then((heads) => heads.filter(({ state }) => state === 'running')),
            [],
          );
        }),
      );
    }
  });

  it('refuses what JSON would spoil: a number that is none', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const spoiled = journalOf([{ successes: 1, attempts: 2 }]).map((event) =>
        event.type === 'agent.updated' ? { ...event, gradNorm: Number.NaN } : event,
      );
      const at = spoiled.findIndex(({ type }) => type === 'agent.updated');
      for (const event of spoiled.slice(0, at)) await writer.append(event);
      const error = await runError(writer.append(spoiled[at]!));
      assert.match(error.message, /journal\.jsonl: field "gradNorm": expected number, received NaN/);
      const trace = makeTrace({ sequences: [{ tokens: [1], spans: [[0, 1]], logprobs: [Number.NEGATIVE_INFINITY] }] });
      assert.match((await runError(writer.appendTraces([trace]))).message, /field "sequences\.0\.logprobs\.0"/);
      await writer.append({ ...events.find(({ type }) => type === 'agent.updated')!, seq: at });
      assert.equal((await all(writer.events())).length, at + 1);
      await writer.close();
    }));

  it('stamps session events with time, host and process', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      await writer.session({ type: 'started' });
      runs.now += 5;
      await writer.session({ type: 'paused', reason: 'The disk is full.' });
      const { hostname } = await import('node:os');
      const stamp = { v: 1 as const, host: hostname(), pid: process.pid };
      assert.deepEqual(await writer.sessions(), [
        { ...stamp, at: runs.now - 5, type: 'started' },
        { ...stamp, at: runs.now, type: 'paused', reason: 'The disk is full.' },
      ]);
      await writer.close();
    }));

  it('refuses appends after it was closed', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      await writer.close();
      await writer.close();
      assert.equal((await runError(writer.append(events[0]!))).reason, 'closed');
      assert.equal((await runError(writer.appendTraces([makeTrace()]))).reason, 'closed');
    }));
});
