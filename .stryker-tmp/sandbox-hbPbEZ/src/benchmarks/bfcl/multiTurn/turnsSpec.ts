/** What a conversation's task holds, and how its assistant's turns are cut into steps. */
import * as z from 'zod';
import type { EvaluationSpec, Gold } from '../../../shared/records/task.ts';
import { messageSchema, type Message } from '../../../shared/records/message.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { parseJson } from '../../python/json.ts';
import { Unfit } from '../../rules/rule.ts';
import { Dict, fromJson } from '../python/value.ts';
import { executableCalls } from './executable.ts';
import { classNames } from './instances.ts';

/** Steps with calls that a turn may have; a further one is executed, and the conversation is over. */
export const stepLimit = 20;

const specSchema = z.object({
  /** What the person says, turn by turn; the first turn stands in the prompt. */
  question: z.array(z.array(messageSchema)).min(1),
  involved: z.array(z.string()),
  /** JSON of what the tools begin with, letter by letter: 5 and 5.0 are different. */
  config: z.string(),
});

/** A conversation as it begins. */
export interface Opening {
  question: readonly (readonly Message[])[];
  involved: readonly string[];
  config: Dict;
}

/** @throws Unfit */
export function openingOf(evaluation: EvaluationSpec): Opening {
  const { data: spec, error } = specSchema.safeParse(evaluation);
  const issue = error?.issues[0];
  if (spec === undefined) throw new Unfit(`evaluation.${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  const { question, involved } = spec;
  const unknown = involved.find((name) => !classNames.includes(name));
  if (unknown !== undefined) throw new Unfit(`there is no tool ${unknown}, only ${classNames.join(', ')}`);
  const config = configOf(spec.config);
  return { question, involved, config };
}

function configOf(text: string): Dict {
  try {
    const config = fromJson(parseJson(text));
    if (config instanceof Dict) return config;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Unfit(`evaluation.config is not JSON (${error.message})`);
  }
  throw new Unfit('evaluation.config is no object');
}

const truthSchema = z.array(z.array(z.string()));

/** Calls of the truth, turn by turn. @throws Unfit */
export function truthOf(gold: Gold | null): string[][] {
  const { data } = truthSchema.safeParse(gold === null ? null : parseOrUndefined(gold));
  if (data === undefined) throw new Unfit('the gold is no list of turns of calls');
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
