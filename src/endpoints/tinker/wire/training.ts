/** `forward_backward`: what is asked and answered, as JSON and as protobuf (protocol §5, §6, §11). */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { append } from '../../../shared/append.ts';
import type { modelInputSchema } from '../../../shared/tinker/datum.ts';
import {
  datumJson,
  datumSchema,
  dtypeOfInput,
  lossInputsSchema,
  type WireDatum,
} from '../../../shared/tinker/datum.ts';
import { decodeNumbers, dtypeOf, dtypes, encodeNumbers, type Dtype } from './numbers.ts';
import { ProtoError, protoFields, protoInts, protoText, ProtoWriter } from './protoBytes.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { defined } from '../../../shared/defined.ts';

const inputSchema = z.object({
  data: z.array(datumSchema),
  loss_fn: z.string(),
  loss_fn_config: z.record(z.string(), z.number()).nullish(),
});

/** Body of `/forward_backward` and `/forward`. */
export const trainRequestSchema = z.object({
  model_id: z.string(),
  seq_id: z.int().positive().nullish(),
  forward_backward_input: inputSchema.optional(),
  forward_input: inputSchema.optional(),
});

export const trainResultSchema = z.object({
  loss_fn_outputs: z.array(lossInputsSchema),
  metrics: z.record(z.string(), z.number()).nullish(),
});

export const tokensOf = ({ chunks }: z.infer<typeof modelInputSchema>): number[] =>
  chunks.flatMap(({ tokens }) => tokens);

export interface TrainRequest {
  modelId: string;
  seqId: number | null;
  data: readonly WireDatum[];
  loss: string;
  config: Readonly<Record<string, number>>;
  forwardOnly: boolean;
}

export interface TrainResult {
  /** Per datum: logprob of each target. */
  logprobs: readonly (readonly number[])[];
  metrics: Readonly<Record<string, number>>;
}

export function trainRequestJson(request: TrainRequest): unknown {
  const { modelId, seqId, data, loss, config, forwardOnly } = request;
  const input = {
    data: data.map(datumJson),
    loss_fn: loss,
    ...(Object.keys(config).length > 0 && { loss_fn_config: config }),
  };
  const head = { model_id: modelId, ...defined({ seq_id: seqId ?? undefined }) };
  return forwardOnly ? { ...head, forward_input: input } : { ...head, forward_backward_input: input };
}

/** Null when neither input is there. */
export function trainRequestOf(body: z.infer<typeof trainRequestSchema>): TrainRequest | null {
  const input = body.forward_backward_input ?? body.forward_input;
  if (input === undefined) return null;
  return {
    modelId: body.model_id,
    seqId: body.seq_id ?? null,
    data: input.data.map(({ model_input, loss_fn_inputs }) => ({
      tokens: tokensOf(model_input),
      inputs: Object.fromEntries(Object.entries(loss_fn_inputs).map(([name, { data }]) => [name, data])),
    })),
    loss: input.loss_fn,
    config: input.loss_fn_config ?? {},
    forwardOnly: body.forward_backward_input === undefined,
  };
}

export function encodeTrainRequest(request: TrainRequest): Uint8Array {
  const writer = new ProtoWriter().string(1, request.modelId).int(2, request.seqId ?? 0);
  for (const { tokens, inputs } of request.data) {
    writer.message(3, (datum) => {
      datum.message(1, (chunk) => chunk.message(1, (text) => text.bytes(1, encodeNumbers(tokens, 'int32'))));
      for (const [name, values] of Object.entries(inputs)) {
        const dtype = dtypeOfInput(name);
        datum.message(2, (entry) =>
          entry
            .string(1, name)
            .message(2, (tensor) =>
              tensor.bytes(1, encodeNumbers(values, dtype)).int(3, dtypes.indexOf(dtype)).ints(4, [values.length]),
            ),
        );
      }
    });
  }
  writer.string(4, request.loss);
  for (const [name, value] of Object.entries(request.config)) {
    writer.message(5, (entry) => entry.string(1, name).double(2, value));
  }
  return writer.bool(6, request.forwardOnly).finish();
}

/** @throws ProtoError */
export function decodeTrainRequest(bytes: Uint8Array): TrainRequest {
  const request = { modelId: '', seqId: null, data: [], loss: '', config: {}, forwardOnly: false };
  const data: WireDatum[] = [];
  const config: Record<string, number> = {};
  let { modelId, loss, forwardOnly } = request;
  let seqId: number | null = null;
  for (const field of protoFields(bytes)) {
    if (field.number === 1) modelId = protoText(field.bytes);
    else if (field.number === 2) seqId = field.value === 0 ? null : field.value;
    else if (field.number === 3) data.push(decodeDatum(field.bytes));
    else if (field.number === 4) loss = protoText(field.bytes);
    else if (field.number === 5) {
      const [name, value] = decodeEntry(field.bytes);
      config[name] = value.value;
    } else if (field.number === 6) forwardOnly = field.value !== 0;
  }
  return { modelId, seqId, data, loss, config, forwardOnly };
}

