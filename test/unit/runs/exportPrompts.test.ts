import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { posingOf } from '../../../src/launch/domains/posing.ts';
import { keepFiles, type LoadedFiles } from '../../../src/launch/inputs/keptFiles.ts';
import { baseLineSchema, traceLineSchema } from '../../../src/runs/export/agentPool.ts';
import { exportPool, streamPool, type PoolExport } from '../../../src/runs/export/exportPool.ts';
import type { ExportChoice, FormatName } from '../../../src/runs/export/formats.ts';
import { previewMarkdown, previewPool } from '../../../src/runs/export/preview.ts';
import { attemptSchema } from '../../../src/runs/export/rows/conversationRows.ts';
import { trlPromptSchema, verlPromptSchema } from '../../../src/runs/export/rows/promptRows.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { TaskEdit } from '../../../src/shared/records/taskEdit.ts';
import { grown } from '../../support/runs/grown.ts';
import { makeTask, makeTrace } from '../../support/runs/records.ts';
import { experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

const agent = (format: FormatName, rows: 'tasks' | 'attempts' = 'tasks'): ExportChoice => ({
  ...{ pool: 'agent', format, rows },
});

const rule = { kind: 'number', absolute: 0, relative: 0, answer: { kind: 'text' } };
const seed = { id: 's1', prompt: [{ role: 'user', content: 'How many?' }], gold: '2', evaluation: rule };

const keptText = (text: string): LoadedFiles => {
  const digest = createHash('sha256').update(text).digest('hex');
  const [file, texts] = ['my.domain.ts', new Map([['my.domain.ts', text]])];
  return { kept: { v: 1, file, files: { [file]: digest } }, texts };
};

async function streamed(exported: PoolExport) {
  const rows: unknown[] = [];
  const { leftOut, warnings } = await streamPool(exported, async (values) => {
    for await (const row of values) rows.push(row);
  });
  return { rows, leftOut, warnings };
}

describe('runs: prompts of a pool', () => {
  const worded = (text: string) => [{ role: 'user' as const, content: `${text} Answer with a number.` }];
  const plainText = (text: string) => [{ role: 'user' as const, content: text }];
  const prompts = (rows: readonly unknown[]) =>
    Object.fromEntries(
      z
        .array(trlPromptSchema)
        .parse(rows)
        .map((row) => [row.task_id, row.prompt[0]?.content]),
    );

  it('are what the agent read where its domain words them, and warned of where no record tells it', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const written = makeTask({ prompt: plainText('1 + 1?') });
      const old = makeTask({ id: 'e1.f0.v1', prompt: plainText('2 + 2?') });
      const edited = makeTask({ id: 'e1.f0.v2', prompt: plainText('3 + 3?') });
      const given = ['tried', 'untried'].map((id) =>
        makeTask({ id, family: id, epoch: 0, origin: 'base', prompt: plainText(`${id}?`) }),
      );
      await writer.appendTasks([written, old, edited]);
      const { verdict } = makeTrace();
      await writer.appendTraces([
        makeTrace({ id: 'new', asked: worded('1 + 1?') }),
        makeTrace({ id: 'old', task: old.id }),
        makeTrace({ id: 'edited', task: edited.id, asked: worded('3 + 3?') }),
        makeTrace({ id: 'tried', task: 'tried', asked: worded('tried?'), verdict: { ...verdict, success: false } }),
      ]);
      const changes = [{ field: 'prompt' as const, from: edited.prompt, to: plainText('3 + 4?') }];
      await writer.append(grown(1, 0));
      const edits: TaskEdit[] = [{ action: 'edit', task: edited.id, changes }];
      await writer.append({ v: 1, seq: 1, at: 0, type: 'tasks.edited', epoch: 2, author: 'someone', edits });
      const unsure = (choice: ExportChoice) => ({ source: writer, choice, given, posing: () => null });
      const own = { tried: 'tried? Answer with a number.', [written.id]: '1 + 1? Answer with a number.' };
      const tasks = await streamed(unsure(agent('messages')));
      assert.deepEqual(prompts(tasks.rows), { ...own, untried: 'untried?', [old.id]: '2 + 2?', [edited.id]: '3 + 4?' });
      assert.deepEqual(
        tasks.warnings.map(({ reason, count, examples }) => [reason, count, examples]),
        [['unasked', 3, ['untried', old.id, edited.id]]],
      );
      const verl = z.array(verlPromptSchema).parse((await streamed(unsure(agent('verl')))).rows);
      assert.deepEqual(
        verl.map(({ prompt }) => prompt[0]?.content),
        z
          .array(trlPromptSchema)
          .parse(tasks.rows)
          .map(({ prompt }) => prompt[0]?.content),
      );
      const said = await streamed(unsure(agent('messages', 'attempts')));
      const firsts = z
        .array(attemptSchema)
        .parse(said.rows)
        .map(({ id, messages }) => [id, messages[0]?.content]);
      const read = [
        ['new', '1 + 1? Answer with a number.'],
        ['old', '2 + 2?'],
        ['edited', '3 + 3? Answer with a number.'],
      ];
      assert.deepEqual(firsts, read);
      assert.deepEqual(
        said.warnings.map(({ count }) => count),
        [1],
      );
      const lines = z
        .array(z.union([traceLineSchema, baseLineSchema]))
        .parse((await streamed(unsure(agent('jsonl')))).rows);
      assert.deepEqual(
        lines.flatMap((line) => (line.kind === 'trace' ? [[line.id, line.prompt[0]?.content]] : [])),
        [...read, ['tried', 'tried? Answer with a number.']],
      );
      const shown = await previewPool(unsure(agent('verl')));
      assert.match(
        previewMarkdown(unsure(agent('verl')), shown),
        /## Warnings\n\n.*\n.*\n\| 3 \| the agent reads a prompt in/,
      );
      const file = join(runs.root, 'rows.jsonl');
      assert.equal((await exportPool(file, unsure(agent('verl')))).warnings?.[0]?.count, 3);
      const posing = ({ prompt }: Task) => worded(prompt[0]?.content ?? '');
      const sure = await streamed({ source: writer, choice: agent('messages'), given, posing });
      assert.equal(prompts(sure.rows)[edited.id], '3 + 4? Answer with a number.');
      assert.deepEqual(sure.warnings, []);
      await writer.close();
    }));

  it('are those of domains that ship, and unknown for files that word them', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const of = async (domain: Partial<Experiment['domain']>, text: string | null = null): Promise<unknown> => {
        if (text !== null) await keepFiles(writer.dir, 'domain', keptText(text));
        await mkdir(join(writer.dir, 'inputs'), { recursive: true });
        await writeFile(join(writer.dir, 'inputs', 'seeds.jsonl'), `${JSON.stringify(seed)}\n`);
        const settings = { ...experiment, domain: { ...experiment.domain, ...domain } };
        const posing = await posingOf({ dir: writer.dir, manifest: { ...writer.manifest, experiment: settings } });
        return posing(makeTask({ prompt: plainText('Tom has 2 apples.') }))?.[0]?.content ?? null;
      };
      const file = { name: 'file', file: 'my.domain.ts' } as const;
      assert.match(String(await of({ name: 'stories', baseTasks: 2 })), /Tom has 2 apples\.[^]+/);
      assert.equal(await of(file, 'export const parse = () => null;'), 'Tom has 2 apples.');
      assert.equal(await of(file, 'export const agentPrompt = () => "Hm?";'), null);
      assert.equal(await of(file, "export const recipe = 'stories';"), null);
      await writeFile(join(writer.dir, 'inputs', 'domain', 'my.domain.ts'), 'changed');
      assert.equal(await of(file), null);
      await writer.close();
    }));
});
