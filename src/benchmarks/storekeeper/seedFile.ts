import { z } from 'zod';
import { messageSchema } from '../../shared/records/message.ts';
import { taskSchema, type Task } from '../../shared/records/task.ts';
import { parseBody } from './body.ts';
import { checkGold } from './execute.ts';
import { TaskFault } from './fault.ts';
import { authoredTask, bodyOfPrompt, fingerprintOf } from './task.ts';
import { words } from './vocabulary.ts';

/** A line: `{"prompt": "MENU … REQ …"}`, or a whole task record. A gold is checked where given, computed where not. */
const recordSchema = taskSchema.partial().extend({
  prompt: z.union([z.string().min(1), z.array(messageSchema).min(1)]),
  gold: z.string().nullish(),
});

export interface SeedFileIssue {
  /** From 1; 0 for the file as a whole. */
  line: number;
  /** Dotted path in the record, '' for the line as a whole. */
  field: string;
  message: string;
}

/** A file of base tasks that cannot be used, with every problem found in it. */
export class SeedFileError extends Error {
  readonly reason = 'seed-file';
  readonly issues: readonly SeedFileIssue[];

  constructor(issues: readonly SeedFileIssue[]) {
    const shown = issues.slice(0, 10).map(({ line, field, message }) => {
      const place = [...(line > 0 ? [`line ${line}`] : []), ...(field === '' ? [] : [`field "${field}"`])].join(', ');
      return place === '' ? message : `${place}: ${message}`;
    });
    if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`);
    super(shown.join('\n'));
    this.name = 'SeedFileError';
    this.issues = issues;
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

/** One line as a task, or what is wrong with it. */
function parseLine(text: string, line: number): Task | SeedFileIssue[] {
  const json = parseJson(text);
  if (json instanceof SyntaxError) return [{ line, field: '', message: `not JSON: ${json.message}` }];
  const record = recordSchema.safeParse(json);
  if (!record.success) {
    return record.error.issues.map(({ path, message }) => ({ line, field: path.join('.'), message }));
  }
  const { prompt, gold, id } = record.data;
  let field = 'prompt';
  try {
    const body = typeof prompt === 'string' ? parseBody(words(prompt)) : bodyOfPrompt(prompt);
    const task = authoredTask(body, id ?? `base.${line - 1}`, 'base', 'CALLS');
    field = 'gold';
    if (gold !== undefined && gold !== null) checkGold(body, gold);
    return task;
  } catch (error) {
    if (error instanceof TaskFault) return [{ line, field, message: error.message }];
    throw error;
  }
}

/**
 * Base tasks from a JSONL text, one record a line; blank lines are passed over.
 * @throws SeedFileError with line and field of every problem; also for duplicates and for a file without tasks
 */
export function parseSeedTasks(text: string): Task[] {
  const issues: SeedFileIssue[] = [];
  const tasks: Task[] = [];
  const ids = new Map<string, number>();
  const prints = new Map<string, number>();
  for (const [i, raw] of text.split('\n').entries()) {
    if (raw.trim() === '') continue;
    const line = i + 1;
    const parsed = parseLine(raw, line);
    if (Array.isArray(parsed)) {
      issues.push(...parsed);
      continue;
    }
    const print = fingerprintOf(parsed.prompt);
    const sameId = ids.get(parsed.id);
    const same = prints.get(print);
    if (sameId !== undefined) issues.push({ line, field: 'id', message: `"${parsed.id}" is also on line ${sameId}` });
    else if (same !== undefined) issues.push({ line, field: 'prompt', message: `the same task as on line ${same}` });
    ids.set(parsed.id, line);
    prints.set(print, line);
    tasks.push(parsed);
  }
  if (tasks.length === 0 && issues.length === 0) {
    issues.push({ line: 0, field: '', message: 'no tasks in the file; give one JSON record a line' });
  }
  if (issues.length > 0) throw new SeedFileError(issues);
  return tasks;
}
