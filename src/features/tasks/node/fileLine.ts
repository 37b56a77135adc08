/** One line of a task file: read as far as it can be, and written again with some of it changed. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { provenanceSchema, rejectionSchema, taskDraftSchema, type Task } from '../../../shared/records/task.ts';
import { defined } from '../../../shared/defined.ts';
import { lineKey } from './taskKey.ts';
import { readObject, withField } from './lineText.ts';
import { contentNames, isSame, type TaskPart } from './taskValues.ts';

/** A task as a file holds it. */
export interface WrittenTask {
  task: Task;
  /** Why people took it out; null while it is in. */
  excluded: string | null;
  tags: readonly string[];
}

/** A task as its source has it. */
export interface ReadTask extends WrittenTask {
  /** Its name in every reading: its id, or a digest of its line where it has none. */
  key: string;
  /** The beginning of a line that is no JSON object: it holds no task, and is kept unchanged. Null for a task. */
  damaged: string | null;
}

/** Characters that are kept of a damaged line. */
const damagedLength = 2000;

const { prompt, tools, evaluation, gold, complexity, plan, domain } = taskDraftSchema.shape;

/** Invalid parts are left out: the line's problems are reported beside it. */
const partsSchema = z.object({
  id: z.union([z.string(), z.number().transform(String)]).catch(''),
  family: z.string().catch(''),
  seed: z.string().nullable().catch(null),
  epoch: z.int().nonnegative().catch(0),
  origin: z.enum(['base', 'generated', 'offline', 'validation']).catch('base'),
  status: z.enum(['accepted', 'rejected']).catch('accepted'),
  cause: rejectionSchema.optional().catch(undefined),
  note: z.string().catch(''),
  excluded: z.string().optional().catch(undefined),
  prompt: prompt.catch([]),
  tools: tools.catch(undefined),
  evaluation: evaluation.catch({ kind: '' }),
  gold: gold.catch(null),
  complexity: complexity.catch({}),
  plan: plan.catch(''),
  domain: domain.catch(undefined),
  tags: z.array(z.string()).catch([]),
  provenance: provenanceSchema.optional().catch(undefined),
});

/** @param line 1-based number of the line, the id of a task that has none */
export function readFileLine(text: string, line: number): ReadTask {
  const value = readObject(text);
  const damaged = value === null ? text.slice(0, damagedLength) : null;
  const parts = partsSchema.parse(value ?? {}, { reportInput: false });
  const {
    tags,
    status,
    cause,
    note,
    excluded: own,
    id: written,
    tools: specs,
    provenance,
    domain: named,
    ...rest
  } = parts;
  // No task can be called so: ids have no spaces.
  const id = damaged !== null ? l10n.t('line {0}', line) : written === '' ? String(line) : written;
  const key = written === '' ? lineKey(text) : written;
  const task: Task = {
    v: 1,
    ...rest,
    id,
    family: rest.family === '' ? (rest.seed ?? id) : rest.family,
    status,
    ...defined({ cause }),
    ...(note !== '' && { note }),
    ...defined({ tools: specs, domain: named, provenance }),
  };
  // A rejected task was never in; an excluded one has no cause, or its reason stands for itself.
  const excluded = status === 'accepted' ? null : (own ?? (cause === undefined ? note : null));
  return { task, key, excluded, tags, damaged };
}

/** The line with these parts changed, all else byte for byte; null for one that is no JSON object. */
export function editedLine(text: string, part: TaskPart): string | null {
  const value = readObject(text);
  if (value === null) return null;
  let line = text;
  const set = (name: string, now: unknown): void => {
    if (!isSame(value[name], now)) line = withField(line, name, now);
  };
  for (const name of contentNames) {
    if (!(name in part)) continue;
    // A task without a gold says so.
    set(name, name === 'gold' ? part.gold : (part[name] ?? undefined));
  }
  if (part.plan !== undefined) set('plan', part.plan === '' ? undefined : part.plan);
  if (part.tags !== undefined) set('tags', part.tags.length === 0 ? undefined : part.tags);
  if (part.excluded !== undefined) exclude(value, part.excluded, set);
  return line;
}

/** The reason stands as `note`; where that is a person's or a run's own, as `excluded` beside it. */
function exclude(
  value: Record<string, unknown>,
  reason: string | null,
  set: (name: string, now: unknown) => void,
): void {
  const isRuns = 'cause' in value;
  const isOwn = 'note' in value && (isRuns || value['status'] !== 'rejected');
  const field = isOwn || 'excluded' in value ? 'excluded' : 'note';
  if (reason !== null) set('status', 'rejected');
  else if (!isRuns) set('status', 'status' in value && 'v' in value ? 'accepted' : undefined);
  set(field, reason ?? undefined);
}

/**
 * A task in its form for a separate file: without its text's tokens, but with all facts that decide whether it is a
 * task.
 */
export function fileTask({ task, excluded, tags }: WrittenTask): object {
  const { id, family, seed, epoch, origin, prompt: messages, tools: specs, evaluation: judged, gold: reference } = task;
  return {
    id,
    family,
    seed,
    epoch,
    origin,
    prompt: messages,
    ...defined({ tools: specs }),
    evaluation: judged,
    gold: reference,
    complexity: task.complexity,
    plan: task.plan,
    ...defined({ domain: task.domain }),
    ...(tags.length > 0 && { tags }),
    ...defined({ provenance: task.provenance }),
    ...statusOf(task, excluded),
  };
}

/** A task as a line of a separate file. */
export const lineOf = (read: WrittenTask): string => JSON.stringify(fileTask(read));

function statusOf({ status, cause, note }: Task, excluded: string | null): object {
  if (excluded !== null) {
    return note === undefined || note === excluded
      ? { status: 'rejected', note: excluded }
      : { status: 'rejected', ...defined({ cause }), note, excluded };
  }
  // Without a cause people had taken it out, and it is in again.
  if (status === 'accepted' || cause === undefined) return {};
  return { status, cause, ...defined({ note }) };
}
