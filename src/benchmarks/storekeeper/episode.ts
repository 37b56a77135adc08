import type { LocalEnvironment, Observation } from '../../engine/ports.ts';
import type { Task } from '../../shared/records/task.ts';
import { bodyOfPrompt } from './task.ts';
import { parseCalls, type Call } from './calls.ts';
import { TaskFault } from '../taskFault.ts';
import { Store, StoreUnderflow, stockReport } from './store.ts';
import { turnWords, type Concept, type FunctionName } from './vocabulary.ts';

/**
 * A task posed turn by turn: the agent's calls are carried out on a store, each answered by a tool message
 * (`left 12`, or `error` for a function that does not serve that concept here and for taking more than is left).
 * The episode is done when as many calls were made as the request has steps, or when a turn makes none: the agent
 * ended, or wrote what is no call. Every turn but the last is followed by the cue for the next call.
 */
export class StorekeeperEpisode implements LocalEnvironment {
  #store = new Store();
  #functions = new Map<Concept, FunctionName>();
  #open = 0;

  /** @throws TaskFault when the task's prompt is not one of this domain */
  reset(task: Task): Observation {
    const { menu, steps } = bodyOfPrompt(task.prompt);
    this.#store = new Store();
    this.#functions = new Map(menu.map(({ concept, name }) => [concept, name]));
    this.#open = steps.length;
    return { messages: [], done: false };
  }

  step(action: string): Observation {
    const calls = readCalls(action);
    if (calls.length === 0) return { messages: [], done: true };
    const answers = calls.map((call) => ({ role: 'tool' as const, name: call.name, content: this.#carryOut(call) }));
    this.#open -= calls.length;
    if (this.#open <= 0) return { messages: answers, done: true };
    return { messages: [...answers, { role: 'user', content: 'CALL' }], done: false };
  }

  #carryOut(call: Call): string {
    if (this.#functions.get(call.concept) !== call.name) return 'error';
    try {
      return stockReport(this.#store.apply(call.concept, call.item, call.value));
    } catch (error) {
      if (error instanceof StoreUnderflow) return 'error';
      throw error;
    }
  }
}

/** The calls of one turn; none when it is malformed, which the scorer reports. */
function readCalls(action: string): Call[] {
  try {
    return parseCalls(turnWords(action));
  } catch (error) {
    if (error instanceof TaskFault) return [];
    throw error;
  }
}
