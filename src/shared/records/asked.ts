/** The prompt that an attempt began with, which may be another than its task's. */
import type { Message } from './message.ts';
import type { Task } from './task.ts';
import type { Trace } from './trace.ts';

/** The prompt of an attempt as its record keeps it: nothing where the domain gave the task's own messages. */
export const askedOf = (
  { prompt }: Pick<Task, 'prompt'>,
  asked: readonly Message[] | undefined,
): Pick<Trace, 'asked'> => (asked === undefined || asked === prompt ? {} : { asked: [...asked] });

/** The prompt that the agent read at the start of an attempt. @param task as it was attempted */
export const promptOf = ({ asked }: Pick<Trace, 'asked'>, { prompt }: Pick<Task, 'prompt'>): readonly Message[] =>
  asked ?? prompt;
