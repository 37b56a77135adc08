/** Requests of one model, which run in the order of their numbers (protocol §12). */
import type { Call } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import type { Reply } from '../http/reply.ts';
import type { TrainingModel } from '../models/trainingModel.ts';
import type { Result } from '../state/futures.ts';
import type { Service } from '../state/service.ts';
import { keysOf, promiseOf } from './promises.ts';

interface Ordered {
  modelId: string;
  seqId: number | null;
  /** What a repetition must be equal in. */
  body: unknown;
}

/** @throws Refusal 404 for an unknown model, 409 for a number that was used for another request */
export function submitOrdered(
  { sessions, futures }: Service,
  call: Call,
  { modelId, seqId, body }: Ordered,
  run: (model: TrainingModel) => Promise<Result>,
): Reply {
  const model = sessions.model(modelId);
  const { sequencer } = model;
  const own = seqId === null ? null : `seq_id ${seqId} of ${modelId}`;
  const future = futures.submit(keysOf(call, own), [call.path, body], () => {
    if (seqId !== null && sequencer.isUsed(seqId)) {
      throw new Refusal(409, `seq_id ${seqId} of ${modelId} is done, and its result is no longer kept.`);
    }
    return {
      run: () => sequencer.run(seqId, () => run(model)),
      blocked: () => (sequencer.gap === null ? null : `waits for seq_id ${sequencer.gap} of ${modelId}`),
    };
  });
  return promiseOf(future);
}
