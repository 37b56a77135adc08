/** Adapters of an SGLang server: its calls stand at the root, and a request names base and adapter together. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { EndpointError } from '../../endpointError.ts';
import { sendForJson } from '../../http/json.ts';
import { loadTimeout, type AdapterCalls, type AdapterFault, type LoadedAdapter } from './adapterCalls.ts';
import type { Connection } from '../connection.ts';
import { loadedAdapters } from '../serverKind.ts';
import { defined } from '../../../shared/defined.ts';

const doneSchema = z.object({ success: z.boolean(), error_message: z.string().nullish() });
const scoredSchema = z.object({
  meta_info: z.object({ input_token_logprobs: z.array(z.tuple([z.number().nullable()], z.unknown())).nullish() }),
});

const start = (): string => l10n.t('Start SGLang with --enable-lora, --max-lora-rank and --lora-target-modules.');

export class SglangAdapters implements AdapterCalls {
  readonly url: string;
  readonly #connection: Connection;
  readonly #base: string;

  constructor(connection: Connection, base: string) {
    this.#connection = connection;
    this.#base = base;
    this.url = connection.http.url;
  }

  loaded(signal: AbortSignal): Promise<LoadedAdapter[]> {
    return loadedAdapters(this.#connection, signal);
  }

  async load(name: string, path: string, signal: AbortSignal): Promise<AdapterFault | null> {
    const { success, error_message } = await this.#post(
      '/load_lora_adapter',
      { lora_name: name, lora_path: path },
      signal,
    );
    if (success) return null;
    const said = error_message ?? l10n.t('it does not say why');
    const late = /no such file|not found|does not exist|no adapter_config/i.test(said);
    return {
      ...{ what: l10n.t('it did not take the adapter {0} from {1}: {2}', name, path, said), reason: 'refused', late },
      ...{ request: 'POST /load_lora_adapter', status: 400 },
      remedy: late
        ? l10n.t('The folder must be on the server’s own disk, or shared with it, under this name: {0}.', path)
        : /rank|target/i.test(said)
          ? l10n.t('{0} Its rank and modules must hold those of the adapter.', start())
          : start(),
    };
  }

  async unload(name: string, signal: AbortSignal): Promise<void> {
    const { success, error_message } = await this.#post('/unload_lora_adapter', { lora_name: name }, signal);
    if (success || /not (found|loaded|exist)|cannot be found/i.test(error_message ?? '')) return;
    throw new EndpointError(
      'refused',
      l10n.t('it did not unload the adapter {0}: {1}', name, error_message ?? l10n.t('no reason given')),
      {
        ...{ endpoint: this.url, request: 'POST /unload_lora_adapter', attempts: 1, status: 400 },
        remedy: l10n.t('See the server’s own log for the cause.'),
      },
    );
  }

  modelOf(name: string): string {
    return `${this.#base}:${name}`;
  }

  async logprobs(name: string | null, text: string, signal: AbortSignal): Promise<number[] | null> {
    const body = {
      ...{ text, sampling_params: { temperature: 0, max_new_tokens: 1 }, return_logprob: true, logprob_start_len: 0 },
      ...defined({ lora_path: name ?? undefined }),
    };
    try {
      const request = { method: 'POST' as const, path: '/generate', body };
      const { meta_info } = await sendForJson(this.#connection.http, request, scoredSchema, signal);
      const values = (meta_info.input_token_logprobs ?? []).flatMap(([value]) => (value === null ? [] : [value]));
      return values.length === 0 ? null : values;
    } catch (error) {
      if (EndpointError.is(error, 'refused')) return null;
      throw error;
    }
  }

  #post(path: string, body: object, signal: AbortSignal): Promise<z.infer<typeof doneSchema>> {
    return sendForJson(
      this.#connection.http,
      { method: 'POST', path, body, timeout: loadTimeout, accept: [400], tries: 5 },
      doneSchema,
      signal,
    );
  }
}
