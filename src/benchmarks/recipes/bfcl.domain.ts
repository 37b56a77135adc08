/**
 * BFCL's single-turn tasks in Python: a question, its functions, and the calls that answer it. What is written is read,
 * checked and judged by GenEnv's recipe of this name, wherever this file has no function of its own (docs/domains.md,
 * “Benchmarks' recipes”).
 */
import { asking, type Context } from './asking.ts';

export const recipe = 'bfcl';

const form = `The object has three members:
"functions": what the agent may call, a list of {"name", "description", "parameters": {"type": "dict", "properties": {NAME: {"type", "description"}}, "required": [NAME, …]}}. A type is string, integer, float, boolean, array or tuple (with "items": {"type"}), dict or any; "enum" and "default" may stand beside it.
"question": what a person asks for, in their own words. Every value of the calls must be said in it.
"calls": the calls that do what is asked, a list of {"name", "arguments": {NAME: value}}, complete and with no others. Write 5 for an integer and 5.0 for a float.`;

/** How many functions and calls the seed's category has: `one` or `several`, '' where it is no category. */
const counted = (functions: string, calls: string): string =>
  `Write ${functions === 'one' ? 'one function' : 'two to four functions, not all of which are needed'} and ` +
  `${calls === 'one' ? 'one call' : 'two or more calls'}.`;

/** The environment policy's prompt. */
export function environmentPrompt(
  context: Context<'functions' | 'question' | 'calls' | 'functionCount' | 'callCount'>,
) {
  const { functions, question, calls, functionCount, callCount } = context.about;
  const text = `{"functions": ${functions},\n"question": ${JSON.stringify(question)},\n"calls": ${calls}}`;
  return asking(context, {
    form: functionCount === '' ? form : `${form}\n${counted(functionCount, callCount)}`,
    seed: `The seed task:\n${text}`,
  });
}
