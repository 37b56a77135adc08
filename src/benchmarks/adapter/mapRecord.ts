/** From one record to a task, or to what about it does not fit. Pure. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Adapter } from '../../shared/adapters/schema.ts';
import { isPointer } from '../../shared/adapters/source.ts';
import type { AdapterMapping } from '../../shared/adapters/mapping.ts';
import { messageSchema, type Message } from '../../shared/records/message.ts';
import type { TaskDraft } from '../../shared/records/task.ts';
import { TemplateError } from '../../shared/jinja/templateError.ts';
import { defined } from '../../shared/defined.ts';
import { RecordFault, plainAt, textAt, type Scope } from './scope.ts';
import { compileTemplate } from './template.ts';
import { toolsOf } from './tools.ts';

/** A task as a line of a task file has it. */
export interface MappedTask extends Omit<TaskDraft, 'plan'> {
  id: string;
  family?: string;
}

/** A field of the adapter that this record does not fill. */
export interface Misfit {
  /** `task.gold`. */
  field: string;
  /** A clause: `there is nothing at /record/answer`. */
  message: string;
}

export type Mapped = { task: MappedTask } | { misfits: readonly Misfit[] };

const named = /^[^\s/]+$/;
const conversation = z.array(messageSchema).min(1);

/** A record as the mapping alone makes it: null where a field does not fit, with the reason in `misfits`. */
export interface MappedFields {
  id: string | null;
  family: string | null;
  prompt: Message[];
  tools: TaskDraft['tools'] | null;
  gold: string | null;
  /** Further fields for the scorer. */
  evaluation: Record<string, unknown>;
  misfits: readonly Misfit[];
}

export function mapRecord({ task, answer, scorer }: Adapter, scope: Scope): Mapped {
  const { id, family, prompt, tools, gold, evaluation, misfits } = mapFields(task, scope);
  if (misfits.length > 0 || id === null) return { misfits };
  return {
    task: {
      id,
      ...defined({ family: family ?? undefined }),
      prompt,
      ...defined({ tools: tools ?? undefined }),
      evaluation: { ...scorer, answer, ...evaluation },
      gold,
      complexity: {},
    },
  };
}

/** Every field is tried, so that a person reads of all that does not fit at once. */
export function mapFields(task: AdapterMapping, scope: Scope): MappedFields {
  const misfits: Misfit[] = [];
  const attempt = <T>(field: string, make: () => T): T | null => {
    try {
      return make();
    } catch (error) {
      if (error instanceof RecordFault) {
        misfits.push({ field: error.field === '' ? field : error.field, message: error.message });
      } else if (error instanceof TemplateError)
        misfits.push({ field, message: l10n.t('the template: {0}', error.message) });
      else throw error;
      return null;
    }
  };
  const name = (field: 'id' | 'family'): string | null => {
    const source = task[field];
    return source === undefined ? null : attempt(`task.${field}`, () => nameOf(sourceText(source, scope)));
  };
  const id = name('id');
  const family = name('family');
  const prompt = task.prompt.flatMap((turn, i) => attempt(`task.prompt[${i}]`, () => turnsOf(turn, scope)) ?? []);
  const { tools: functions } = task;
  const tools = functions === undefined ? null : attempt('task.tools', () => toolsOf(functions, scope));
  const { gold: goldSource, category } = task;
  const gold = goldSource === null ? null : attempt('task.gold', () => sourceText(goldSource, scope));
  const more: Record<string, unknown> = {};
  for (const [key, source] of Object.entries(task.evaluation ?? {})) {
    more[key] = attempt(`task.evaluation.${key}`, () => sourceValue(source, scope));
  }
  for (const [key, source] of Object.entries(task.verbatim ?? {})) {
    more[key] = attempt(`task.verbatim.${key}`, () => sourceText(source, scope));
  }
  if (category !== undefined) more['category'] = attempt('task.category', () => sourceText(category, scope));
  return { id, family, prompt, tools, gold, evaluation: more, misfits };
}

/** The value of a source, as text. @throws RecordFault */
export const sourceText = (source: string, scope: Scope): string =>
  isPointer(source) ? textAt(scope, source) : compileTemplate(source).render(scope);

/** The same with the value's own kind: `verbatim` keeps the digits of long integers. */
const sourceValue = (source: string, scope: Scope): unknown =>
  isPointer(source) ? plainAt(scope, source) : compileTemplate(source).render(scope);

function nameOf(text: string): string {
  if (named.test(text)) return text;
  throw new RecordFault(
    text === ''
      ? l10n.t('it is empty')
      : l10n.t('“{0}” has spaces or slashes: {{ … | replace(" ", "_") }} takes them out', text),
  );
}

function turnsOf(turn: AdapterMapping['prompt'][number], scope: Scope): Message[] {
  if ('role' in turn) {
    const content = sourceText(turn.content, scope);
    if (content.trim() === '') throw new RecordFault(l10n.t('it is empty'));
    return [{ role: turn.role, content }];
  }
  const parsed = conversation.safeParse(plainAt(scope, turn.messages));
  if (parsed.success) return parsed.data;
  throw new RecordFault(l10n.t('there is no list of messages with role and content at {0}', turn.messages));
}
