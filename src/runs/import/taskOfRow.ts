/** From a row that another program wrote to a line of a task file. */
import * as z from 'zod';
import { parseExactly } from '../../shared/json.ts';
import { LongInteger } from '../../shared/longInteger.ts';
import { rejectionSchema, taskSchema } from '../../shared/records/task.ts';
import { messageSchema } from '../../shared/records/message.ts';
import { goldsOfRow } from './goldsOfRow.ts';
import type { Row } from './rows.ts';

export interface Columns {
  /** The column of the prompt; found by its usual names when null. */
  prompt: string | null;
  /** Of the reference answer. */
  gold: string | null;
  /** How answers are judged, where rows do not say: with all that its rule needs. */
  evaluation: Evaluation | null;
}

type Evaluation = z.infer<typeof evaluationSchema>;

const promptNames = ['prompt', 'question', 'problem', 'instruction', 'input'];
const goldNames = ['gold', 'ground_truth', 'answer', 'solution', 'output', 'target'];

/** Trainers write more than a role and a content; the rest has no place in a prompt. */
const messagesSchema = z.array(messageSchema.pick({ role: true, content: true }).loose()).min(1);
const evaluationSchema = z.looseObject({ kind: z.string() });
/** The ground truth that `genenv export --format verl` writes. */
const judgedSchema = z.object({ task: z.string(), evaluation: evaluationSchema, gold: z.string().nullable() });
const verlSchema = z.looseObject({
  reward_model: z.looseObject({ ground_truth: z.unknown() }),
  extra_info: z.looseObject({}).nullish(),
});
const specSchema = z.object({
  name: z.string(),
  description: z.string().default(''),
  parameters: z.looseObject({}).default({}),
});
/** As OpenAI's requests have them, or bare. */
const toolsSchema = z.array(
  z.union([z.object({ function: specSchema }).transform((tool) => tool.function), specSchema]),
);

/** Why a row is no task. */
export type NoTask = 'no-prompt' | 'no-evaluation' | 'attempt' | 'rejected' | 'excluded' | 'held-out';

const known = taskSchema.shape;
const textsSchema = z.array(z.string());

export interface TaskOfRow {
  /** A line of a task file, not yet checked as one; without an id where the row has none. */
  line: Row;
  /** The column of its id; null where the row has none. */
  idColumn: string | null;
}

/** The gold of a row is not what its rule compares with: where it stands. */
interface UnfitGold {
  goldColumn: string;
}

/** @param written the row with each number as it is written */
export function taskOfRow(row: Row, columns: Columns, written: Row = row): TaskOfRow | UnfitGold | NoTask {
  if (row['kind'] === 'trace') return 'attempt';
  const outside = whyOutside(row);
  if (outside !== null) return outside;
  const verl = verlSchema.safeParse(row).data;
  const truth = verl?.reward_model.ground_truth;
  const judged = judgedSchema.safeParse(
    objectOf(columns.gold === null ? goldOf(row).value : (truth ?? row[columns.gold])),
  ).data;
  const given = columns.gold === null ? goldOf(written) : { column: columns.gold, value: written[columns.gold] };
  const prompt = promptOf(columns.prompt === null ? usualPrompt(row) : row[columns.prompt]);
  if (prompt === null) return 'no-prompt';
  const evaluation =
    judged?.evaluation ?? evaluationSchema.safeParse(objectOf(row['evaluation'])).data ?? columns.evaluation;
  if (evaluation === null) return 'no-evaluation';
  const extra = verl?.extra_info ?? {};
  const origin = known.origin.safeParse(row['origin'] ?? extra['origin']).data;
  if (origin === 'validation') return 'held-out';
  const golds =
    judged === undefined || columns.gold !== null
      ? goldsOfRow(given.value, evaluation.kind)
      : { gold: judged.gold, accept: [] };
  if (golds === null) return { goldColumn: given.column };
  const [idColumn, id] = idOf([
    ['reward_model.ground_truth', judged?.task],
    ['task_id', row['task_id']],
    ['extra_info.task_id', extra['task_id']],
    ['id', row['id']],
    // Of our own export's base tasks; elsewhere a task is often a category.
    ['task', row['v'] === 1 && row['kind'] === 'base' ? row['task'] : null],
  ]);
  const family = firstText(row['family'], extra['family']);
  const listed = objectOf(holds(row['tools']) ? row['tools'] : extra['tools']);
  const tools = toolsSchema.safeParse(listed).data ?? listed;
  const line = {
    ...(id !== null && { id: nameOf(id) }),
    ...(family !== null && { family: nameOf(family) }),
    prompt,
    ...(holds(tools) && { tools }),
    evaluation: accepting(evaluation, golds.accept),
    gold: golds.gold,
    ...provenanceOf({
      ...row,
      origin,
      epoch: row['epoch'] ?? extra['epoch'],
      domain: row['domain'] ?? extra['domain'],
    }),
  };
  return { line, idColumn };
}

