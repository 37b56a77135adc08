/** Requests of one model, which run in the order of their numbers (protocol §12). */
import * as z from 'zod';
import { decodeTrainRequest } from '../../endpoints/tinker/wire/training.ts';
import { parseOrUndefined } from '../../shared/json.ts';
import { isProtobuf, type Call } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import type { Reply } from '../http/reply.ts';
import type { TrainingModel } from '../models/trainingModel.ts';
import type { Result } from '../state/futures.ts';
import type { Service } from '../state/service.ts';
import { keysOf, promiseOf } from './promises.ts';

interface Ordered {
  modelId: string;
  seqId: number | null;
  /** The content that a repetition must equal. */
  body: unknown;
}

/** @throws Refusal 404 for an unknown model, 409 for a number that was used for another request */
export function submitOrdered(
  { sessions, futures, archive, differences }: Service,
  call: Call,
  { modelId, seqId, body }: Ordered,
  run: (model: TrainingModel) => Promise<Result>,
): Reply {
  if (differences.includes('remembers-models') && sessions.loaded(modelId) === null) {
    archive.run(modelId);
    throw new Refusal(400, `Model ${modelId} not loaded.`);
  }
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

/** A refused request uses up its number: its client continues with the next one, which must not wait for ever. */
export function numbered({ sessions }: Service, answer: (call: Call) => Reply): (call: Call) => Reply {
  return (call) => {
    try {
      return answer(call);
    } catch (error) {
      const asked = error instanceof Refusal && [400, 422].includes(error.status) ? numberOf(call) : null;
      if (asked !== null) sessions.loaded(asked.model_id)?.sequencer.pass(asked.seq_id);
      throw error;
    }
  };
}

const numberSchema = z.object({ model_id: z.string(), seq_id: z.int().positive() });

/** Of a body that may be wrong in everything else; null where it has none. */
function numberOf({ body, headers }: Call): z.infer<typeof numberSchema> | null {
  if (isProtobuf(headers['content-type'])) return numberOfProtobuf(body);
  // Python writes numbers that JSON does not have.
  const text = new TextDecoder().decode(body).replaceAll(/([:,[]\s*)(?:NaN|-?Infinity)\b/g, '$1null');
  return numberSchema.safeParse(parseOrUndefined(text)).data ?? null;
}

function numberOfProtobuf(body: Uint8Array): z.infer<typeof numberSchema> | null {
  try {
    const { modelId, seqId } = decodeTrainRequest(body);
    return numberSchema.safeParse({ model_id: modelId, seq_id: seqId }).data ?? null;
  } catch {
    return null;
  }
}
