/**
 * One attempt driven by its own program: the agent answers its questions, and the conversation is kept for its trace.
 */
import * as l10n from '@vscode/l10n';
import type { Trace } from '../../../shared/records/trace.ts';
import { Conversations } from '../../conversations.ts';
import { ledStopReason } from './ledStop.ts';
import { QuestionError, type Question } from '../../leader.ts';
import type { Learner } from '../../loop.ts';
import { appendTurn, recordedLogprobs } from '../../math/sequence.ts';
import type { Gate } from '../../spending/pace.ts';
import type { SampleRequest } from '../../ports.ts';
import { countedWith, turnOf } from '../../turn.ts';
import { hasFailed } from '../../unanswered.ts';
import type { Completion } from '../../completion.ts';

export interface LedSampling {
  /** Of the attempt. */
  id: string;
  /** The sampling parameters, by the name of the question. */
  sampling: (turn: readonly number[]) => Omit<SampleRequest, 'id' | 'messages' | 'tools' | 'n' | 'only'>;
  signal: AbortSignal;
}

export class LedAttempt {
  readonly #agent: Pick<Learner, 'policy' | 'version'>;
  readonly #maxTurns: number;
  readonly #how: LedSampling;
  readonly #conversations = new Conversations();
  readonly #sequences: Trace['sequences'] = [];
  readonly #failing = new AbortController();
  /** Aborted with the phase, and when the endpoint fails for all attempts. */
  readonly signal: AbortSignal;
  #counted: Trace['counted'];
  #turns = 0;
  #asked = 0;
  #refused = false;
  #newest: readonly Completion[] = [];

  constructor(agent: Pick<Learner, 'policy' | 'version'>, maxTurns: number, how: LedSampling) {
    this.#agent = agent;
    this.#maxTurns = maxTurns;
    this.#how = how;
    this.signal = AbortSignal.any([how.signal, this.#failing.signal]);
  }

  /**
   * @throws QuestionError; the signal's reason; an endpoint failure that all requests share, which also ends the
   * attempt
   */
  async ask(question: Question): Promise<readonly Completion[]> {
    try {
      return await this.#answers(question);
    } catch (error) {
      if (!QuestionError.is(error) && !question.signal.aborted) this.#failing.abort(error);
      throw error;
    }
  }

  async #answers({ messages, tools, n, maxTokens, stop, signal }: Question): Promise<readonly Completion[]> {
    if (this.#turns + n > this.#maxTurns) {
      this.#refused = true;
      const used = l10n.t(
        'This attempt has used {0} of its {1} answers (rollouts.maxTurns)',
        this.#turns,
        this.#maxTurns,
      );
      throw new QuestionError('turns', n === 1 ? `${used}.` : l10n.t('{0}, and asks for {1} more.', used, n));
    }
    this.#turns += n;
    const place = this.#conversations.at(messages);
    const sampling = this.#how.sampling(place.key);
    const request: SampleRequest = {
      id: `${this.#how.id}#${this.#asked++}`,
      messages: place.messages,
      ...(tools.length > 0 && { tools }),
      n,
      ...sampling,
      maxTokens: Math.min(sampling.maxTokens, maxTokens ?? Infinity),
      ...(stop.length > 0 && { stop }),
    };
    const completions: Completion[] = [];
    const until = AbortSignal.any([this.signal, signal]);
    for await (const answer of this.#agent.policy.sample(this.#agent.version, [request], until)) {
      if (hasFailed(answer)) throw new QuestionError('endpoint', answer.failure);
      completions.push(answer);
    }
    // Answers after the end belong to no conversation.
    until.throwIfAborted();
    completions.sort((a, b) => a.index - b.index);
    if (completions.length > 0) this.#newest = completions;
    for (const completion of completions) {
      place.said(turnOf(completion));
      this.#counted = countedWith(this.#counted, completion);
      appendTurn(this.#sequences, { ...completion, logprobs: recordedLogprobs(completion.logprobs) });
    }
    return completions;
  }

  get record(): Pick<Trace, 'messages' | 'sequences' | 'counted' | 'stopReason'> & Required<Pick<Trace, 'branches'>> {
    const stopReason = ledStopReason(this.#refused, this.#newest);
    return { ...this.#conversations.record, sequences: this.#sequences, counted: this.#counted, stopReason };
  }
}

/**
 * Processes all items with limited concurrency. The first error aborts the others and is thrown when they have ended.
 * @param gate once it is closed, no further item is begun; null for none
 * @param work gets a signal that is aborted with the outer one, or when other work failed
 */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  gate: Gate | null,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failing = new AbortController();
  const until = AbortSignal.any([signal, failing.signal]);
  const rest = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      until.throwIfAborted();
      if (gate?.admits() === false) return;
      gate?.begin(1);
      try {
        await work(item, until);
      } finally {
        gate?.end(1);
      }
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, () =>
    worker().catch((error: unknown) => {
      failing.abort(error);
    }),
  );
  await Promise.all(workers);
  until.throwIfAborted();
}
