/** An episode of an attempt while it is played, and what the agent reads in it. */
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Step, Trace } from '../../../shared/records/trace.ts';
import type { Environment, Observation, SampleRequest } from '../../ports.ts';

export interface Episode {
  task: Task;
  index: number;
  environment: Environment | null;
  /** What the agent reads next. */
  asked: readonly Message[];
  messages: Message[];
  sequences: Trace['sequences'];
  counted: Trace['counted'];
  turns: number;
  tools: Observation['tools'];
  steps: Step[];
}

/** What the agent may call, as a request has it: said by the episode, else by the task. */
export const armed = (tools: Observation['tools'] | Task['tools']): Pick<SampleRequest, 'tools'> =>
  tools === undefined || tools.length === 0 ? {} : { tools };

/** What an episode begins with, or is answered with. */
export type Read = Omit<Observation, 'done'>;

export const silence: Read = { messages: [] };

/** What is read next, after what was read and said before. */
export const asked = (before: readonly Message[], { messages, alone = false }: Read): Message[] => [
  ...(alone ? before.filter(({ role }) => role === 'system') : before),
  ...messages,
];
