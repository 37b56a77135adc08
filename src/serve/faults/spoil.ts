/** Corrupted results: one too few, or with a NaN logprob. */
import { ProtoError, protoFields } from '../../endpoints/tinker/wire/protoBytes.ts';
import { decodeSampleResult, encodeSampleResult } from '../../endpoints/tinker/wire/sampling.ts';
import { decodeTrainResult, encodeTrainResult } from '../../endpoints/tinker/wire/training.ts';
import type { Reply } from '../http/reply.ts';
import { bytesOf } from '../http/reply.ts';

export type Spoiling = 'wrong-count' | 'nan';

/** The same reply when there is nothing in it to spoil. */
export function spoil(reply: Reply, how: Spoiling): Reply {
  if (reply.kind === 'events' || reply.kind === 'empty') return reply;
  const { type, bytes } = bytesOf(reply);
  if (type === 'application/x-protobuf') {
    return { kind: 'bytes', status: reply.status, type, bytes: spoilProtobuf(bytes, how) };
  }
  if (type !== 'application/json') return reply;
  const text = spoilJson(JSON.parse(new TextDecoder().decode(bytes)), how);
  return { kind: 'bytes', status: reply.status, type, bytes: new TextEncoder().encode(text) };
}

const lists = ['sequences', 'loss_fn_outputs', 'choices'];
const marker = '\u0000NaN\u0000';

function spoilJson(value: unknown, how: Spoiling): string {
  if (how === 'wrong-count') {
    const shorter = (key: string, inner: unknown): unknown =>
      lists.includes(key) && Array.isArray(inner) ? inner.slice(0, -1) : inner;
    return JSON.stringify(value, shorter);
  }
  let done = false;
  const place = (inner: unknown): unknown => {
    if (typeof inner === 'number' && !done) {
      done = true;
      return marker;
    }
    if (Array.isArray(inner)) return inner.map((entry: unknown) => place(entry));
    if (typeof inner !== 'object' || inner === null) return inner;
    // The logprob within an entry of a chat's logprobs, or of a tensor.
    const [key, number] =
      Object.entries(inner).find(([name]) => ['logprob', 'data', 'content', 'token_logprobs'].includes(name)) ?? [];
    return key === undefined ? inner : { ...inner, [key]: place(number) };
  };
  const isPlace = (key: string): boolean => key === 'logprobs' || key === 'prompt_logprobs';
  const marked = JSON.stringify(value, (key, inner: unknown) => (isPlace(key) && !done ? place(inner) : inner));
  // As Python's json writes it, which no JSON parser reads.
  return marked.replace(JSON.stringify(marker), 'NaN');
}

function spoilProtobuf(bytes: Uint8Array, how: Spoiling): Uint8Array {
  if (isTraining(bytes)) {
    const { logprobs, metrics } = decodeTrainResult(bytes);
    const spoilt = how === 'nan' ? logprobs.map((values) => values.map(() => NaN)) : logprobs.slice(0, -1);
    return encodeTrainResult({ logprobs: spoilt, metrics });
  }
  const { sequences, promptLogprobs } = decodeSampleResult(bytes);
  if (how === 'wrong-count') return encodeSampleResult({ sequences: sequences.slice(0, -1), promptLogprobs });
  return encodeSampleResult({
    sequences: sequences.map((sequence) => ({ ...sequence, logprobs: sequence.tokens.map(() => NaN) })),
    promptLogprobs: promptLogprobs?.map(() => NaN) ?? null,
  });
}

/** Its first field is the name of its form; that of samples is a sequence. */
function isTraining(bytes: Uint8Array): boolean {
  try {
    const [first] = protoFields(bytes);
    return first !== undefined && Buffer.from(first.bytes).toString('latin1') === 'ArrayRecord';
  } catch (error) {
    if (error instanceof ProtoError) return false;
    throw error;
  }
}
