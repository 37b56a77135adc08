/** An episode that an OpenEnv server plays: the file's functions, or ours, between its messages and the agent's words. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { EpisodeError } from '../../engine/errors.ts';
import type { Environment, Observation } from '../../engine/ports.ts';
import { faultSentence } from '../../rewards/processes/answer.ts';
import { append } from '../../shared/append.ts';
import { readAction, readShown, type Read } from '../../shared/domains/given.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, ToolSpec } from '../../shared/records/task.ts';
import type { Step } from '../../shared/records/trace.ts';
import { rewardTask } from '../../shared/rewards/given.ts';
import { toolCallsOf } from '../../shared/rewards/toolCalls.ts';
import type { DomainFunctions } from '../domainFunctions.ts';
import { actionOf, callsAreSteps } from './action.ts';
import type { Server, ServerSession } from './port.ts';
import { shownObservation, shownResult } from './shown.ts';

const resetSchema = z.object({ reset: z.record(z.string(), z.unknown()).default({}) });

/** The reset parameters of a task's server. */
export const resetOf = ({ evaluation }: Pick<Task, 'evaluation'>): Record<string, unknown> =>
  resetSchema.safeParse(evaluation).data?.reset ?? {};

type Call = NonNullable<ReturnType<typeof toolCallsOf>>[number];

export class OpenenvEpisode implements Environment {
  readonly #file: string;
  readonly #host: DomainFunctions;
  readonly #server: Server;
  #session: ServerSession | null = null;
  #tools: readonly ToolSpec[] = [];
  #task: ReturnType<typeof rewardTask> | null = null;

  constructor(file: string, host: DomainFunctions, server: Server) {
    this.#file = file;
    this.#host = host;
    this.#server = server;
  }

  /** @throws EpisodeError, and where no episode can begin the errors of the server's client */
  async reset(task: Task, signal: AbortSignal = new AbortController().signal): Promise<Observation> {
    this.#task = rewardTask(task);
    const { session, first } = await this.#server.begin(resetOf(task), signal);
    this.#session = session;
    if (first.done)
      throw this.#failed(l10n.t('the reset {0} gave an episode that is over already', JSON.stringify(resetOf(task))));
    this.#tools = await session.tools();
    return { messages: await this.#shown(first, null), done: false, tools: this.#tools, steps: [first] };
  }

  /** @throws EpisodeError */
  async step(text: string): Promise<Observation> {
    const session = this.#session;
    if (session === null) throw new Error('Unreachable: an episode is reset before its first step.');
    const calls = this.#tools.length === 0 ? null : toolCallsOf(text);
    if (calls !== null) return this.#called(session, calls);
    if (this.#tools.length > 0 && text.includes('<tool_call>'))
      return this.#told({ reject: 'A call cannot be read: it must be one JSON object with name and arguments.' });
    const action = await this.#action(text);
    if (action === null) return { messages: [], done: true };
    if ('reject' in action) return this.#told({ reject: action.reject });
    return this.#told(await session.step(action.action));
  }

  async close(): Promise<void> {
    await this.#session?.close();
  }

  /** One after the other, as each may depend on the one before. */
  async #called(session: ServerSession, calls: readonly Call[]): Promise<Observation> {
    const [messages, steps]: [Message[], Step[]] = [[], []];
    const bySteps = callsAreSteps(this.#server.schemas.action);
    for (const { name, arguments: given } of calls) {
      const step = bySteps
        ? await session.step({ type: 'call_tool', tool_name: name, arguments: given })
        : await session.call(name, given);
      steps.push(step);
      append(messages, await this.#shown(step, name));
      if (step.done) return { messages, steps, done: true };
    }
    return { messages, steps, done: false };
  }

  /** Null where the answer ends the episode. */
  async #action(text: string): Promise<{ action: object } | { reject: string } | null> {
    const { action: schema } = this.#server.schemas;
    if (this.#host.has('act')) {
      const given = await this.#asked('act', readAction, text, { schema, tools: this.#tools, task: this.#task });
      if (given === null) return null;
      const { reject } = given;
      return typeof reject === 'string' && Object.keys(given).length === 1 ? { reject } : { action: given };
    }
    // Tools alone: an answer that calls none is the last.
    if (this.#tools.length > 0 && callsAreSteps(schema)) return null;
    return actionOf(text, schema);
  }

  async #told(given: Step | { reject: string }): Promise<Observation> {
    const step: Step = 'reject' in given ? { observation: {}, reward: null, done: false, error: given.reject } : given;
    return { messages: await this.#shown(step, null), done: step.done, steps: [step] };
  }

  /** @param call the tool that was called, null for a reset or another action */
  async #shown(step: Step, call: string | null): Promise<Message[]> {
    const { observation, reward, done, error } = step;
    const said = call === null ? ({ role: 'user' } as const) : ({ role: 'tool', name: call } as const);
    if (this.#host.has('observe') && error === undefined) {
      const about = { reward, done, call, task: this.#task };
      const messages = await this.#asked('observe', readShown, observation, about);
      return call === null ? messages : messages.map(({ content }) => ({ ...said, content }));
    }
    const content = call === null ? shownObservation(step) : shownResult(step);
    return content === '' && call === null ? [] : [{ ...said, content }];
  }

  async #asked<T>(call: string, read: (value: unknown) => Read<T>, ...given: readonly unknown[]): Promise<T> {
    const reply = await this.#host.call(call, ...given);
    const value = 'fault' in reply ? { fault: faultSentence(reply.fault) } : read(reply.written);
    if ('fault' in value) throw this.#failed(`“${call}” of ${this.#file}: ${value.fault}`);
    return value.value;
  }

  #failed(what: string): EpisodeError {
    return new EpisodeError(what.endsWith('.') ? what : `${what}.`);
  }
}
