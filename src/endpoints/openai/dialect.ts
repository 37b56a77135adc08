/**
 * The parameters that each kind of server understands: others are not sent, since servers ignore unknown fields
 * silently or refuse them. Sampling parameters are given in full, because their defaults are the model's or the
 * server's own.
 */

import * as l10n from '@vscode/l10n';
import type { ShapeWay } from './shapes.ts';

/** How to sample, in the words of some servers. */
export interface SamplingFields {
  top_p: number;
  top_k?: number;
  min_p?: number;
  repetition_penalty?: number;
  repeat_penalty?: number;
  /** JSON: fields of transformers' own configuration. */
  generation_config?: string;
}

/** How to be told token ids, in the words of some servers. */
export interface IdFields {
  return_token_ids: true;
  return_prompt_token_ids?: true;
  return_tokens_as_token_ids?: true;
}

export interface Dialect {
  /** For people. */
  title: string;
  /** Its name for the most new tokens. */
  maxTokens: 'max_tokens' | 'max_completion_tokens';
  /** Whether one request may ask for several completions that differ. */
  several: boolean;
  /** Samples from the whole distribution. */
  whole: Readonly<SamplingFields>;
  /** Has it tell token ids; null where it cannot. */
  tokenIds: Readonly<IdFields> | null;
  /** Whether a prompt may be token ids, and whether it can be scored. */
  tokensIn: boolean;
  scores: boolean;
  /** Whether logprobs are known to be of temperature 1, whatever the temperature sampled with. */
  untempered: boolean;
  /** Whether a tool's answer may stand without the call it answers. */
  freeTools: boolean;
  /** How it may be asked for an answer of a form; the newest first. */
  shapes: readonly ShapeWay[];
  /** How it is started so that it takes tools, for people. */
  toolsWith?: () => string;
  /** Messages that do not fit are left out without a word. */
  drops: boolean;
  /** The sampling parameters that a request cannot set, for people. */
  fixed?: () => string;
}

export type ServerKind = 'vllm' | 'sglang' | 'llama.cpp' | 'ollama' | 'transformers' | 'genenv' | 'hosted' | 'unknown';

const plain: Omit<Dialect, 'title'> = {
  ...{ maxTokens: 'max_tokens', several: false, whole: { top_p: 1 }, tokenIds: null, tokensIn: false, scores: false },
  ...{ untempered: false, freeTools: true, drops: false, shapes: ['response_format'] },
};
const tokens = {
  whole: { top_p: 1, top_k: -1, min_p: 0, repetition_penalty: 1 },
  tokenIds: { return_token_ids: true as const },
  ...{ tokensIn: true, scores: true },
};

/** Of a server that refuses what it does not know. */
export const strict = (dialect: Dialect): Dialect => ({
  ...dialect,
  whole: plain.whole,
  fixed: () => l10n.t('it refuses top_k and min_p, so its own hold, if it has any'),
});

export const dialects: Readonly<Record<ServerKind, Dialect>> = {
  vllm: {
    ...{ ...plain, ...tokens, title: 'vLLM', several: true },
    // Those that do not know the first know the second.
    tokenIds: { return_token_ids: true, return_tokens_as_token_ids: true },
    shapes: ['response_format', 'structured_outputs', 'guided_json'],
    toolsWith: () => l10n.t('Start vLLM with --enable-auto-tool-choice and the --tool-call-parser of the model.'),
  },
  // Its completions of one request may share the seed.
  sglang: {
    ...{ ...plain, ...tokens, title: 'SGLang', scores: false },
    tokenIds: { return_token_ids: true, return_prompt_token_ids: true },
    toolsWith: () => l10n.t('Start SGLang with the --tool-call-parser of the model.'),
  },
  'llama.cpp': {
    ...{ ...plain, title: 'llama.cpp', whole: { top_p: 1, top_k: 0, min_p: 0, repeat_penalty: 1 } },
    shapes: ['response_format', 'json_schema'],
    toolsWith: () => l10n.t('Start llama-server with --jinja.'),
  },
  ollama: {
    ...{ ...plain, title: 'Ollama', drops: true },
    fixed: () => l10n.t('top_k, min_p and the context come from its own model file'),
    toolsWith: () => l10n.t('Choose a model whose template has tools.'),
  },
  // Asked for a temperature alone, it takes the likeliest token, unless the model's own configuration samples.
  transformers: {
    ...{ ...plain, title: 'transformers serve' },
    whole: { top_p: 1, generation_config: '{"do_sample":true,"top_k":0,"min_p":0,"repetition_penalty":1}' },
    shapes: [],
  },
  genenv: { ...plain, ...tokens, title: 'genenv serve', several: true, untempered: true, shapes: [] },
  hosted: { ...plain, title: 'OpenAI', maxTokens: 'max_completion_tokens', several: true, freeTools: false },
  // Most unknown servers are based on llama.cpp or transformers, whose own top_k and min_p cut the distribution.
  unknown: {
    ...plain,
    title: 'an unknown kind of server',
    freeTools: false,
    whole: { top_p: 1, top_k: 0, min_p: 0 },
  },
};
