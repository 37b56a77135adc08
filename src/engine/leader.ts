/** Attempts driven by a program, which asks the agent at any time until it ends. */
import { ReasonedError } from '../shared/reasonedError.ts';
import type { Message } from '../shared/records/message.ts';
import type { Task, ToolSpec } from '../shared/records/task.ts';
import type { Verdict } from '../shared/records/trace.ts';
import type { Completion } from './completion.ts';

/** A question to the agent. The run decides how it is sampled: temperature, seeds, limits. */
export interface Question {
  /** The whole conversation. Assistant turns by the agent are recognised by their text. */
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  /** Answers wanted. */
  n: number;
  /** Most tokens of an answer; the run's own limit holds where it is lower. Null: that one. */
  maxTokens: number | null;
  /** Texts that end an answer. */
  stop: readonly string[];
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal;
}

/** @throws QuestionError when the question has no answer and the attempt may continue */
export type Ask = (question: Question) => Promise<readonly Completion[]>;

/** How an attempt came to its end. */
export interface LedEnd {
  /** The verdict of the attempt's own program; null: judged like any other attempt. */
  verdict: Verdict | null;
}

export interface Leader {
  /** Most attempts at once. */
  readonly atOnce: number;
  /** Leads one attempt to its end. @throws EpisodeError for one that cannot be made */
  lead(task: Task, attempt: string, ask: Ask, signal: AbortSignal): Promise<LedEnd>;
}

/**
 * Why a question has no answer. `turns`: the attempt has asked as often as it may; `endpoint`: the endpoint cannot
 * answer this one.
 */
export class QuestionError extends ReasonedError<'turns' | 'endpoint'> {
  override readonly name = 'QuestionError';
}
