/** The documented knowledge and messages of each kind of server. */

export type Kind = 'vllm' | 'sglang' | 'llama.cpp' | 'ollama';

export const model = 'qwen';
export const slots = 2;

export interface Quirks {
  /** Fields that it understands. */
  known: readonly string[];
  /** Its completions of one request have seeds of their own, one after the other; null where it makes only one. */
  seeds: 'own' | 'shared' | null;
  /** Field of a message that has the reasoning. */
  reasoning: 'reasoning' | 'reasoning_content';
  /** Errors stand at the top of the body. */
  flatErrors: boolean;
  /** A request that does not fit is refused; else messages are dropped. */
  refusesLong: boolean;
  /** Its answer to tools when it was not started for them. */
  noTools: { status: number; message: string };
  /** Its own calls. */
  calls(context: number): Record<string, unknown>;
  /** Of `/v1/models`. */
  entry(context: number): object;
  /** Prometheus text; null where it has none. */
  metrics: string | null;
}

const common = [
  'model',
  'messages',
  'temperature',
  'top_p',
  'max_tokens',
  'seed',
  'stop',
  'tools',
  'response_format',
  'stream',
  'stream_options',
  'logprobs',
  'top_logprobs',
];
const engine = [...common, 'n', 'top_k', 'min_p', 'repetition_penalty', 'prompt', 'stop_token_ids'];

export const quirks: Readonly<Record<Kind, Quirks>> = {
  vllm: {
    known: [
      ...[...engine, 'return_token_ids', 'return_tokens_as_token_ids', 'prompt_logprobs'],
      ...['structured_outputs', 'guided_json'],
    ],
    seeds: 'own',
    reasoning: 'reasoning',
    flatErrors: false,
    refusesLong: true,
    noTools: {
      status: 400,
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    },
    calls: () => ({ '/version': { version: '0.14.1' } }),
    entry: (context) => ({ id: model, owned_by: 'vllm', root: model, parent: null, max_model_len: context }),
    metrics: [
      '# TYPE vllm:num_requests_running gauge',
      `vllm:num_requests_running{engine="0",model_name="${model}"} 3.0`,
      `vllm:num_requests_waiting{engine="0",model_name="${model}"} 1.0`,
      `vllm:kv_cache_usage_perc{engine="0",model_name="${model}"} 0.25`,
    ].join('\n'),
  },
  sglang: {
    known: [...engine, 'return_token_ids', 'return_prompt_token_ids'],
    seeds: 'shared',
    reasoning: 'reasoning_content',
    flatErrors: true,
    refusesLong: true,
    noTools: { status: 400, message: 'tools are not supported without --tool-call-parser' },
    calls: () => ({
      '/get_model_info': { model_path: model, is_generation: true },
      '/get_server_info': { version: '0.5.7', model_path: model },
    }),
    entry: (context) => ({ id: model, owned_by: 'somebody', root: model, parent: null, max_model_len: context }),
    metrics: null,
  },
  'llama.cpp': {
    known: [...common, 'top_k', 'min_p', 'repeat_penalty', 'json_schema'],
    seeds: null,
    reasoning: 'reasoning_content',
    flatErrors: false,
    refusesLong: true,
    noTools: { status: 500, message: 'tools param requires --jinja flag' },
    calls: (context) => ({
      '/props': {
        ...{ total_slots: slots, default_generation_settings: { n_ctx: context } },
        ...{ chat_template: '{{ messages }}', build_info: 'b7100-abcdef0' },
      },
    }),
    entry: () => ({ id: model, owned_by: 'llamacpp', meta: { n_ctx_train: 32768 } }),
    metrics: ['llamacpp:requests_processing 1', 'llamacpp:requests_deferred 0'].join('\n'),
  },
  ollama: {
    known: common,
    seeds: null,
    reasoning: 'reasoning',
    flatErrors: false,
    refusesLong: false,
    noTools: { status: 400, message: `registry.ollama.ai/library/${model}:latest does not support tools` },
    calls: (context) => ({
      '/api/version': { version: '0.12.0' },
      '/api/ps': { models: [{ name: `${model}:latest`, context_length: context }] },
    }),
    entry: () => ({ id: `${model}:latest`, owned_by: 'library' }),
    metrics: null,
  },
};
