/**
 * API-Bank's levels 1 and 2: another dialogue, whose next call the benchmark's own tools execute. What is written is read,
 * executed and judged by GenEnv's recipe of this name, wherever this file has no function of its own (docs/domains.md,
 * “Benchmarks' recipes”).
 */
import { asking, type Context } from './asking.ts';

export const recipe = 'api-bank';

const form = `The object has two members:
"dialogue": the turns up to the call, a list of {"role": "User" or "AI", "text"}, and of {"role": "API", "call"} for calls made before it, which are executed for you. It ends with the turn that makes the call necessary. Every value of the call must be said in it.
"call": the call that the AI makes next, [Name(key1='value1', key2='value2')], of one of the seed's APIs. It is executed, and must not fail: people, ids, tokens and what else the tools look up must be some that the seed or its calls name. Times are written as 2023-03-05 14:00:00.`;

/** The environment policy's prompt. */
export function environmentPrompt(context: Context<'apis' | 'dialogue' | 'call'>) {
  const { apis, dialogue, call } = context.about;
  const text = `${apis}\n\nThe seed task:\n${dialogue} ${call}`;
  return asking(context, { form, seed: `What the agent of the seed reads first:\n${text}` });
}
