/**
 * ALFWorld: another household task in a known room. What is written is read, proven solvable, played and judged by GenEnv's
 * recipe of this name, wherever this file has no function of its own (docs/domains.md, “Benchmarks' recipes”).
 */
import { asking, type Context } from './asking.ts';

export const recipe = 'alfworld';

const formOf = (tasks: string): string => `The object has these members:
"task": one of ${tasks}.
"object": a kind of object of the room, as "potato".
"receptacle": a kind of receptacle of the room, where it is to be put, as "countertop"; not for look_at_obj_in_light.
"lamp": for look_at_obj_in_light alone, a kind of lamp of the room, as "desklamp".
"moved": what lies elsewhere than in the seed, a list of {"object": "mug 1", "to": "shelf 2"}, or an empty list.
Everything is called as the room calls it. The task must be possible in the room, and not be done already.`;

/** The environment policy's prompt. */
export function environmentPrompt(context: Context<'goal' | 'places' | 'tasks'>) {
  const { goal, places, tasks } = context.about;
  const seed = `The seed task: ${goal}\nThe room, and what is where in it:\n${places}`;
  return asking(context, { form: formOf(tasks), seed });
}
