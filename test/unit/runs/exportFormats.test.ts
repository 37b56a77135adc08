import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import * as z from 'zod';
import { groupAdvantages } from '../../../src/engine/math/advantage.ts';
import { Rng } from '../../../src/engine/random.ts';
import { baseLineSchema, traceLineSchema } from '../../../src/runs/export/agentPool.ts';
import { exportPool, manifestFileOf, streamPool, type PoolExport } from '../../../src/runs/export/exportPool.ts';
import { formatNames, formatOf, rowKinds, weightings, type ExportChoice } from '../../../src/runs/export/formats.ts';
import { columnTable, previewMarkdown, previewPool } from '../../../src/runs/export/preview.ts';
import { attemptSchema, resampled, weightedWritingSchema } from '../../../src/runs/export/rows/conversationRows.ts';
import { attemptDatumSchema, writingDatumSchema } from '../../../src/runs/export/rows/datumRows.ts';
import { trlPromptSchema, verlPromptSchema } from '../../../src/runs/export/rows/promptRows.ts';
import type { RunReader } from '../../../src/runs/store/runReader.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { TaskEdit } from '../../../src/shared/records/taskEdit.ts';
import { attemptsAt, makeTask, makeTrace } from '../../support/runs/records.ts';
import { grown } from '../../support/runs/grown.ts';
import { finishedRun } from '../../support/runs/scriptedStore.ts';
import { all, experiment, withTempRuns } from '../../support/runs/tempRuns.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

const base = new LadderDomain().seeds('base');
const agent = (format: (typeof formatNames)[number], rows: (typeof rowKinds)[number] = 'tasks'): ExportChoice => ({
  ...{ pool: 'agent', format, rows },
});
const environment = (
  format: (typeof formatNames)[number],
  weights: (typeof weightings)[number] = 'resample',
): ExportChoice => ({ pool: 'environment', format, weights });
const everyChoice = formatNames.flatMap((format) => [
  ...rowKinds.map((rows) => agent(format, rows)),
  ...weightings.map((weights) => environment(format, weights)),
]);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A finished run of the real loop whose filter keeps families of different weight. */
async function withRun(test: (reader: RunReader, folder: string) => Promise<void>): Promise<void> {
  await withTempRuns(async (runs) => {
    const store = runs.store();
    const settings = smallExperiment({ curriculum: { lambda: 3, kMin: 0.35 }, rollouts: { baseShare: 0.25 } });
    const { id } = await finishedRun(store, settings);
    const reader = await store.openReader(id);
    try {
      await test(reader, runs.root);
    } finally {
      await reader.close();
    }
  });
}

const options = (source: PoolExport['source'], choice: ExportChoice, given: readonly Task[] = base): PoolExport => ({
  ...{ source, choice, given },
});

async function rowsOf(exported: PoolExport) {
  const rows: unknown[] = [];
  const { leftOut } = await streamPool(exported, async (values) => {
    for await (const row of values) rows.push(row);
  });
  return { rows, left: Object.fromEntries(leftOut.map(({ reason, count }) => [reason, count])) };
}

