import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { appendNote } from '../../../../src/runs/records/notesFile.ts';
import { RunError } from '../../../../src/runs/store/runError.ts';
import type { RunWriter } from '../../../../src/runs/store/runWriter.ts';
import { RecordFile } from '../../../../src/features/search/node/recordFile.ts';
import { searchRecords } from '../../../../src/features/search/node/searchRecords.ts';
import { searchRun } from '../../../../src/features/search/node/searchRun.ts';
import { filterBytes } from '../../../../src/features/search/node/textFilter.ts';
import { entryBytes } from '../../../../src/features/search/node/textIndex.ts';
import { textIndexOf } from '../../../../src/features/search/node/textIndexes.ts';
import { runPaths } from '../../../../src/runs/store/runPaths.ts';
import { checkOf, rowWords } from '../../../../src/runs/index/recordRow.ts';
import { traceKind } from '../../../../src/runs/index/recordKind.ts';
import { traceSchema } from '../../../../src/shared/records/trace.ts';
import { readTraceQuery } from '../../../../src/features/search/contract/traceQuery.ts';
import { makeTask, makeTrace } from '../../../support/runs/records.ts';
import {
  buildTextIndexes,
  searchContext,
  scanned,
  searched,
  someQuery,
  someTasks,
  someTraces,
} from '../../../support/runs/searchedRuns.ts';
import { experiment, withTempRuns, type TempRuns } from '../../../support/runs/tempRuns.ts';

const queries = fc.array(someQuery, { minLength: 3, maxLength: 6 });

/** A run of many records: more than one chunk of rows, several blocks of text. */
async function longRun(
  runs: TempRuns,
  count = 9000,
): Promise<{ writer: RunWriter; traces: ReturnType<typeof makeTrace>[] }> {
  const traces = Array.from({ length: count }, (_, i) =>
    makeTrace({
      id: `e${i >> 10}/t${i}/r0`,
      epoch: i >> 10,
      messages: [
        { role: 'assistant', content: `${i % 1000 === 7 ? 'Quicksand ' : ''}item ${i} ${'plain '.repeat(i % 60)}` },
      ],
    }),
  );
  const writer = await runs.store().create({ experiment });
  for (let i = 0; i < count; i += 500) await writer.appendTraces(traces.slice(i, i + 500));
  return { writer, traces };
}

async function finds(dir: string, text: string, expected: readonly string[]): Promise<void> {
  assert.deepEqual(await searched(dir, text), expected, text);
}

/** The same before there is a text index, with it, and after it and the run's index were lost. */
const states: readonly [string, (dir: string) => Promise<unknown>][] = [
  ['as written', () => Promise.resolve()],
  ['with a text index', buildTextIndexes],
  ['with a damaged index', (dir) => flip(join(dir, 'index', 'traces.bin'))],
  ['with a damaged text index', (dir) => emptyFilters(join(dir, 'index', 'traces.text.bin'))],
  ['without its index', (dir) => rm(join(dir, 'index'), { recursive: true })],
];

/** Filters that know no word; few records make no text index. */
async function emptyFilters(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const bytes = await readFile(path);
  for (let entry = 0; entry < bytes.length; entry += entryBytes) {
    bytes.fill(0, entry + entryBytes - filterBytes, entry + entryBytes);
  }
  await writeFile(path, bytes);
}

/** Turns bits round in the middle of a file. */
async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
}

