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
}

/** The plan that a recorded task was written from: it was paid for, and the missing variations belong to it. */
export function planOf({ generation, plan }: Task): Plan | null {
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
  return { message: turnOf(completion), completion, isCounted: true };
}

/** The environment's own sequence: context, plan where there is one, task text. */
export function generationOf(completion: Completion, plan: Plan | undefined, version: string): Generation {
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
    text: completion.text,
  };
}
