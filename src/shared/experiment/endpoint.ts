/** Where a policy lives, one schema a kind. Keys never stand in a file: only where they are found. */
import * as z from 'zod';

/** `${env:NAME}`: an environment variable; `${secret:NAME}`: the editor's secret storage. */
const keyReference = z
  .string()
  .regex(
    /^\$\{(?:env|secret):[A-Za-z_][\w.-]*\}$/,
    'A key is never written into a file: give ${env:NAME} or ${secret:NAME}.',
  )
  .nullable()
  .describe('Where the key is found: ${env:NAME} or ${secret:NAME}; null where none is needed.');

/** Replicas of one server; requests are balanced over them. */
const urls = z
  .array(z.url({ protocol: /^https?$/ }))
  .min(1)
  .describe('Base addresses; several are replicas of one server.');

const tokenizer = z
  .string()
  .nullable()
  .describe('Folder with tokenizer.json, or a name on the hub; null: what the server names.');

const inFlight = z.int().positive().nullable().describe('Most requests in flight at once; null: found while running.');

/** A small language model inside this program. */
export const embeddedEndpoint = z.strictObject({
  kind: z.literal('embedded'),
  /** Shipped warm start (`agent`, `environment`) or a file made by `npm run pretrain`. */
  weights: z.string().describe('Warm-start weights: `agent`, `environment`, or a path to a weights file.'),
});

/** A server that speaks the Tinker protocol: the hosted service, SkyRL, `genenv serve`. */
export const tinkerEndpoint = z.strictObject({
  kind: z.literal('tinker'),
  url: z.url({ protocol: /^https?$/ }),
  key: keyReference,
  model: z.string().min(1).describe('Base model, as the server names it.'),
  rank: z.int().nonnegative().describe('LoRA rank; 0 is full fine-tuning, where the server can.'),
  tokenizer,
  inFlight,
});
export type TinkerEndpoint = z.infer<typeof tinkerEndpoint>;

/** A server of chat completions: vLLM, SGLang, llama.cpp, Ollama, hosted. Only samples. */
export const openaiEndpoint = z.strictObject({
  kind: z.literal('openai'),
  urls,
  key: keyReference,
  model: z.string().min(1),
  tokenizer,
  inFlight,
});
export type OpenaiEndpoint = z.infer<typeof openaiEndpoint>;

/** Where a verl job is started. */
const launcher = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ray'), url: z.url({ protocol: /^https?$/ }), key: keyReference }),
  z.strictObject({ kind: z.literal('ssh'), host: z.string().min(1).describe('As ssh knows it.') }),
  z.strictObject({ kind: z.literal('local') }),
]);

/** verl on an existing cluster: whole jobs an epoch, and a server that samples from what they trained. */
export const verlEndpoint = z.strictObject({
  kind: z.literal('verl'),
  launcher,
  model: z.string().min(1).describe('Path or hub name of the model, as the cluster finds it.'),
  workdir: z.string().min(1).describe('Folder that this machine and the cluster share, as the cluster names it.'),
  mount: z.string().nullable().describe('The same folder as this machine names it; null: by the same name.'),
  loraRank: z.int().nonnegative(),
  gpus: z.int().positive().describe('GPUs a job.'),
  /** Hydra overrides, on top of what the experiment says. */
  overrides: z.record(z.string(), z.string()),
  sampler: z
    .strictObject({ urls, key: keyReference })
    .describe('vLLM with LoRA loading at run time: what the tasks are written by, and what is validated.'),
});
export type VerlEndpoint = z.infer<typeof verlEndpoint>;

export const endpointSchema = z.discriminatedUnion('kind', [
  embeddedEndpoint,
  tinkerEndpoint,
  openaiEndpoint,
  verlEndpoint,
]);
export type Endpoint = z.infer<typeof endpointSchema>;
