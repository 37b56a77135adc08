/** The plan of a family, and the record of the environment's texts that are written from it. */
import type { Message } from '../../../shared/records/message.ts';
import type { Generation, Task } from '../../../shared/records/task.ts';
import { defined } from '../../../shared/defined.ts';
import type { Completion } from '../../completion.ts';
import { recordedLogprobs } from '../../math/sequence.ts';
import { turnOf } from '../../turn.ts';

export interface Plan {
  message: Message;
  completion: Completion;
}

export const planFrom = (completion: Completion): Plan => ({ message: turnOf(completion), completion });

/** The plan that a task was written from which an older version recorded: it kept no plans by themselves. */
export function planOf({ generation, plan }: Task): Plan | null {
  const [span, task] = generation?.spans ?? [];
  if (generation === undefined || span === undefined || task === undefined) return null;
  const [start, end] = span;
  const tokens = generation.tokens.slice(start, end);
  return planFrom({
    requestId: '',
    index: 0,
    promptTokens: generation.tokens.slice(0, start),
    tokens,
    logprobs: generation.logprobs.slice(0, tokens.length),
    text: plan,
    stopReason: 'stop',
  });
}

/** The environment's own sequence: context, plan where there is one, task text. The plan is paid for by its own record. */
export function generationOf(completion: Completion, plan: Plan | undefined, version: string): Generation {
  const start = completion.promptTokens.length;
  const planned = plan?.completion;
  const planStart = planned?.promptTokens.length ?? 0;
  return {
    version,
    tokens: [...completion.promptTokens, ...completion.tokens],
    spans: [
      ...(planned === undefined ? [] : [[planStart, planStart + planned.tokens.length] satisfies [number, number]]),
      [start, start + completion.tokens.length],
    ],
    logprobs: [...recordedLogprobs(planned?.logprobs ?? []), ...recordedLogprobs(completion.logprobs)],
    ...defined({ counted: completion.counted }),
    ...(planned !== undefined && { planPaid: true as const }),
    text: completion.text,
  };
}