function decodeDatum(bytes: Uint8Array): WireDatum {
  const tokens: number[] = [];
  const inputs: Record<string, number[]> = {};
  for (const field of protoFields(bytes)) {
    if (field.number === 1) append(tokens, decodeChunk(field.bytes));
    else if (field.number === 2) {
      const [name, value] = decodeEntry(field.bytes);
      inputs[name] = decodeTensor(value.bytes);
    }
  }
  return { tokens, inputs };
}

/** @throws ProtoError for images and other chunks that are no text */
function decodeChunk(bytes: Uint8Array): number[] {
  const tokens: number[] = [];
  for (const field of protoFields(bytes)) {
    if (field.number !== 1) throw new ProtoError(l10n.t('Only text chunks are understood here.'));
    for (const inner of protoFields(field.bytes)) {
      if (inner.number === 1) append(tokens, decodeNumbers(inner.bytes, 'int32'));
    }
  }
  return tokens;
}

/** Key and value of a map. */
function decodeEntry(bytes: Uint8Array): [string, { value: number; bytes: Uint8Array }] {
  let key = '';
  let found = { value: 0, bytes: new Uint8Array() };
  for (const { number, value, bytes: inner } of protoFields(bytes)) {
    if (number === 1) key = protoText(inner);
    else if (number === 2) found = { value, bytes: Uint8Array.from(inner) };
  }
  return [key, found];
}

function decodeTensor(bytes: Uint8Array): number[] {
  let dense = new Uint8Array();
  let dtype: Dtype = 'unspecified';
  for (const { number, value, bytes: inner } of protoFields(bytes)) {
    if (number === 1) dense = Uint8Array.from(inner);
    else if (number === 2) throw new ProtoError(l10n.t('Sparse tensors are not understood here.'));
    else if (number === 3) dtype = dtypeOf(value);
  }
  return decodeNumbers(dense, dtype);
}

export function trainResultJson({ logprobs, metrics }: TrainResult): unknown {
  return {
    loss_fn_output_type: 'ArrayRecord',
    loss_fn_outputs: logprobs.map((values) => ({
      logprobs: { data: values, dtype: 'float32', shape: [values.length] },
    })),
    metrics,
  };
}

export function trainResultOf({ loss_fn_outputs, metrics }: z.infer<typeof trainResultSchema>): TrainResult {
  return { logprobs: loss_fn_outputs.map(({ logprobs }) => logprobs?.data ?? []), metrics: metrics ?? {} };
}

export function encodeTrainResult({ logprobs, metrics }: TrainResult): Uint8Array {
  const offsets = [0];
  for (const values of logprobs) offsets.push((offsets.at(-1) ?? 0) + values.length * 4);
  const writer = new ProtoWriter().string(1, 'ArrayRecord').message(2, (record) =>
    record
      .string(1, 'ArrayRecord')
      .message(2, (entry) =>
        entry
          .string(1, 'logprobs')
          .message(2, (tensor) =>
            tensor
              .bytes(1, encodeNumbers(logprobs.flat(), 'float32'))
              .bytes(2, encodeNumbers(offsets, 'int64'))
              .int(3, dtypes.indexOf('float32')),
          ),
      )
      .int(3, logprobs.length),
  );
  for (const [name, value] of Object.entries(metrics)) {
    writer.message(3, (entry) => entry.string(1, name).double(2, value));
  }
  return writer.finish();
}

/** @throws ProtoError */
export function decodeTrainResult(bytes: Uint8Array): TrainResult {
  const logprobs: number[][] = [];
  const metrics: Record<string, number> = {};
  for (const field of protoFields(bytes)) {
    if (field.number === 2) append(logprobs, decodeRecord(field.bytes));
    else if (field.number === 3) {
      const [name, { value }] = decodeEntry(field.bytes);
      metrics[name] = value;
    }
  }
  return { logprobs, metrics };
}

/** The `logprobs` of an ArrayRecord, cut into its datums. */
function decodeRecord(bytes: Uint8Array): number[][] {
  for (const field of protoFields(bytes)) {
    if (field.number !== 2) continue;
    const [name, { bytes: tensor }] = decodeEntry(field.bytes);
    if (name === 'logprobs') return decodeBatched(tensor);
  }
  return [];
}

function decodeBatched(bytes: Uint8Array): number[][] {
  let data = new Uint8Array();
  let offsets: number[] = [];
  let dtype: Dtype = 'unspecified';
  for (const field of protoFields(bytes)) {
    if (field.number === 1) data = Uint8Array.from(field.bytes);
    else if (field.number === 2) offsets = decodeNumbers(field.bytes, 'int64');
    else if (field.number === 3) dtype = dtypeOf(field.value);
    else if (field.number === 4 && protoInts(field).some((size) => size !== 1)) {
      throw new ProtoError(l10n.t('Logprobs of more than one number a token are not understood here.'));
    }
  }
  return offsets.slice(1).map((end, i) => decodeNumbers(data.subarray(offsets[i] ?? outOfRange(), end), dtype));
}