/** The same with further right answers. One that accepts something else than texts stays: its rule says what is wrong. */
function accepting(evaluation: Evaluation, accept: readonly string[]): Evaluation {
  const before = textsSchema.safeParse(evaluation['accept'] ?? []).data;
  if (accept.length === 0 || before === undefined) return evaluation;
  return { ...evaluation, accept: [...new Set([...accept, ...before])] };
}

/** Whether the run that wrote it did not take it for a task, or people did not. */
function whyOutside({ status, cause }: Row): NoTask | null {
  if (status !== 'rejected') return null;
  return rejectionSchema.safeParse(cause).success ? 'rejected' : 'excluded';
}

/** A task's provenance, and which of several domains it is of, from the fields of a row that have our names. */
function provenanceOf({ origin, epoch, seed, complexity, plan, domain, tags, provenance }: Row): Row {
  const read = {
    origin,
    epoch: origin === undefined ? undefined : known.epoch.safeParse(epoch).data,
    seed: typeof seed === 'string' && seed !== '' ? nameOf(seed) : undefined,
    complexity: known.complexity.safeParse(complexity).data,
    plan: known.plan.safeParse(plan).data,
    domain: known.domain.safeParse(domain).data,
    tags: textsSchema.safeParse(tags).data,
    provenance: known.provenance.safeParse(provenance).data,
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined && value !== ''));
}

/** The first of the usual columns that holds something; '' for none. */
const columnOf = (row: Row, usual: readonly string[]): string => usual.find((name) => holds(row[name])) ?? '';

function goldOf(row: Row): { column: string; value: unknown } {
  const truth = verlSchema.safeParse(row).data?.reward_model.ground_truth ?? null;
  if (truth !== null) return { column: 'reward_model.ground_truth', value: truth };
  const column = columnOf(row, goldNames);
  return { column, value: row[column] };
}

const holds = (value: unknown): boolean =>
  value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '');

/** Alpaca's rows have a second part, which the instruction is about. */
function usualPrompt(row: Row): unknown {
  const prompt = row[columnOf(row, promptNames)];
  const { instruction, input } = row;
  const isWhole = prompt !== instruction || typeof instruction !== 'string' || typeof input !== 'string';
  return isWhole || !holds(input) ? prompt : `${instruction}\n\n${input}`;
}

function promptOf(value: unknown): z.infer<typeof messageSchema>[] | null {
  const messages = messagesSchema.safeParse(objectOf(value)).data;
  if (messages !== undefined) return messages.map(({ role, content }) => ({ role, content }));
  return typeof value === 'string' && value.trim() !== '' ? [{ role: 'user', content: value }] : null;
}

/** The object in a column of JSON text. */
const objectOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[[{]/.test(value) ? parseExactly(value) : value;

/** The first that is filled, with its column. */
function idOf(columns: readonly [string, unknown][]): [string, string] | [null, null] {
  for (const [column, value] of columns) {
    const id = firstText(value);
    if (id !== null) return [column, id];
  }
  return [null, null];
}

const firstText = (...values: unknown[]): string | null =>
  values
    .map((value) => (typeof value === 'number' || value instanceof LongInteger ? String(value) : value))
    .find(isFilled) ?? null;
const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A task file's names have neither spaces nor slashes. */
const nameOf = (text: string): string => text.trim().replaceAll(/[\s/]+/g, '-');
