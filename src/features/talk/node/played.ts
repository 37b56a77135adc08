/** A task's tools in a conversation: what a policy reads after each turn is what an attempt's agent reads. */
import { append } from '../../../shared/append.ts';
import type { Leader } from '../../../engine/leader.ts';
import { asked } from '../../../engine/phases/attempts/episode.ts';
import type { Domain, Environment, Observation } from '../../../engine/ports.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task, ToolSpec } from '../../../shared/records/task.ts';
import type { Step } from '../../../shared/records/trace.ts';

export interface PosedTask {
  task: Task;
  domain: Pick<Domain, 'environment'>;
  /** Null where the agent answers the prompt itself. */
  leader: Leader | null;
  prompt: readonly Message[];
}

export interface Live {
  /** The conversation as the policy reads it. */
  read: readonly Message[];
  tools: readonly ToolSpec[];
  /** A server's figures so far. */
  steps: Step[];
  /** The tools' answer; nothing once the task's episode is over. */
  step(said: Message): Promise<Pick<Observation, 'messages' | 'done' | 'alone'>>;
  close(): Promise<void>;
}

/** The task's tools after the turns of a conversation, which are played to them again. */
export async function played(posed: PosedTask | null, said: readonly Message[]): Promise<Live> {
  // A program that leads wrote its own messages, and has ended.
  const isLed = posed?.leader != null;
  const environment: Environment | null = isLed ? null : (posed?.domain.environment(posed.task) ?? null);
  const opening = posed === null || environment === null ? null : await environment.reset(posed.task);
  const prompt = isLed ? [] : (posed?.prompt ?? []);
  let over = environment === null;
  const live: Live = {
    read: opening === null ? prompt : asked(prompt, opening),
    tools: isLed ? [] : (opening?.tools ?? posed?.task.tools ?? []),
    steps: [...(opening?.steps ?? [])],
    async step(turn) {
      const before = [...live.read, turn];
      live.read = before;
      if (environment === null || over) return { messages: [], done: true };
      const observation = await environment.step(turn.content, turn.reasoning);
      const { messages, done, alone = false, tools, steps = [] } = observation;
      over = done;
      live.tools = tools ?? live.tools;
      append(live.steps, steps);
      live.read = asked(alone ? prompt : before, observation);
      return { messages, done, alone };
    },
    close: async () => environment?.close?.(),
  };
  for (const message of said) {
    const { read } = live;
    if (message.role !== 'assistant') live.read = [...read, message];
    else {
      const { alone } = await live.step(message);
      // The tools' answers stand in the conversation, as they were then.
      live.read = alone === true ? asked(prompt, { messages: [], alone }) : [...read, message];
    }
  }
  return live;
}
