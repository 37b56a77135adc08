/** A policy's endpoint, one schema a kind. A file never contains keys, only where to find them. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { keyBeside, secretIn } from './addressField.ts';
import { keyReferencePattern } from './keyField.ts';
import { sshAddressPattern } from './sshAddress.ts';

export const keyReference = z
  .string()
  .regex(keyReferencePattern, {
    error: () => l10n.t('A key is never written into a file: give ${env:NAME} or ${secret:NAME}.'),
  })
  .describe('a reference: ${env:NAME} or ${secret:NAME}')
  .nullable()
  .describe('Where the key is found: ${env:NAME} or ${secret:NAME}; null where none is needed.');

const isFreeOfSecrets = (address: string): boolean => secretIn(address) === null;
const heldSecret = {
  error: (): string => l10n.t('An address never holds a user, a password or a key. {0}', keyBeside()),
};

/** One server's address. */
export const webAddress = z.url({ protocol: /^https?$/ }).refine(isFreeOfSecrets, heldSecret);

const tokenizer = z
  .string()
  .refine(isFreeOfSecrets, heldSecret)
  .nullable()
  .describe('Folder with tokenizer.json, or a name on the hub; null: what the server names.');

const inFlight = z.int().positive().nullable().describe('Most requests in flight at once; null: found while running.');

const price = (of: string) =>
  z.number().nonnegative().nullable().optional().describe(`Price of ${of}, in any currency, the same for all prices.`);

const pricePerHour = price('an hour of the server with all its GPUs');
const sampling = {
  pricePrompt: price('a million prompt tokens'),
  priceSampled: price('a million sampled tokens'),
};

/** A small language model inside this program. */
const embeddedEndpoint = z.strictObject({
  kind: z.literal('embedded'),
  /** Shipped warm start (`agent`, `environment`) or a file made by `npm run pretrain`. */
  weights: z.string().describe('Warm-start weights: `agent`, `environment`, or a path to a weights file.'),
  pricePerHour,
});

/** A server that speaks the Tinker protocol: the hosted service, SkyRL, `genenv serve`. */
const tinkerEndpoint = z.strictObject({
  kind: z.literal('tinker'),
  url: webAddress,
  key: keyReference,
  model: z.string().min(1).describe('Base model, as the server names it.'),
  rank: z.int().nonnegative().describe('LoRA rank; 0 is full fine-tuning, where the server can.'),
  tokenizer,
  inFlight,
  pricePerHour,
  ...sampling,
  priceTrained: price('a million tokens that are trained on, prompts included'),
});
export type TinkerEndpoint = z.infer<typeof tinkerEndpoint>;

/** Servers of the OpenAI form, which only sample: vLLM, SGLang, llama.cpp, Ollama, hosted ones, `genenv serve`. */
const openaiEndpoint = z.strictObject({
  kind: z.literal('openai'),
  url: z
    .string()
    .regex(
      /^\s*https?:\/\/[^\s,/?#]+[^\s,]*([\s,]+https?:\/\/[^\s,/?#]+[^\s,]*)*\s*$/,
      'Give an address that begins with http:// or https://, or several with blanks between them.',
    )
    .refine(isFreeOfSecrets, heldSecret)
    .describe('Base address, usually ending in /v1; several with blanks between them are replicas.'),
  key: keyReference,
  model: z.string().min(1).describe('Model, as the server names it.'),
  tokenizer: z
    .string()
    .refine(isFreeOfSecrets, heldSecret)
    .nullable()
    .describe('Folder with tokenizer.json, or a name on the hub; null: the server renders the conversation itself.'),
  inFlight,
  pricePerHour,
  ...sampling,
});
export type OpenaiEndpoint = z.infer<typeof openaiEndpoint>;

/** A distributed trainer that runs whole jobs (verl), and the server that samples the trained policy (vLLM). */
const verlEndpoint = z.strictObject({
  kind: z.literal('verl'),
  url: z
    .string()
    .regex(new RegExp(`^(https?://[^\\s/?#]+[^\\s]*|${sshAddressPattern}|local:)$`), {
      error: () =>
        l10n.t('Give the address of a Ray dashboard (http://…), ssh://user@host, or local: for this machine.'),
    })
    .refine(isFreeOfSecrets, heldSecret)
    .describe('Where jobs are submitted: a Ray dashboard (http://…), ssh://user@host, or local: for this machine.'),
  key: keyReference,
  model: z.string().min(1).describe('Base model: a name on the hub, or a folder that the cluster sees.'),
  rank: z.int().nonnegative().describe('LoRA rank; 0 is full fine-tuning.'),
  workdir: z
    .string()
    .regex(/^[^-]/, { error: () => l10n.t('Give a path that begins with no hyphen.') })
    .describe('Folder that jobs read and write, as the cluster sees it.'),
  mount: z
    .string()
    .nullable()
    .describe('The same folder as this machine sees it; null: under the same name, or over SSH.'),
  nodes: z.int().positive(),
  gpus: z.int().positive().describe('GPUs of a node.'),
  overrides: z.string().describe('More Hydra overrides for the jobs, with blanks between them; they win.'),
  sampler: z
    .url({ protocol: /^https?$/ })
    .refine(isFreeOfSecrets, heldSecret)
    .describe('Base address of the vLLM server that samples the trained weights, usually ending in /v1.'),
  samplerKey: keyReference,
  inFlight,
  pricePerHour,
});
export type VerlEndpoint = z.infer<typeof verlEndpoint>;

export const endpointSchema = z.discriminatedUnion('kind', [
  embeddedEndpoint,
  tinkerEndpoint,
  openaiEndpoint,
  verlEndpoint,
]);
export type Endpoint = z.infer<typeof endpointSchema>;

const priceless = { pricePerHour: null, pricePrompt: null, priceSampled: null };

/** The endpoint of each kind when the file gives only the kind. */
export const endpointDefaults: { [K in Exclude<Endpoint['kind'], 'embedded'>]: Extract<Endpoint, { kind: K }> } = {
  tinker: {
    kind: 'tinker',
    url: 'https://tinker.thinkingmachines.dev/services/tinker-prod',
    key: '${env:TINKER_API_KEY}',
    model: 'Qwen/Qwen3-8B',
    rank: 32,
    tokenizer: null,
    inFlight: null,
    ...priceless,
    priceTrained: null,
  },
  openai: {
    kind: 'openai',
    url: 'http://127.0.0.1:8000/v1',
    key: null,
    model: 'Qwen/Qwen3-8B',
    tokenizer: null,
    inFlight: null,
    ...priceless,
  },
  verl: {
    kind: 'verl',
    url: 'http://127.0.0.1:8265',
    key: null,
    model: 'Qwen/Qwen3-8B',
    rank: 32,
    workdir: '/shared/genenv',
    mount: null,
    nodes: 1,
    gpus: 8,
    overrides: '',
    sampler: 'http://127.0.0.1:8000/v1',
    samplerKey: null,
    inFlight: null,
    pricePerHour: null,
  },
};

type DefaultedKind = keyof typeof endpointDefaults;

/** Whether a file's endpoint of this kind is laid over the kind's defaults. */
export const hasDefaults = (kind: unknown): kind is DefaultedKind =>
  typeof kind === 'string' && Object.hasOwn(endpointDefaults, kind);
