/** An episode of an attempt in progress, and the messages that the agent reads in it. */
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Step, Trace } from '../../../shared/records/trace.ts';
import type { Environment, Observation, SampleRequest } from '../../ports.ts';

export interface Episode {
  task: Task;
  index: number;
  environment: Environment | null;
  /** The agent's prompt, before any observation. */
  prompt: readonly Message[];
  /** The messages that the agent reads next. */
  asked: readonly Message[];
  messages: Message[];
  sequences: Trace['sequences'];
  counted: Trace['counted'];
  turns: number;
  tools: Observation['tools'];
  steps: Step[];
}

/** The tools of a request: those of the episode, else those of the task. */
export const armed = (tools: Observation['tools'] | Task['tools']): Pick<SampleRequest, 'tools'> =>
  tools === undefined || tools.length === 0 ? {} : { tools };

/** The start of an episode, or its answer to an action. */
export type Read = Omit<Observation, 'done'>;

export const silence: Read = { messages: [] };

/** The messages to read next, after those read and said before. */
export const asked = (before: readonly Message[], { messages, alone = false }: Read): Message[] => [
  ...(alone ? before.filter(({ role }) => role === 'system') : before),
  ...messages,
];
