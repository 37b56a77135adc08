/**
 * Messages between `EmbeddedPolicy` and its worker. A call carries an id and is answered once, by a result or an error;
 * `sample` streams completions before its result. Arrays of numbers travel as transferred typed arrays.
 */
import * as z from 'zod';
import { embeddedErrorReasons } from './errors.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const ints = z.instanceof(Int32Array);
const floats = z.instanceof(Float32Array);
const count = z.int().nonnegative();

/** Many token sequences in one array: sequence i is `tokens[offsets[i] … offsets[i+1])`. */
const sequencesSchema = z.strictObject({ tokens: ints, offsets: ints });
export type FlatSequences = z.infer<typeof sequencesSchema>;

/** Handed to the worker when it starts. */
export const workerDataSchema = z.strictObject({
  /** Compiled in the main thread, where no two compilations can meet (compileKernels.ts). */
  kernels: z.custom<WebAssembly.Module>((value) => value instanceof WebAssembly.Module),
  weights: bytes,
  /** How messages name the weights. */
  source: z.string(),
  /** Folder of checkpoints, made when the first one is written. */
  checkpoints: z.string(),
});
export type WorkerData = z.infer<typeof workerDataSchema>;

const lossSchema = z.discriminatedUnion('name', [
  z.strictObject({ name: z.literal('cross_entropy') }),
  z.strictObject({ name: z.literal('importance_sampling') }),
  z.strictObject({ name: z.enum(['ppo', 'cispo']), clipLow: z.number(), clipHigh: z.number() }),
]);

const adamSchema = z.strictObject({
  learningRate: z.number().nonnegative(),
  beta1: z.number().min(0).lt(1),
  beta2: z.number().min(0).lt(1),
  epsilon: z.number().positive(),
  weightDecay: z.number().nonnegative(),
  gradClipNorm: z.number().nonnegative(),
});

const tokenRequestSchema = z.strictObject({
  prompt: z.array(count).readonly(),
  indices: z.array(count).readonly(),
  seed: count,
  maxTokens: z.int().positive(),
  temperature: z.number().nonnegative(),
  tempered: z.boolean(),
});

const call = { id: count };

export const toWorkerSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...call, type: z.literal('publish'), name: z.string() }),
  z.strictObject({ ...call, type: z.literal('sample'), version: z.string(), requests: z.array(tokenRequestSchema) }),
  z.strictObject({ ...call, type: z.literal('score'), version: z.string(), sequences: sequencesSchema }),
  z.strictObject({ ...call, type: z.literal('entropies'), version: z.string(), sequences: sequencesSchema }),
  z.strictObject({
    ...call,
    type: z.literal('accumulate'),
    sequences: sequencesSchema,
    /** Aligned with `sequences.tokens`: weights, or sampling logprobs and advantages. */
    weights: floats.optional(),
    logprobs: floats.optional(),
    advantages: floats.optional(),
    loss: lossSchema,
  }),
  z.strictObject({ ...call, type: z.literal('step'), adam: adamSchema }),
  z.strictObject({ ...call, type: z.literal('checkpoint'), name: z.string() }),
  /** The state as a weights file, for who keeps checkpoints elsewhere; without `moments` only what sampling needs. */
  z.strictObject({ ...call, type: z.literal('export'), moments: z.boolean() }),
  /** Publishes the weights of a file: another worker trained them. */
  z.strictObject({ ...call, type: z.literal('adopt'), name: z.string(), weights: bytes }),
  /** Gives up call `id`, at once when it is running, before it starts when it waits. */
  z.strictObject({ ...call, type: z.literal('abort') }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;
/** A call's message: everything but its id. */
export type Call = ToWorker extends infer T ? (T extends { type: 'abort' } ? never : Omit<T, 'id'>) : never;

/** Completions i of `requests[i]`, number `indices[i]` of its n; `stopped[i]` is 1 for the end word, 0 for length. */
const completionsSchema = z.strictObject({
  ...call,
  type: z.literal('completions'),
  requests: ints,
  indices: ints,
  stopped: ints,
  sequences: sequencesSchema,
  logprobs: floats,
});
export type Completions = z.infer<typeof completionsSchema>;

/** An `EmbeddedError`, which loses its class between threads. */
const failure = { reason: z.enum(embeddedErrorReasons), message: z.string(), code: z.string() };

export const fromWorkerSchema = z.discriminatedUnion('type', [
  /** The model is loaded. */
  z.strictObject({ type: z.literal('ready') }),
  /** It could not be. */
  z.strictObject({ ...failure, type: z.literal('refused') }),
  completionsSchema,
  /** `publish` and `adopt`, and the end of `sample`. */
  z.strictObject({ ...call, type: z.literal('done') }),
  /** Of `score` and `entropies`: one value a token. */
  z.strictObject({ ...call, type: z.literal('scored'), values: floats }),
  z.strictObject({ ...call, type: z.literal('accumulated'), loss: z.number(), logprobs: floats }),
  z.strictObject({ ...call, type: z.literal('stepped'), gradNorm: z.number() }),
  z.strictObject({ ...call, type: z.literal('saved'), handle: z.string() }),
  z.strictObject({ ...call, type: z.literal('exported'), weights: bytes }),
  z.strictObject({ ...call, ...failure, type: z.literal('failed') }),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
/** A reply to a call. */
export type Reply = Exclude<FromWorker, { type: 'ready' | 'refused' }>;
export type Answer = Exclude<Reply, { type: 'completions' | 'failed' }>;

export function flatten(sequences: readonly (readonly number[])[]): FlatSequences {
  const offsets = new Int32Array(sequences.length + 1);
  sequences.forEach((sequence, i) => (offsets[i + 1] = (offsets[i] ?? outOfRange()) + sequence.length));
  const tokens = new Int32Array(offsets.at(-1) ?? 0);
  sequences.forEach((sequence, i) => {
    tokens.set(sequence, offsets[i]);
  });
  return { tokens, offsets };
}

export function flattenFloats(arrays: readonly (readonly number[])[], length: number): Float32Array<ArrayBuffer> {
  const flat = new Float32Array(length);
  let at = 0;
  for (const array of arrays) {
    flat.set(array, at);
    at += array.length;
  }
  return flat;
}

/** Cuts an array that is aligned with the tokens of flat sequences into one list a sequence. */
export function unflatten(values: Int32Array | Float32Array, offsets: Int32Array): number[][] {
  return Array.from(offsets.subarray(1), (end, i) => Array.from(values.subarray(offsets[i], end)));
}
