/** Gradients and optimiser steps (protocol §6). */
import { ProtoError } from '../../endpoints/tinker/wire/protoBytes.ts';
import {
  decodeTrainRequest,
  encodeTrainResult,
  trainRequestOf,
  trainRequestSchema,
  trainResultJson,
  type TrainRequest,
} from '../../endpoints/tinker/wire/training.ts';
import { isProtobuf, jsonBody, type Call } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import { jsonOnly } from '../state/futures.ts';
import type { Service } from '../state/service.ts';
import { optimStepSchema } from '../wire/requests.ts';
import { numbered, submitOrdered } from './ordered.ts';

export function trainingRoutes(service: Service): Route[] {
  const train =
    (path: 'forward_backward' | 'forward') =>
    (call: Call): Reply => {
      const read = trainRequest(call);
      const request = { ...read, forwardOnly: read.forwardOnly || path === 'forward' };
      return submitOrdered(
        service,
        call,
        { modelId: request.modelId, seqId: request.seqId, body: request },
        async (model) => {
          const result = request.forwardOnly ? await model.forward(request) : await model.forwardBackward(request);
          if (!request.forwardOnly) service.meter.trainedTokens += result.logprobs.flat().length;
          return { json: trainResultJson(result), protobuf: () => encodeTrainResult(result) };
        },
      );
    };
  return [
    {
      method: 'POST',
      path: '/api/v1/forward_backward',
      dialect: 'tinker',
      answer: numbered(service, train('forward_backward')),
    },
    { method: 'POST', path: '/api/v1/forward', dialect: 'tinker', answer: numbered(service, train('forward')) },
    {
      ...{ method: 'POST', path: '/api/v1/optim_step', dialect: 'tinker' },
      answer: numbered(service, (call) => {
        const body = jsonBody(call, optimStepSchema);
        const { learning_rate, beta1, beta2, eps, weight_decay, grad_clip_norm } = body.adam_params;
        const adam = { learningRate: learning_rate, beta1, beta2, epsilon: eps };
        const rest = { weightDecay: weight_decay, gradClipNorm: grad_clip_norm };
        return submitOrdered(
          service,
          call,
          { modelId: body.model_id, seqId: body.seq_id ?? null, body },
          async (model) => {
            const { gradNorm } = await model.step({ ...adam, ...rest });
            return jsonOnly({ type: 'optim_step', metrics: { grad_norm: gradNorm, learning_rate } });
          },
        );
      }),
    },
  ];
}

/** In either form, with its inputs in one order, so that a repetition is recognised from any client. */
function trainRequest(call: Call): TrainRequest {
  const request = isProtobuf(call.headers['content-type'])
    ? decoded(call.body)
    : trainRequestOf(jsonBody(call, trainRequestSchema));
  if (request === null) throw new Refusal(422, 'forward_backward_input or forward_input is needed.');
  if (request.modelId === '') throw new Refusal(422, 'model_id is needed.');
  const data = request.data.map(({ tokens, inputs }) => ({
    tokens,
    inputs: Object.fromEntries(Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1))),
  }));
  return { ...request, data };
}

function decoded(body: Uint8Array): TrainRequest {
  try {
    return decodeTrainRequest(body);
  } catch (error) {
    if (error instanceof ProtoError) throw new Refusal(422, error.message);
    throw new Refusal(400, `The body is no ForwardBackwardRequest: ${String(error)}.`);
  }
}