describe('searching a run', () => {
  it('finds what looking at every record finds, whatever became of its indexes', async () => {
    await fc.assert(
      fc.asyncProperty(someTraces(40), someTasks, queries, async (traces, tasks, asked) => {
        await withTempRuns(async (runs) => {
          const writer = await runs.store().create({ experiment });
          await writer.appendTasks(tasks);
          await writer.appendTraces(traces);
          await writer.close();
          for (const [, change] of states) {
            await change(writer.dir);
            for (const query of asked) await finds(writer.dir, query, scanned(traces, tasks, query));
          }
        });
      }),
      { numRuns: 25 },
    );
  });

  it('finds words of the prompt that agents read, once a task, where its own text lacks them', async () => {
    await withTempRuns(async (runs) => {
      const user = (content: string) => [{ role: 'user' as const, content }];
      const writer = await runs.store().create({ experiment });
      const tasks = ['e0.f0.v0', 'e0.f1.v0', 'e0.f2.v0'];
      await writer.appendTasks(
        tasks.map((id, i) => makeTask({ id, family: id.slice(0, 5), prompt: user(`kettle ${i}`) })),
      );
      const asked = user('Answer in a box: kettle');
      const traces = [0, 1].flatMap((task) =>
        [0, 1].map((n) =>
          makeTrace({ id: `e0/t${task}/r${n}`, epoch: 0, task: tasks[task] ?? '', messages: [], asked }),
        ),
      );
      const plain = makeTrace({
        id: 'e0/t2/r0',
        epoch: 0,
        task: 'e0.f2.v0',
        messages: [{ role: 'assistant', content: 'box' }],
      });
      await writer.appendTraces([...traces, plain]);
      await writer.close();
      for (const [, change] of states) {
        await change(writer.dir);
        await finds(writer.dir, 'box', ['e0/t2/r0', 'task e0.f1.v0', 'task e0.f0.v0']);
        await finds(writer.dir, 'box task:e0.f0.v0', ['task e0.f0.v0']);
        await finds(writer.dir, 'box -kettle', ['e0/t2/r0']);
        await finds(writer.dir, 'box verdict:solved', ['e0/t2/r0']);
        await finds(
          writer.dir,
          'kettle',
          tasks.toReversed().map((id) => `task ${id}`),
        );
        assert.deepEqual(await searched(writer.dir, 'box', 1), ['e0/t2/r0', 'task e0.f1.v0']);
      }
    });
  });

  it('looks through long runs alike, block by block', async () => {
    await withTempRuns(async (runs) => {
      const { writer, traces } = await longRun(runs);
      await writer.close();
      const asked: readonly [string, (content: string, epoch: number) => boolean][] = [
        ['quicksand', (content) => content.startsWith('Quick')],
        ['quicksand epoch:2..4', (content, epoch) => content.startsWith('Quick') && epoch >= 2 && epoch <= 4],
        ['"item 8123"', (content) => content.includes('item 8123')],
        ['"item 77 "', (content) => content.includes('item 77 ')],
        ['nowhere', () => false],
      ];
      for (const [state, change] of states) {
        await change(writer.dir);
        for (const [query, fits] of asked) {
          const found = traces.filter(({ messages, epoch }) => fits(messages[0]?.content ?? '', epoch));
          const expected = found.map(({ id }) => id).toReversed();
          assert.deepEqual(await searched(writer.dir, query), expected, `${state}: ${query}`);
        }
      }
    });
  });

  it('reads little of a run whose text index knows better', async () => {
    await withTempRuns(async (runs) => {
      const { writer } = await longRun(runs);
      await writer.close();
      const { traces, lease } = runPaths(writer.dir);
      const records = await RecordFile.open(traceKind, traces, lease, searchContext);
      let read = 0;
      const counted = {
        count: records.count,
        paths: traces,
        rows: (from: number, to: number) => records.rows(from, to),
        bytes: (start: number, end: number) => {
          read += end - start;
          return records.bytes(start, end);
        },
      };
      const bytesFor = async (words: string[]): Promise<number> => {
        read = 0;
        const wanted = { rowFits: () => true, words, schema: traceSchema, hit: () => null };
        const searching = { signal: new AbortController().signal, onProgress: () => undefined };
        for await (const hits of searchRecords(counted, textIndexOf(traces.index), wanted, searching)) assert.ok(hits);
        return read;
      };
      const all = await bytesFor(['walrus']);
      assert.equal(all, (await readFile(traces.records)).length);
      await buildTextIndexes(writer.dir);
      // Rows beyond the last full block are always read.
      assert.ok((await bytesFor(['walrus'])) < all / 5, `${read} of ${all}`);
      assert.ok((await bytesFor(['"item 8123'])) < all / 3, `${read} of ${all}`);
      assert.equal(await bytesFor(['ß', 'pl']), all);
      await records.close();
    });
  });

  it('sees what a live writer appended since, and leaves out the line that a crash tore', async () => {
    await withTempRuns(async (runs) => {
      const { writer, traces } = await longRun(runs, 3000);
      await buildTextIndexes(writer.dir);
      const late = makeTrace({ id: 'e9/late/r0', epoch: 9, messages: [{ role: 'assistant', content: 'quicksand' }] });
      await writer.appendTraces([late]);
      await finds(writer.dir, 'quicksand', scanned([...traces, late], [], 'quicksand'));
      await buildTextIndexes(writer.dir);
      await finds(writer.dir, 'quicksand', scanned([...traces, late], [], 'quicksand'));
      await writer.close();
      await appendFile(join(writer.dir, 'traces.jsonl'), '{"v":1,"id":"e9/torn/r0","messages":[{"content":"quicksand');
      await finds(writer.dir, 'quicksand', scanned([...traces, late], [], 'quicksand'));
    });
  });

  it('does not trust a text index that was made of other records', async () => {
    await withTempRuns(async (runs) => {
      const { writer, traces } = await longRun(runs, 3000);
      await writer.close();
      await buildTextIndexes(writer.dir);
      const path = join(writer.dir, 'traces.jsonl');
      const other = traces.map((trace, i) =>
        i === 5 || i === traces.length - 1
          ? {
              ...trace,
              messages: trace.messages.map((said) => ({
                ...said,
                content: (i === 5 ? 'A walrus' : 'A crab').padEnd(said.content.length, '.'),
              })),
            }
          : trace,
      );
      await writeFile(path, other.map((trace) => `${JSON.stringify(trace)}\n`).join(''));
      // Not by its name or its length: the records of the index are others.
      await finds(writer.dir, 'walrus', ['e0/t5/r0']);
      await buildTextIndexes(writer.dir);
      await finds(writer.dir, 'walrus', ['e0/t5/r0']);
    });
  });

  it('reads records whose JSON has spaces, as other programs write it', async () => {
    await withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      await writer.close();
      const trace = makeTrace({ messages: [{ role: 'assistant', content: 'a spaced walrus' }] });
      const spaced = JSON.stringify(trace, null, 1).replaceAll(/\n\s*/g, ' ');
      await writeFile(join(writer.dir, 'traces.jsonl'), `${spaced}\n`);
      await finds(writer.dir, 'walrus', [trace.id]);
      await finds(writer.dir, 'spaced walrus valid:yes', [trace.id]);
    });
  });

  it('stops at its limit and when it is told to', async () => {
    await withTempRuns(async (runs) => {
      const { writer, traces } = await longRun(runs, 3000);
      await writer.close();
      const expected = scanned(traces, [], 'plain');
      assert.deepEqual(await searched(writer.dir, 'plain', 7), expected.slice(0, 7));
      const read = readTraceQuery('plain');
      assert.ok('query' in read);
      const stop = new AbortController();
      let hits = 0;
      const search = searchRun(writer.dir, read.query, searchContext, { signal: stop.signal, limit: Infinity });
      for await (const some of search) {
        hits += some.length;
        stop.abort();
      }
      assert.ok(hits > 0 && hits < expected.length, String(hits));
    });
  });

  it('finds no attempt by a length that nothing counted, by an index of an older version neither', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const spans: [number, number][] = [[4, 7]];
      await writer.appendTraces([
        makeTrace({ id: 'e1/counted/r0', epoch: 1, sequences: [{ tokens: [], spans, logprobs: [] }] }),
        makeTrace({ id: 'e1/unknown/r0', epoch: 1, sequences: [] }),
      ]);
      await writer.close();
      const told = async (): Promise<void> => {
        await finds(writer.dir, 'len<100', ['e1/counted/r0']);
        await finds(writer.dir, 'len>=0', ['e1/counted/r0']);
        await finds(writer.dir, '-len<100', ['e1/unknown/r0']);
      };
      await told();
      const path = join(writer.dir, 'index', 'traces.bin');
      const index = await readFile(path);
      const words = new Uint32Array(index.buffer.slice(index.byteOffset, index.byteOffset + index.byteLength));
      // Of version 1, which had 0 for both.
      words[1] = 1;
      words[2 * rowWords + 7] = 0;
      for (const row of [0, 2]) words[(row + 1) * rowWords - 1] = checkOf(words, row * rowWords);
      await writeFile(path, words);
      await told();
      const reader = await runs.store().openReader(writer.id);
      assert.equal((await reader.columns()).count, 2);
      await reader.close();
    }));

  it('finds traces by what people noted about them', async () => {
    await withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      await writer.appendTraces([makeTrace({ id: 'e1/a/r0' }), makeTrace({ id: 'e1/b/r0' })]);
      await writer.close();
      const written = { v: 1, at: 0, author: 'me', type: 'written', id: 'n', thread: 'n', turn: 0 } as const;
      await appendNote(join(writer.dir, 'notes.jsonl'), { ...written, trace: 'e1/a/r0', text: 'A wrong Gold' });
      await finds(writer.dir, 'note:yes', ['e1/a/r0']);
      await finds(writer.dir, 'note:"wrong gold"', ['e1/a/r0']);
      await finds(writer.dir, 'note:no', ['e1/b/r0']);
      await finds(writer.dir, 'note:walrus', []);
    });
  });

  it('says that a file was changed under it', async () => {
    await withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      await writer.appendTraces([makeTrace({ id: 'e1/a/r0' }), makeTrace({ id: 'e1/b/r0' })]);
      await writer.close();
      const path = join(writer.dir, 'traces.jsonl');
      await writeFile(path, (await readFile(path, 'utf8')).replace('apple', 'grape'));
      await assert.rejects(
        searched(writer.dir, 'increase'),
        (error) => RunError.is(error, 'format') && /changed/.test(error.message),
      );
    });
  });

  it('gives the place of each match: turn, part of it, and a line around it', async () => {
    await withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const content = `${'before '.repeat(30)}\n  a Walrus\tswims ${'after '.repeat(60)}`;
      await writer.appendTasks([makeTask({ prompt: [{ role: 'user', content: 'is there a walrus?' }] })]);
      await writer.appendTraces([
        makeTrace({
          messages: [
            { role: 'tool', content: 'none', name: 'zoo' },
            { role: 'assistant', content, reasoning: 'WALRUS' },
          ],
        }),
      ]);
      await writer.close();
      const read = readTraceQuery('walrus');
      assert.ok('query' in read);
      const { signal } = new AbortController();
      const search = searchRun(writer.dir, read.query, searchContext, { signal, limit: 9 });
      const hits = [];
      for (let next = await search.next(); ; next = await search.next()) {
        if (next.done === true) {
          assert.deepEqual(next.value, { traces: 1, tasks: 1, limited: false });
          break;
        }
        hits.push(...next.value);
      }
      const places = hits.flatMap(({ matches }) =>
        matches.map(({ turn, of, start, end, snippet }) => [
          turn,
          of,
          start,
          end,
          snippet.text.slice(snippet.start, snippet.end),
        ]),
      );
      const at = content.indexOf('Walrus');
      assert.deepEqual(places, [
        [1, 'reasoning', 0, 6, 'WALRUS'],
        [1, 'content', at, at + 6, 'Walrus'],
        [0, 'content', 11, 17, 'walrus'],
      ]);
      const line = hits[0]?.matches[1]?.snippet.text ?? '';
      assert.match(line, /^…\S.* a Walrus swims after .*…$/);
      assert.ok(line.length < 160);
    });
  });
});
