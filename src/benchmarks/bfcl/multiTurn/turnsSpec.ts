/** A conversation's task, and how its assistant's turns are cut into steps. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { EvaluationSpec, Gold } from '../../../shared/records/task.ts';
import { messageSchema, type Message } from '../../../shared/records/message.ts';
import { parseSaid } from '../../../shared/json.ts';
import { parseJson } from '../../python/json.ts';
import { Unfit } from '../../rules/rule.ts';
import { repr } from '../python/text/repr.ts';
import { Dict, fromJson, type Value } from '../python/value.ts';
import { executableCalls } from './executable.ts';
import { classNames } from './instances.ts';
import { isLongContext } from './apis/longContext.ts';

/** Steps with calls that a turn may have; a further one is executed, and the conversation is over. */
export const stepLimit = 20;

const specSchema = z.object({
  /** The person's messages, turn by turn; the first turn is in the prompt. */
  question: z.array(z.array(messageSchema)).min(1),
  involved: z.array(z.string()),
  /** JSON of what the tools begin with, letter by letter: 5 and 5.0 are different. */
  config: z.string(),
  /** The record's id, which says by its category whether the tools hold more. */
  record: z.string().optional(),
  /** Where the benchmark's questions lie, absolute: what the tools hold more is found from there. */
  data: z.string().optional(),
  /** JSON lines `{"turn", "function"}`: documents of functions that are held back, and from which turn on they are there. */
  added: z.string().optional(),
});

/** A conversation as it begins. */
export interface Opening {
  /** A turn that brings functions says so, and which. */
  question: readonly (readonly Message[])[];
  involved: readonly string[];
  config: Dict;
  /** The folder that says what the tools hold more; null where they do not. */
  longContext: string | null;
}

/** @throws Unfit */
export function openingOf(evaluation: EvaluationSpec): Opening {
  const { data: spec, error } = specSchema.safeParse(evaluation);
  const issue = error?.issues[0];
  if (spec === undefined) throw new Unfit(`evaluation.${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  const { involved, record = '', data = '' } = spec;
  const added = addedIn(spec.added ?? '');
  const question = spec.question.map((said, turn) => [...said, ...(added.get(turn) ?? [])]);
  const silent = question.findIndex((said) => said.length === 0);
  if (silent !== -1) throw new Unfit(l10n.t('evaluation.question: turn {0} says nothing', silent));
  const isLong = isLongContext(record);
  if (isLong && data === '') throw new Unfit(l10n.t('evaluation.data: the folder of the benchmark is missing'));
  const unknown = involved.find((name) => !classNames.includes(name));
  if (unknown !== undefined) throw new Unfit(l10n.t('there is no tool {0}, only {1}', unknown, classNames.join(', ')));
  const config = configOf(spec.config);
  return { question, involved, config, longContext: isLong ? data : null };
}

/** The official program's additional messages for prompted models, turn → message. @throws Unfit */
function addedIn(lines: string): ReadonlyMap<number, Message[]> {
  const documents = new Map<number, Value[]>();
  for (const line of lines.split('\n')) {
    if (line.trim() === '') continue;
    const [turn, document] = ['turn', 'function'].map((name) => membersOf(line)?.get(name));
    if (typeof turn !== 'bigint' || !(document instanceof Dict)) {
      throw new Unfit(l10n.t('evaluation.added: a line is no {"turn", "function"}'));
    }
    const at = Number(turn);
    documents.set(at, [...(documents.get(at) ?? []), document]);
  }
  return new Map(
    Array.from(documents, ([turn, some]) => [turn, [{ role: 'user', content: `${repr(some)}\n${notice}` }]]),
  );
}

const notice = 'I have updated some more functions you can choose from. What about now?';

function membersOf(line: string): Dict | null {
  try {
    const value = fromJson(parseJson(line));
    return value instanceof Dict ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function configOf(text: string): Dict {
  try {
    const config = fromJson(parseJson(text));
    if (config instanceof Dict) return config;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Unfit(l10n.t('evaluation.config is not JSON ({0})', error.message));
  }
  throw new Unfit(l10n.t('evaluation.config is no object'));
}

const truthSchema = z.array(z.array(z.string()));

/** Calls of the truth, turn by turn. @throws Unfit */
export function truthOf(gold: Gold | null): string[][] {
  const { data } = truthSchema.safeParse(gold === null ? null : parseSaid(gold));
  if (data === undefined) throw new Unfit(l10n.t('the gold is no list of turns of calls'));
  return data;
}

/** Turns of steps of calls, as an episode took them: a step without a call ends a turn, one too many the conversation. */
export function stepsOf(messages: readonly Message[]): string[][][] {
  const turns: string[][][] = [];
  let steps: string[][] = [];
  for (const { role, content } of messages) {
    if (role !== 'assistant') continue;
    const calls = executableCalls(content);
    if (calls !== null) steps.push(calls);
    if (calls !== null && steps.length <= stepLimit) continue;
    turns.push(steps);
    if (calls !== null) return turns;
    steps = [];
  }
  return steps.length > 0 ? [...turns, steps] : turns;
}
