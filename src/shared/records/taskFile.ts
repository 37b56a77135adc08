/**
 * Tasks by a person or another program, one JSON object a line: base tasks (`domain.seeds`), held-out tasks
 * (`domain.heldOut`) and tasks made elsewhere (`generation.offlineFile`). A line is a task draft with an id; exported
 * tasks of another run are accepted too, without the fields that only that run can interpret.
 */
import { taskContent } from './taskContent.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { append } from '../append.ts';
import type { JsonSchema } from '../experiment/allowed.ts';
import { problemsOf } from '../experiment/problems/issues.ts';
import { readJson } from '../experiment/text/jsonText.ts';
import type { Problem } from '../experiment/problems/problem.ts';
import { isObject } from '../experiment/resolve.ts';
import { idInRun } from './idInFile.ts';
import { messageSchema } from './message.ts';
import { taskDraftSchema, taskSchema, type Task } from './task.ts';
import { defined } from '../defined.ts';
import { withoutMark } from '../text/byteOrderMark.ts';

const name = z
  .string()
  .regex(/^[^\s/]+$/)
  .describe('a text without spaces and slashes');

const taskLineSchema = taskDraftSchema
  .extend({
    id: name.optional(),
    family: name.optional(),
    seed: name.nullable().optional(),
    prompt: z.array(messageSchema).min(1),
    gold: z.string().nullable(),
  })
  .partial({ complexity: true, plan: true })
  .extend(
    // Written by the run that exported it; this run writes its own.
    taskSchema
      .pick({
        v: true,
        epoch: true,
        origin: true,
        status: true,
        cause: true,
        note: true,
        generation: true,
        agreement: true,
        provenance: true,
      })
      .partial()
      // Names for people, and why they took a task out that has a note of its own; nothing reads them but the task editor.
      .extend({ tags: z.array(z.string()).optional(), excluded: z.string().optional() }).shape,
  );

let schema: JsonSchema | undefined;

/** A task that is left out, why, and how messages name it: `line 4`. */
export interface LeftOut extends Problem {
  why: 'twice' | 'rejected' | 'held-out' | 'unfit';
  name: string;
}

export type TaskFile = { tasks: Task[]; lines: number[]; leftOut: LeftOut[] } | { problems: Problem[] };

/**
 * Reads a task file: every task with its line, or all faults of the file. Two tasks with one id are an error; two with
 * the same content, tasks that their run rejected, and tasks that it held out where these are for training, are left
 * out with a warning.
 * @param nameOf names the task of a line, from 1, in messages
 */
export function parseTaskFile(
  text: string,
  file: string,
  origin: 'base' | 'offline' | 'validation',
  nameOf = (line: number): string => l10n.t('line {0}', line),
): TaskFile {
  const problems: Problem[] = [];
  const leftOut: LeftOut[] = [];
  const tasks: Task[] = [];
  const lines: number[] = [];
  const ids = new Map<string, number>();
  const contents = new Map<string, number>();
  for (const [index, line] of withoutMark(text).split('\n').entries()) {
    if (line.trim() === '') continue;
    const number = index + 1;
    const read = readLine(line, file, number);
    if (!('value' in read)) {
      append(problems, read.problems);
      continue;
    }
    const { value } = read;
    const leave = (why: LeftOut['why'], field: string, message: string, remedy: string): void => {
      leftOut.push({ ...read.placeOf(field), field, severity: 'warning', message, remedy, why, name: nameOf(number) });
    };
    if (value.status === 'rejected') {
      const message = l10n.t('This task was rejected by the run that wrote it, and is left out.');
      leave('rejected', 'status', message, l10n.t('Remove it.'));
      continue;
    }
    if (value.origin === 'validation' && origin !== 'validation') {
      const message = l10n.t(
        'This task was marked as held out, so it is left out: tasks that measure are not trained on.',
      );
      leave('held-out', 'origin', message, l10n.t('Name the file in domain.heldOut, or remove the line.'));
      continue;
    }
    const id = idInRun(value.id ?? String(number), origin);
    const namesake = ids.get(id);
    if (namesake !== undefined) {
      const message = l10n.t('The id "{0}" is that of {1} already.', value.id ?? id, nameOf(namesake));
      const remedy = l10n.t('Give every task its own id.');
      problems.push({ ...read.placeOf('id'), field: 'id', severity: 'error', message, remedy });
      continue;
    }
    ids.set(id, number);
    const content = taskContent(value);
    const twin = contents.get(content);
    if (twin !== undefined) {
      const message = l10n.t('It is the same task as {0}, and is left out.', nameOf(twin));
      leave('twice', 'prompt', message, l10n.t('Remove it.'));
      continue;
    }
    contents.set(content, number);
    lines.push(number);
    tasks.push({
      v: 1,
      id,
      family: origin === 'base' ? id : idInRun(value.family ?? value.seed ?? value.id ?? String(number), origin),
      epoch: 0,
      origin,
      seed: value.seed ?? null,
      status: 'accepted',
      prompt: value.prompt,
      ...defined({ tools: value.tools }),
      evaluation: value.evaluation,
      gold: value.gold,
      complexity: value.complexity ?? {},
      plan: value.plan ?? '',
      ...defined({ domain: value.domain, provenance: value.provenance }),
    });
  }
  if (tasks.length === 0 && problems.length === 0) {
    const message =
      leftOut.length === 0 ? l10n.t('The file is empty.') : l10n.t('The file holds no task that can be used.');
    const remedy = l10n.t('Write one task a line, as a JSON object with prompt, evaluation and gold.');
    problems.push({ file, line: 1, column: 1, field: '', message, remedy, severity: 'error' });
  }
  return problems.length === 0
    ? { tasks, lines, leftOut }
    : { problems: [...problems, ...leftOut].sort((a, b) => a.line - b.line) };
}

type Line =
  | { value: z.infer<typeof taskLineSchema>; placeOf: (field: string) => Pick<Problem, 'file' | 'line' | 'column'> }
  | { problems: Problem[] };

function readLine(line: string, file: string, number: number): Line {
  const reading = readJson(line, file, number, 'line');
  if (!reading.ok) return reading;
  const { value, placeOf, placeOfName } = reading.json;
  if (!isObject(value)) {
    const message = l10n.t('A line is one task: a JSON object.');
    return { problems: [{ ...placeOf([]), field: '', message, remedy: '', severity: 'error' }] };
  }
  const checked = taskLineSchema.safeParse(value);
  if (checked.success) return { value: checked.data, placeOf: (field) => placeOf(field === '' ? [] : [field]) };
  schema ??= z.toJSONSchema(taskLineSchema, { io: 'input' });
  return { problems: problemsOf(checked.error.issues, { schema, value, placeOf, placeOfName }) };
}