describe('runs: forms of a pool', () => {
  it('hold only rows of their form, and count every one', () =>
    withRun(async (reader, folder) => {
      for (const choice of everyChoice) {
        const file = join(folder, 'rows.jsonl');
        const manifest = await exportPool(file, options(reader, choice));
        const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
        const name = JSON.stringify(choice);
        assert.equal(lines.length, manifest.rows, name);
        assert.ok(manifest.rows > 3, name);
        const forms = z.union(formatOf(choice).rows);
        for (const line of lines) {
          const read: unknown = JSON.parse(line);
          assert.deepEqual(forms.parse(read), read, name);
        }
        assert.deepEqual(JSON.parse(await readFile(manifestFileOf(file), 'utf8')), manifest);
        const { rows, leftOut } = await previewPool(options(reader, choice));
        assert.deepEqual({ rows, leftOut }, { rows: manifest.rows, leftOut: manifest.leftOut });
      }
    }));

  it('are the same in parquet and in JSON lines', () =>
    withRun(async (reader, folder) => {
      for (const choice of everyChoice.filter((one) => formatOf(one).parquet)) {
        const file = join(folder, 'rows.parquet');
        const { rows, bytes } = await exportPool(file, options(reader, choice));
        const read = await readFile(file);
        assert.equal(read.byteLength, bytes);
        const found = await parquetReadObjects({ file: new Uint8Array(read).buffer });
        const plain: unknown = JSON.parse(
          JSON.stringify(found, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
        );
        assert.deepEqual(plain, (await rowsOf(options(reader, choice))).rows);
        assert.equal(found.length, rows);
      }
    }));

  it('for RL have each task of the pool once, with what judges an answer', () =>
    withRun(async (reader) => {
      const rows = z.array(verlPromptSchema).parse((await rowsOf(options(reader, agent('verl')))).rows);
      const ids = rows.map(({ extra_info: { task_id } }) => task_id);
      assert.equal(new Set(ids).size, ids.length);
      const traces = await all(reader.traces());
      const valid = traces.filter(({ purpose, verdict }) => purpose === 'train' && verdict.valid);
      assert.deepEqual(new Set(ids), new Set([...base.map(({ id }) => id), ...valid.map(({ task }) => task)]));
      const trl = z.array(trlPromptSchema).parse((await rowsOf(options(reader, agent('messages')))).rows);
      for (const [index, row] of rows.entries()) {
        const id = row.extra_info.task_id;
        const task = base.find((one) => one.id === id) ?? (await reader.task(id));
        assert.ok(task !== undefined);
        const { evaluation, gold, prompt } = task;
        assert.deepEqual(JSON.parse(row.reward_model.ground_truth), { task: id, evaluation, gold });
        assert.equal(row.data_source, `genenv/${evaluation.kind}`);
        assert.equal(row.extra_info.index, index);
        assert.deepEqual(row.prompt, prompt);
        const other = trl[index];
        assert.ok(other !== undefined);
        assert.deepEqual(other.prompt, prompt);
        assert.equal(other.ground_truth, gold);
        assert.deepEqual(JSON.parse(other.evaluation), evaluation);
      }
    }));

  it('for supervised training of the agent are the attempts that solved their task', () =>
    withRun(async (reader) => {
      const { rows, left } = await rowsOf(options(reader, agent('messages', 'attempts')));
      const attempts = z.array(attemptSchema).parse(rows);
      const pooled = (await all(reader.traces())).filter(
        ({ purpose, verdict }) => purpose === 'train' && verdict.valid,
      );
      const solved = pooled.filter(({ verdict }) => verdict.success);
      assert.deepEqual(
        attempts.map(({ id }) => id),
        solved.map(({ id }) => id),
      );
      assert.equal(left['unsolved'], pooled.length - solved.length);
      assert.equal(left['base'], base.length);
      for (const { messages } of attempts) {
        assert.equal(messages.at(-1)?.role, 'assistant');
        assert.deepEqual(Object.keys(messages[0] ?? {}), ['role', 'content']);
      }
    }));

  it('for supervised training of the environment weigh its texts as its own update did', () =>
    withRun(async (reader) => {
      const { rows } = await rowsOf(options(reader, environment('messages', 'column')));
      const writings = z.array(weightedWritingSchema).parse(rows);
      for (const epoch of new Set(writings.map((row) => row.epoch))) {
        const own = writings.filter((row) => row.epoch === epoch);
        assert.ok(Math.abs(sum(own.map(({ weight }) => weight)) - own.length) < 1e-9);
      }
      for await (const event of reader.events()) {
        if (event.type !== 'families.scored') continue;
        const own = writings.filter((row) => row.epoch === event.epoch);
        const scored = new Map(event.families.flatMap(({ tasks }) => tasks.map(({ id, weight }) => [id, weight])));
        for (const { task_id: id, weight } of own) {
          assert.ok(Math.abs(weight / own.length - (scored.get(id) ?? 0)) < 1e-12);
        }
      }
      const [first] = writings;
      const task = await reader.task(first?.task_id ?? '');
      assert.deepEqual(first?.messages.at(-1), { role: 'assistant', content: task?.generation?.text });
    }));

  it('as datums are what the agent’s own update trained on', () =>
    withRun(async (reader) => {
      const { rows } = await rowsOf(options(reader, agent('tinker')));
      const traces = await all(reader.traces());
      const norm = reader.manifest.experiment.agent.advantageNorm;
      for (const { trace: id, datum } of z.array(attemptDatumSchema).parse(rows)) {
        const trace = traces.find((one) => one.id === id);
        assert.ok(trace !== undefined);
        const group = traces.filter(
          ({ purpose, epoch, task }) => purpose === 'train' && epoch === trace.epoch && task === trace.task,
        );
        const rewards = group.map(({ verdict }) => verdict.reward);
        const advantage = groupAdvantages(rewards, norm)[group.indexOf(trace)] ?? outOfRange();
        assert.notEqual(advantage, 0);
        const [sequence] = trace.sequences;
        const [start, end] = sequence?.spans[0] ?? [0, 0];
        assert.deepEqual(datum.model_input.chunks, [{ type: 'encoded_text', tokens: sequence?.tokens.slice(0, -1) }]);
        const { target_tokens: targets, logprobs, advantages } = datum.loss_fn_inputs;
        assert.deepEqual(targets?.data, sequence?.tokens.slice(1));
        assert.deepEqual(logprobs?.data.slice(start - 1, end - 1), sequence?.logprobs);
        assert.deepEqual(
          advantages?.data,
          targets?.data.map((_, i) => (i >= start - 1 && i < end - 1 ? advantage : 0)),
        );
        assert.deepEqual(targets?.shape, advantages?.shape);
      }
    }));

  it('as datums of the environment carry its weights on what it wrote alone', () =>
    withRun(async (reader) => {
      const { rows } = await rowsOf(options(reader, environment('tinker')));
      const weighted = z
        .array(weightedWritingSchema)
        .parse((await rowsOf(options(reader, environment('messages', 'column')))).rows);
      const datums = z.array(writingDatumSchema).parse(rows);
      assert.equal(datums.length, weighted.length);
      const whole = reader.manifest.experiment.environment.tokenWeights === 'instance';
      for (const [i, { datum, task }] of datums.entries()) {
        const { weights, target_tokens: targets } = datum.loss_fn_inputs;
        const sampled = weights?.data.filter((weight) => weight !== 0) ?? [];
        const total = whole ? sum(sampled) : (sampled[0] ?? outOfRange());
        assert.ok(Math.abs(total - (weighted[i]?.weight ?? 0)) < 1e-9, `${total}`);
        const generation = (await reader.task(task))?.generation;
        assert.equal(sampled.length, generation?.logprobs.length);
        assert.deepEqual(targets?.data, generation?.tokens.slice(1));
      }
    }));
});

describe('runs: what a form leaves out', () => {
  it('is counted by cause, with examples, and written beside the file', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const verdict = { success: false, reward: 0.25, valid: true };
      const other = makeTask({ id: 'e1.f0.v1' });
      await writer.appendTasks([makeTask(), other]);
      const silent = { sequences: [], messages: [{ role: 'assistant' as const, content: 'x' }] };
      const [first, second] = attemptsAt(makeTask(), [true, false]);
      assert.ok(first !== undefined && second !== undefined);
      await writer.appendTraces([
        first,
        second,
        makeTrace({ id: 'silent', ...silent, verdict }),
        makeTrace({ id: 'half', sequences: [{ tokens: [1, 2], spans: [[1, 2]], logprobs: [] }], verdict }),
        makeTrace({ id: 'invalid', verdict: { ...verdict, valid: false, reward: 0 } }),
        makeTrace({ id: 'unjudged', verdict: { ...verdict, error: 'The checker fell over.' } }),
        makeTrace({ id: 'held', purpose: 'validation' }),
        makeTrace({ id: 'ranked', purpose: 'rank' }),
        makeTrace({ id: 'lonely', epoch: 2, verdict }),
        ...attemptsAt(other, [true, true]),
      ]);
      await writer.append({
        ...{ v: 1, seq: 0, at: 0, type: 'rollouts.finished', epoch: 1, tasks: 2, rollouts: 7, tokens: 1, seconds: 1 },
        ...{
          answerLength: null,
          truncated: 0,
          invalid: 1,
          checkerErrors: 1,
          unanswered: { count: 5, causes: [{ cause: 'HTTP 500', count: 5 }] },
        },
      });
      for (const epoch of [1, 2]) await writer.append(grown(epoch, epoch));
      const { rows, left } = await rowsOf(options(writer, agent('tinker')));
      assert.deepEqual(
        z
          .array(attemptDatumSchema)
          .parse(rows)
          .map(({ trace }) => trace),
        [first.id, second.id],
      );
      assert.deepEqual(left, {
        ...{ unanswered: 5, constant: 2, base: base.length, 'no-tokens': 1, 'no-logprobs': 1, invalid: 1, unjudged: 1 },
        ...{ validation: 1, rank: 1, alone: 1 },
      });
      const part = { epochs: [2, 2] as const };
      assert.deepEqual((await rowsOf({ ...options(writer, agent('tinker')), part })).left, {
        ...{ base: base.length, alone: 1 },
      });
      const file = join(runs.root, 'solved.parquet');
      const manifest = await exportPool(file, options(writer, agent('messages', 'attempts'), []));
      assert.equal(manifest.rows, 3);
      const unsolved = manifest.leftOut.find(({ reason }) => reason === 'unsolved');
      assert.deepEqual([unsolved?.count, unsolved?.examples], [4, [second.id, 'silent', 'half']]);
      assert.match(unsolved?.why ?? '', /did not solve its task/);
      await writer.close();
    }));

  it('is what people excluded and, of the environment, what they edited', () =>
    withRun(async (reader) => {
      const scored = z
        .array(weightedWritingSchema)
        .parse((await rowsOf(options(reader, environment('messages', 'column')))).rows);
      const edited = scored[0]?.task_id ?? '';
      const excluded = scored.find(({ task_id: id }) => id !== edited)?.task_id ?? '';
      const { prompt: from } = (await reader.task(edited)) ?? { prompt: [] };
      const to = [{ role: 'user' as const, content: 'Mended.' }];
      const edits: TaskEdit[] = [
        { action: 'exclude', task: 'base.1', reason: 'ambiguous' },
        { action: 'exclude', task: excluded, reason: 'wrong gold' },
        { action: 'edit', task: edited, changes: [{ field: 'prompt', from, to }] },
      ];
      const source: PoolExport['source'] = {
        ...{ dir: reader.dir, manifest: reader.manifest, task: (id: string) => reader.task(id) },
        traces: () => reader.traces(),
        async *events() {
          yield* reader.events();
          yield { v: 1, seq: 9999, at: 0, type: 'tasks.edited', epoch: 9, author: 'someone', edits };
        },
      };
      const { rows, left } = await rowsOf(options(source, environment('messages', 'column')));
      const kept = z.array(weightedWritingSchema).parse(rows);
      const gone = [edited, excluded];
      assert.deepEqual(
        kept.map(({ task_id: id }) => id),
        scored.map(({ task_id: id }) => id).filter((id) => !gone.includes(id)),
      );
      assert.ok((left['edited'] ?? 0) > 0 && (left['excluded'] ?? 0) > 0);
      const tasks = z.array(trlPromptSchema).parse((await rowsOf(options(source, agent('messages')))).rows);
      assert.ok(!tasks.some(({ task_id: id }) => id === excluded || id === 'base.1'));
      assert.deepEqual(tasks.find(({ task_id: id }) => id === edited)?.prompt, to);
      // Its attempts were made before it was edited.
      const lines = z
        .array(z.union([traceLineSchema, baseLineSchema]))
        .parse((await rowsOf(options(source, agent('jsonl')))).rows);
      const attempted = lines.filter((line) => line.kind === 'trace' && line.task === edited);
      assert.ok(attempted.length > 0);
      for (const { prompt } of attempted) assert.deepEqual(prompt, from);
    }));

  it('leaves no half file when it breaks off', () =>
    withRun(async (reader, folder) => {
      const file = join(folder, 'rows.parquet');
      const ending = new AbortController();
      let seen = 0;
      const source: PoolExport['source'] = {
        ...{ dir: reader.dir, manifest: reader.manifest, task: (id: string) => reader.task(id) },
        events: () => reader.events(),
        async *traces() {
          for await (const trace of reader.traces()) {
            if (seen++ === 20) ending.abort(new Error('Enough.'));
            yield trace;
          }
        },
      };
      const before = await readdir(folder);
      await assert.rejects(exportPool(file, { ...options(source, agent('verl')), signal: ending.signal }), /Enough/);
      assert.deepEqual(await readdir(folder), before);
      const nowhere = join(folder, 'no', 'folder', 'rows.jsonl');
      await assert.rejects(exportPool(nowhere, options(reader, agent('verl'))), { name: 'RunError' });
    }));
});

