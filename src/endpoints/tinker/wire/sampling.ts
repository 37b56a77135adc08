/** `asample`: what is asked and answered, as JSON and as protobuf (protocol §9, §11). */
import * as z from 'zod';
import { modelInputSchema } from '../../../shared/tinker/datum.ts';
import { decodeNumbers, encodeNumbers } from './numbers.ts';
import { protoFields, ProtoWriter } from './protoBytes.ts';

/** Body of `/asample`. Requests carry more; what is not named here does not change the answer. */
export const sampleRequestSchema = z.object({
  sampling_session_id: z.string().nullish(),
  seq_id: z.int().nullish(),
  base_model: z.string().nullish(),
  model_path: z.string().nullish(),
  num_samples: z.int().positive().default(1),
  prompt: modelInputSchema,
  sampling_params: z.object({
    max_tokens: z.int().positive().nullish(),
    seed: z.int().nullish(),
    stop: z.union([z.string(), z.array(z.string()), z.array(z.int())]).nullish(),
    temperature: z.number().nonnegative().default(1),
    top_k: z.int().default(-1),
    top_p: z.number().default(1),
  }),
  prompt_logprobs: z.boolean().nullish(),
  topk_prompt_logprobs: z.int().nonnegative().nullish(),
});

const logprob = z.number().nullable();

export const sampleResultSchema = z.object({
  sequences: z.array(
    z.object({
      stop_reason: z.enum(['stop', 'length']),
      tokens: z.array(z.int().nonnegative()),
      logprobs: z.array(z.number()).nullish(),
    }),
  ),
  /** The first token has none. */
  prompt_logprobs: z.array(logprob).nullish(),
});

export interface SampleResult {
  sequences: readonly {
    stopReason: 'stop' | 'length';
    tokens: readonly number[];
    /** Null when the server gave none. */
    logprobs: readonly number[] | null;
  }[];
  promptLogprobs: readonly (number | null)[] | null;
}

export function sampleResultJson({ sequences, promptLogprobs }: SampleResult): unknown {
  return {
    type: 'sample',
    sequences: sequences.map(({ stopReason, tokens, logprobs }) => ({ stop_reason: stopReason, tokens, logprobs })),
    prompt_logprobs: promptLogprobs,
    topk_prompt_logprobs: null,
  };
}

export function sampleResultOf({ sequences, prompt_logprobs }: z.infer<typeof sampleResultSchema>): SampleResult {
  return {
    sequences: sequences.map(({ stop_reason, tokens, logprobs }) => ({
      stopReason: stop_reason,
      tokens,
      logprobs: logprobs ?? null,
    })),
    promptLogprobs: prompt_logprobs ?? null,
  };
}

const stopReasons = ['stop', 'length'] as const;

export function encodeSampleResult({ sequences, promptLogprobs }: SampleResult): Uint8Array {
  const writer = new ProtoWriter();
  for (const { stopReason, tokens, logprobs } of sequences) {
    writer.message(1, (sequence) => {
      sequence.int(1, stopReasons.indexOf(stopReason)).bytes(2, encodeNumbers(tokens, 'int32'));
      if (logprobs !== null) sequence.bytes(3, encodeNumbers(logprobs, 'float32'));
    });
  }
  if (promptLogprobs !== null) {
    const values = promptLogprobs.map((value) => value ?? NaN);
    writer.bytes(2, encodeNumbers(values, 'float32'));
  }
  return writer.finish();
}

/** @throws ProtoError */
export function decodeSampleResult(bytes: Uint8Array): SampleResult {
  const sequences: SampleResult['sequences'][number][] = [];
  let promptLogprobs: (number | null)[] | null = null;
  for (const field of protoFields(bytes)) {
    if (field.number === 1) sequences.push(decodeSequence(field.bytes));
    else if (field.number === 2) {
      promptLogprobs = decodeNumbers(field.bytes, 'float32').map((value) => (Number.isNaN(value) ? null : value));
    }
  }
  return { sequences, promptLogprobs };
}

function decodeSequence(bytes: Uint8Array): SampleResult['sequences'][number] {
  let stopReason: 'stop' | 'length' = 'stop';
  let tokens: number[] = [];
  let logprobs: number[] | null = null;
  for (const { number, value, bytes: inner } of protoFields(bytes)) {
    if (number === 1) stopReason = stopReasons[value] ?? 'length';
    else if (number === 2) tokens = decodeNumbers(inner, 'int32');
    else if (number === 3) logprobs = decodeNumbers(inner, 'float32');
  }
  return { stopReason, tokens, logprobs };
}
