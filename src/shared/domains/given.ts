/** Results of a domain file's functions, validated where they arrive (docs/domains.md). */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { messageSchema, type Message } from '../records/message.ts';
import { taskDraftSchema, type TaskDraft } from '../records/task.ts';
import { judgedByDomain } from './domainFile.ts';
import { firstIssue } from '../firstIssue.ts';
import { defined } from '../defined.ts';
import { plainTasks } from './taskNumbers.ts';

const saidSchema = messageSchema.pick({ role: true, content: true, name: true });
/** A text alone is one user turn. */
const promptSchema = z.union([z.string().min(1), z.array(saidSchema).min(1)]);

const draftSchema = z.object({
  prompt: promptSchema,
  tools: taskDraftSchema.shape.tools,
  evaluation: taskDraftSchema.shape.evaluation.optional(),
  gold: z.union([z.string(), z.number()]).nullish(),
  /** The arguments of an OpenEnv server's reset. */
  reset: z.record(z.string(), z.unknown()).optional(),
  /** Named measures of how hard it is, for charts. */
  difficulty: z.record(z.string(), z.number()).optional(),
});

const seedSchema = draftSchema.extend({
  id: z
    .string()
    .regex(/^[^\s/]+$/)
    .optional(),
});

const rejectSchema = z.object({ reject: z.string() });

const observationSchema = z.strictObject({
  say: promptSchema.optional(),
  done: z.boolean().optional(),
  /** Any JSON: given back with the next action. Without it the state stays. */
  state: z.unknown().optional(),
});

/** Where a value is not as it should be, as a clause. */
export type Read<T> = { value: T } | { fault: string };

function read<T>(schema: z.ZodType<T>, value: unknown, expected: string): Read<T> {
  // A schema may take it for an object like any other.
  const untold = untoldSchema.safeParse(value);
  if (untold.success) return { fault: l10n.t('it gave {0}; {1}', untold.data.not, expected) };
  const number = untoldNumber(value);
  if (number !== null) return { fault: l10n.t('“{0}” is {1}, which JSON cannot hold', number.path, number.not) };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const { field: where } = firstIssue(parsed.error);
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys' && where === '')
    return { fault: l10n.t('“{0}” is none of its fields; {1}', issue.keys.join('”, “'), expected) };
  return {
    fault: `${where === '' ? l10n.t('it gave something else') : l10n.t('“{0}” is not as expected', where)}; ${expected}`,
  };
}

/** A value that cannot travel as JSON, described by the process that saw it. */
const untoldSchema = z.strictObject({ not: z.string() });
/** As both languages describe numbers; an object of a person's own may have a field `not`, too. */
const untoldNumberSchema = z.strictObject({
  not: z.string().regex(/^(?:NaN|nan|-?Infinity|-?inf|a number too large)$/),
});

/** The first number within a value that JSON cannot hold; null where there is none. */
function untoldNumber(value: unknown, path = ''): { path: string; not: string } | null {
  if (typeof value !== 'object' || value === null) return null;
  const untold = untoldNumberSchema.safeParse(value);
  if (untold.success) return { path, not: untold.data.not };
  for (const [name, inner] of Object.entries(value)) {
    const found = untoldNumber(inner, path === '' ? name : `${path}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

/** Python has one value for null and for nothing given. */
const withNone = (value: unknown): unknown => (untoldSchema.safeParse(value).data?.not === 'None' ? null : value);

const asMessages = (prompt: z.infer<typeof promptSchema>): Message[] =>
  typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;

/** A prompt: a text, or messages. */
export function readPrompt(value: unknown): Read<Message[]> {
  const given = read(promptSchema, value, l10n.t('it must give a text, or messages with role and content'));
  return 'value' in given ? { value: asMessages(given.value) } : given;
}

const draftOf = ({
  prompt,
  tools,
  evaluation,
  gold,
  reset,
  difficulty = {},
}: z.infer<typeof draftSchema>): TaskDraft => ({
  prompt: asMessages(prompt),
  ...defined({ tools }),
  // The reset identifies the task: equal prompts may begin different episodes.
  evaluation: { ...(evaluation ?? { kind: judgedByDomain }), ...defined({ reset }) },
  gold: gold == null ? null : String(gold),
  complexity: difficulty,
  plan: '',
});

function readTasks<T>(schema: z.ZodType<T>, written: unknown, expected: string): Read<T> {
  const plain = plainTasks(written);
  if ('value' in plain) return read(schema, plain.value, expected);
  const { path, text } = plain.rounded;
  return {
    fault: l10n.t('“{0}” is {1}; whole numbers beyond 2^53 are rounded, so give it as a text', path, text),
  };
}

/** A task, or why a text is none. @param value numbers of Python as it wrote them */
export function readDraft(value: unknown): Read<{ draft: TaskDraft } | { reject: string }> {
  const rejected = rejectSchema.safeParse(value);
  if (rejected.success) return { value: rejected.data };
  const given = readTasks(draftSchema, value, l10n.t('it must give { prompt, gold, … }, or { reject: why }'));
  return 'value' in given ? { value: { draft: draftOf(given.value) } } : given;
}

/** Seed tasks with their ids; null where they have none. @param value numbers of Python as it wrote them */
export function readSeeds(value: unknown): Read<{ id: string | null; draft: TaskDraft }[]> {
  const given = readTasks(z.array(seedSchema), value, l10n.t('it must give a list of { prompt, gold, … }'));
  if (!('value' in given)) return given;
  return { value: given.value.map((seed) => ({ id: seed.id ?? null, draft: draftOf(seed) })) };
}

/** True, or why a task does not verify. */
export function readVerified(value: unknown): Read<true | string> {
  if (value === false) return { value: l10n.t('it does not verify') };
  return read(z.union([z.literal(true), z.string()]), value, l10n.t('it must give true, or why not as a text'));
}

/** How an observation of a server is shown: none where there is nothing to say. */
export function readShown(value: unknown): Read<Message[]> {
  return withNone(value) === null ? { value: [] } : readPrompt(value);
}

/** An answer as a server takes it: an action, null where the episode ends, or why it is invalid. */
export function readAction(value: unknown): Read<Record<string, unknown> | { reject: string } | null> {
  return read(
    z.union([rejectSchema.strict(), z.record(z.string(), z.unknown()), z.null()]),
    withNone(value),
    l10n.t('it must give an action’s fields, { reject: why }, or null for the end'),
  );
}

export interface Observed {
  messages: Message[];
  done: boolean;
  state: unknown;
}

/** An episode's answer: a text alone leaves the state unchanged. */
export function readObservation(value: unknown, state: unknown): Read<Observed> {
  if (typeof value === 'string') return { value: { messages: asMessages(value), done: false, state } };
  const given = read(observationSchema, value, l10n.t('it must give a text, or { say, done, state }'));
  if (!('value' in given)) return given;
  const { say, done = false } = given.value;
  const next = 'state' in given.value ? given.value.state : state;
  return { value: { messages: say === undefined ? [] : asMessages(say), done, state: next } };
}