describe('runs: resampling', () => {
  const weights = fc.array(fc.double({ min: 0, max: 6, noNaN: true }), { minLength: 1, maxLength: 60 });

  it('draws each row ⌊w⌋ or ⌈w⌉ times, and as many in all as the weights sum to', () =>
    fc.assert(
      fc.asyncProperty(weights, fc.nat(), async (given, seed) => {
        async function* rows() {
          for (const [i, weight] of given.entries()) yield await Promise.resolve({ weight, task_id: `${i}` });
        }
        const undrawn: string[] = [];
        const drawn = await all(resampled(rows(), Rng.from(seed), (_, id) => undrawn.push(id)));
        const times = given.map((_, i) => drawn.filter((row) => row.task_id === `${i}`).length);
        for (const [i, weight] of given.entries()) {
          const off = Math.abs((times[i] ?? outOfRange()) - weight);
          assert.ok(off < 1 + 1e-9, `${weight} drawn ${times[i]} times`);
          assert.equal(undrawn.includes(`${i}`), times[i] === 0);
        }
        assert.ok(Math.abs(drawn.length - sum(given)) < 1 + 1e-9);
        assert.ok(drawn.every((row) => !('weight' in row)));
      }),
    ));

  it('draws a row w times in expectation', async () => {
    const given = [0.2, 1.7, 0.6, 2.5];
    const counts = given.map(() => 0);
    const seeds = 4000;
    for (let seed = 0; seed < seeds; seed++) {
      async function* rows() {
        for (const [i, weight] of given.entries()) yield await Promise.resolve({ weight, task_id: `${i}` });
      }
      for await (const { task_id: id } of resampled(rows(), Rng.from(seed, 'x'), () => undefined)) {
        counts[Number(id)] = (counts[Number(id)] ?? outOfRange()) + 1;
      }
    }
    // A count of one row is 0 or 1 beside its whole part: its deviation is at most a half, over the root of the seeds.
    const bound = (5 * 0.5) / Math.sqrt(seeds);
    for (const [i, weight] of given.entries())
      assert.ok(Math.abs((counts[i] ?? outOfRange()) / seeds - weight) < bound, `${i}`);
  });
});

