/** Files of a run's folder, and rows of other programs. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordVersion } from '../../../src/runs/index/recordKind.ts';
import { csvRecords } from '../../../src/runs/import/csv.ts';
import { rowsOf } from '../../../src/runs/import/rows.ts';
import { taskOfRow } from '../../../src/runs/import/taskOfRow.ts';
import { formatOf, rolloutsAt } from '../../../src/runs/import/rollouts/readRollouts.ts';
import { textLines } from '../../../src/runs/import/textLines.ts';
import { jsonItems } from '../../../src/launch/adapters/jsonItems.ts';
import { eventOf } from '../../../src/runs/journal/eventLine.ts';
import { parseJson, validate } from '../../../src/runs/files/parseLine.ts';
import { parquetBytes } from '../../../src/shared/parquet/parquetBytes.ts';
import { isObject } from '../../../src/shared/experiment/resolve.ts';
import { eventSchema } from '../../../src/shared/journal/events.ts';
import { completionRecordSchema } from '../../../src/shared/records/completionRecord.ts';
import { taskSchema } from '../../../src/shared/records/task.ts';
import { traceSchema } from '../../../src/shared/records/trace.ts';
import * as z from 'zod';
import { fromSources } from '../../support/fromSources.ts';
import { Broken, type Decoder } from '../decoder.ts';

const place = { path: 'x.jsonl', line: 1 };
const usual = { prompt: null, gold: null, evaluation: { kind: 'exact' } };

/** One of each kind, and no longer ones than need be. */
const journal = Object.values(
  Object.groupBy(
    readFileSync(new URL('../../unit/engine/golden/coevolve.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n'),
    (line) => /"type":"([^"]*)"/.exec(line)?.[1] ?? '',
  ),
).flatMap((lines = []) => lines.toSorted((a, b) => a.length - b.length).slice(0, 1));

async function* twice(text: string): AsyncGenerator<string> {
  const half = text.length >> 1;
  yield text.slice(0, half);
  await Promise.resolve();
  yield text.slice(half);
}

/** Read, written and read again it is the same. */
function same<T>(value: T, schema: z.ZodType<T>): T {
  const text = JSON.stringify(value);
  const again = JSON.stringify(schema.parse(JSON.parse(text)));
  if (again !== text) throw new Broken(`${text} came back as ${again}`);
  return value;
}

const rowSchema = z.object({ id: z.string(), n: z.int(), list: z.array(z.string()) });
async function* few(): AsyncGenerator<z.infer<typeof rowSchema>> {
  yield* [
    { id: 'a', n: 1, list: ['x'] },
    { id: 'b', n: 2, list: [] },
  ];
  await Promise.resolve();
}
const table = Buffer.concat(await Array.fromAsync(parquetBytes(rowSchema, few()))).toString('latin1');

const folder = await mkdtemp(join(tmpdir(), 'genenv-fuzz-'));
process.once('exit', () => void rm(folder, { recursive: true, force: true }));

export const records: Record<string, Decoder> = {
  journal: {
    seeds: journal,
    tokens: ['"type"', '"v":', '"rollouts.finished"', '"families"', '"agent.updated"', '"epoch"', '"seconds"'],
    decode: async (input) => same(await eventOf(Buffer.from(input), place), eventSchema),
  },
  trace: {
    seeds: [
      '{"v":1,"id":"e1/a/r0","purpose":"train","task":"a","family":"f","epoch":1,"version":"agent@1","messages":[{"role":"assistant","content":"a","tokens":[1]}],"sequences":[],"stopReason":"stop","verdict":{"success":true,"reward":1,"valid":true}}',
    ],
    tokens: ['"messages"', '"verdict"', '"logprobs"', '"tokens"', '"stopReason"', '"seed"'],
    decode: (input) => same(validate(parseJson(input, place), traceSchema, recordVersion, place), traceSchema),
  },
  task: {
    seeds: [
      '{"v":1,"id":"a","family":"f","epoch":1,"prompt":[{"role":"user","content":"q"}],"evaluation":{"kind":"exact"},"gold":"g","plan":"","seed":null,"origin":"base","status":"accepted","complexity":{}}',
    ],
    tokens: ['"origin"', '"status"', '"seed"', '"generation"', '"plan"', '"tools"'],
    decode: (input) => same(validate(parseJson(input, place), taskSchema, recordVersion, place), taskSchema),
  },
  completion: {
    seeds: [
      '{"v":1,"id":"e1.f0/1/plan#0","epoch":1,"kind":"plan","family":"e1.f0","attempt":1,"version":"environment@0","promptTokens":[1],"tokens":[2],"logprobs":[-1],"text":"a","stopReason":"stop"}',
    ],
    tokens: ['"kind"', '"counted"', '"promptTokens"', '"logprobs"', '"attempt"'],
    decode: (input) =>
      same(validate(parseJson(input, place), completionRecordSchema, recordVersion, place), completionRecordSchema),
  },
  lines: {
    seeds: ['a\nb\r\n\nc', '{"a": 1}\n[{"b": 2}, 3]'],
    async decode(input) {
      const lines = await Array.fromAsync(textLines(twice(input), 64));
      const held = lines.map(({ text, length }) => text ?? 'x'.repeat(length)).join('\n').length;
      if (held !== input.length) throw new Broken(`${input.length} characters became ${held}`);
      return Array.fromAsync(jsonItems(twice(input)));
    },
  },
  table: {
    seeds: ['a,b\n"1,2",3\r\n"x""y",', 'q\ta\n1\t2'],
    tokens: ['"', ',', '\n', '\r\n', '""', '\t'],
    decode: (input) => Array.fromAsync(csvRecords(twice(input), ',')),
  },
  row: {
    seeds: [
      '{"prompt":"q","answer":"a"}',
      '{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}',
      '{"input":"q","output":"a","score":1,"gts":"g"}',
      '{"prompt":[{"role":"user","content":"q"}],"completion":[{"role":"assistant","content":"a"}],"example_id":1,"reward":0.5}',
    ],
    tokens: [
      '"prompt"',
      '"reward_model"',
      '"ground_truth"',
      '"extra_info"',
      '"tool_calls"',
      '"completion"',
      '"reward"',
    ],
    async decode(input) {
      const row: unknown = parseJson(input, place);
      if (!isObject(row)) return null;
      const file = join(folder, 'row.jsonl');
      await writeFile(file, JSON.stringify(row));
      const found = formatOf(row) === null ? [] : await Array.fromAsync(rolloutsAt([file], null, fromSources));
      return [taskOfRow(row, usual), found];
    },
    share: 30,
  },
  parquet: {
    seeds: [table],
    tokens: ['PAR1', '\u0000\u0000', '\u00ff\u00ff\u00ff\u007f', '\u0015\u0000'],
    async decode(input) {
      const file = join(folder, 'x.parquet');
      await writeFile(file, Buffer.from(input, 'latin1'));
      return Array.fromAsync(rowsOf(file, fromSources));
    },
    share: 0.1,
  },
};
