/** The plan of a family, and the record of the environment's texts that are written from it. */
import type { Message } from '../../../shared/records/message.ts';
import type { Generation, Task } from '../../../shared/records/task.ts';
import { defined } from '../../../shared/defined.ts';
import type { Completion } from '../../completion.ts';
import { recordedLogprobs } from '../../math/sequence.ts';
import { countedWith, turnOf } from '../../turn.ts';

export interface Plan {
  message: Message;
  completion: Completion;
  /** A text that is recorded has its tokens, where the server counts them: it was paid for once. */
  isCounted: boolean;
  /** The try at which it was written, from 1. */
  attempt: number;
}

/** The plan that a recorded task was written from: it was paid for, and the missing variations belong to it. */
export function planOf({ generation, plan }: Task, attempt: number): Plan | null {
  const [span, task] = generation?.spans ?? [];
  if (generation === undefined || span === undefined || task === undefined) return null;
  const [start, end] = span;
  const tokens = generation.tokens.slice(start, end);
  const completion: Completion = {
    requestId: '',
    index: 0,
    promptTokens: generation.tokens.slice(0, start),
    tokens,
    logprobs: generation.logprobs.slice(0, tokens.length),
    text: plan,
    stopReason: 'stop',
  };
  return { message: turnOf(completion), completion, isCounted: true, attempt };
}

/**
 * The environment's own sequence: context, plan where there is one, task text. Where the server returns ids, the first variation
 * pays for the plan, whichever arrives first, so that records do not depend on the order of answers.
 * @param attempt the try at the text, from 1
 */
export function generationOf(
  completion: Completion,
  plan: Plan | undefined,
  version: string,
  attempt: number,
): Generation {
  const paysPlan = plan?.attempt === attempt && completion.index === 0;
  const start = completion.promptTokens.length;
  const planned = plan?.completion;
  const planStart = planned?.promptTokens.length ?? 0;
  const counted = countedWith(
    plan?.isCounted === false ? countedWith(undefined, plan.completion) : undefined,
    completion,
  );
  return {
    version,
    tokens: [...completion.promptTokens, ...completion.tokens],
    spans: [
      ...(planned === undefined ? [] : [[planStart, planStart + planned.tokens.length] satisfies [number, number]]),
      [start, start + completion.tokens.length],
    ],
    logprobs: [...recordedLogprobs(planned?.logprobs ?? []), ...recordedLogprobs(completion.logprobs)],
    ...defined({ counted }),
    ...(!paysPlan && planned !== undefined && planned.tokens.length > 0 && { planPaid: true as const }),
    text: completion.text,
  };
}
