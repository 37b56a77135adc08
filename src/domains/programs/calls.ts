/** The calls of one attempt: its program's requests, as questions to the agent. */
import type { Completion } from '../../engine/completion.ts';
import { ledStopReason } from '../../engine/phases/attempts/ledStop.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { QuestionError, type Ask } from '../../engine/leader.ts';
import type { Answered } from './chatAnswer.ts';
import type { ChatBody } from './chatBody.ts';
import { Heard } from './heard.ts';
import type { ProgramRun } from './programRun.ts';
import { Refusal } from './refusal.ts';

/** Questions beyond its last that a program may ask before it is ended. */
const patience = 16;

export class Calls {
  readonly #ask: Ask;
  readonly #heard = new Heard();
  readonly #ending = new AbortController();
  #made = 0;
  #newest: readonly Completion[] = [];
  /** Paused while it waits, and ended when it asks without end. */
  run: ProgramRun | null = null;
  answers = 0;
  /** Questions after its last. */
  refused = 0;
  /** Why the endpoint could not answer a question; null where it answered all. */
  unanswered: string | null = null;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  get stopReason(): Trace['stopReason'] {
    return ledStopReason(this.refused > 0, this.#newest);
  }

  /** The attempt is over: pending answers are dropped. */
  end(): void {
    this.#ending.abort(new Error('The attempt has ended.'));
  }

  /** @throws Refusal */
  async answer(body: ChatBody, gone: AbortSignal): Promise<Answered> {
    const done = this.run?.wait();
    try {
      return await this.#answer(body, AbortSignal.any([gone, this.#ending.signal]));
    } catch (error) {
      throw QuestionError.is(error) ? this.#refusal(error) : error;
    } finally {
      done?.();
    }
  }

  async #answer(body: ChatBody, signal: AbortSignal): Promise<Answered> {
    const { stop, tool_choice: choice } = body;
    const tools = choice === 'none' ? [] : (body.tools ?? []);
    const completions = await this.#ask({
      messages: this.#heard.messages(body.messages),
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        ...{ name, description: description ?? '', parameters: parameters ?? {} },
      })),
      n: body.n ?? 1,
      maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
      stop: (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((text) => text !== ''),
      signal,
    });
    this.answers += completions.length;
    if (completions.length > 0) this.#newest = completions;
    const choices = completions.map((completion) => ({
      completion,
      turn: this.#heard.tell(completion, tools.length > 0),
    }));
    return { id: `chatcmpl-${++this.#made}`, created: Math.floor(Date.now() / 1000), asked: body, choices };
  }

  #refusal({ reason, message }: QuestionError): Refusal {
    if (reason === 'endpoint') {
      this.unanswered ??= message;
      return new Refusal(400, message, isLong(message) ? 'context_length_exceeded' : null);
    }
    this.refused += 1;
    if (this.refused > patience) this.run?.limit('calls');
    return new Refusal(403, message, 'calls_used');
  }
}

const isLong = (message: string): boolean => /context|too long|maximum length/i.test(message);