describe('runs: preview of an export', () => {
  it('shows the columns, what is left out and why, and the first rows', () =>
    withRun(async (reader) => {
      const exported = options(reader, agent('messages', 'attempts'));
      const preview = await previewPool(exported);
      const text = previewMarkdown(exported, preview);
      assert.match(text, new RegExp(`^# ${preview.rows} rows of the agent pool as messages\n`));
      assert.match(text, /\| `messages` \| list of \{role, content\} \| what the agent read first, and /);
      assert.match(text, new RegExp(`\\| ${base.length} \\| a base task is no attempt`));
      assert.equal(text.match(/```json/g)?.length, 3);
      const [shown] = /(?<=```json\n)\{.*?\n\}/s.exec(text) ?? [];
      assert.deepEqual(JSON.parse(shown ?? ''), preview.first[0]);
    }));

  it('cuts what is too long to read', () =>
    withRun(async (reader) => {
      const exported = options(reader, environment('jsonl'));
      const [first] = (await previewPool(exported)).first;
      const long = { ...first, tokens: Array.from({ length: 500 }, (_, i) => i), text: 'x'.repeat(5000) };
      const text = previewMarkdown(exported, { rows: 1, leftOut: [], warnings: [], first: [long] });
      assert.match(text, /11,\n +"… 488 more"/);
      assert.match(text, /xx… 3,800 more characters"/);
      assert.match(text, /## Left out\n\nNothing\./);
    }));

  it('tells of every column what it is, and docs/data.md does too', async () => {
    const docs = await readFile(new URL('../../../docs/data.md', import.meta.url), 'utf8');
    const squeezed = docs.replaceAll(/ +\|/g, ' |').replaceAll(/\| -+ /g, '| --- ');
    for (const choice of everyChoice) {
      for (const form of formatOf(choice).rows) {
        for (const line of columnTable(form).split('\n').slice(2)) {
          assert.ok(!line.endsWith('|  |'), line);
          assert.ok(squeezed.includes(line), `docs/data.md lacks ${line}`);
        }
      }
    }
  });
});
