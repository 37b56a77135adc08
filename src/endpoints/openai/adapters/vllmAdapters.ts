/** Adapters of a vLLM server: calls that are there only when it was started so, and answers that are plain text. */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../../endpointError.ts';
import type { HttpAnswer } from '../../http/httpClient.ts';
import { sendForJson } from '../../http/json.ts';
import { errorText } from '../../http/words.ts';
import { loadTimeout, type AdapterCalls, type AdapterFault, type LoadedAdapter } from './adapterCalls.ts';
import type { Connection } from '../connection.ts';
import { loadedAdapters } from '../serverKind.ts';
import { completionSchema } from '../wire.ts';

const switchedOff = (): string =>
  l10n.t('Start vLLM with --enable-lora and with the environment variable VLLM_ALLOW_RUNTIME_LORA_UPDATING=True.');
const answers = [400, 404, 405, 409, 422];

export class VllmAdapters implements AdapterCalls {
  readonly url: string;
  readonly #connection: Connection;
  readonly #base: string;

  private constructor(connection: Connection, base: string) {
    this.#connection = connection;
    this.#base = base;
    this.url = connection.http.url;
  }

  /** Asks it to load nothing: it says so, or knows no such call. @throws EndpointError `unable` */
  static async open(connection: Connection, base: string, signal: AbortSignal): Promise<VllmAdapters> {
    const calls = new VllmAdapters(connection, base);
    const answer = await calls.#post('load_lora_adapter', { lora_name: '', lora_path: '' }, signal);
    if (!absent(answer)) return calls;
    throw new EndpointError('unable', l10n.t('it takes no adapters while it runs'), {
      ...{ endpoint: calls.url, request: calls.#name('load_lora_adapter'), attempts: 1, status: answer.status },
      remedy: switchedOff(),
    });
  }

  loaded(signal: AbortSignal): Promise<LoadedAdapter[]> {
    return loadedAdapters(this.#connection, signal);
  }

  async load(name: string, path: string, signal: AbortSignal): Promise<AdapterFault | null> {
    const answer = await this.#post('load_lora_adapter', { lora_name: name, lora_path: path }, signal);
    if (answer.status === 200) return null;
    const said = errorText(answer.body);
    const fault = {
      ...{ what: l10n.t('it did not take the adapter {0} from {1}: {2}', name, path, said), status: answer.status },
      request: this.#name('load_lora_adapter'),
    };
    if (absent(answer)) return { ...fault, reason: 'unable', remedy: switchedOff() };
    if (answer.status === 404 || /no adapter found|no such file|does not exist/i.test(said)) {
      const remedy = l10n.t(
        'The folder must be on the server’s own disk, or shared with it, under this name: {0}.',
        path,
      );
      return { ...fault, reason: 'refused', remedy, late: true };
    }
    return { ...fault, reason: 'refused', remedy: remedyOf(said) };
  }

  async unload(name: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#post('unload_lora_adapter', { lora_name: name }, signal);
    // An adapter that the server does not know is gone.
    if (answer.status === 200 || (answer.status === 404 && !absent(answer))) return;
    throw new EndpointError('refused', l10n.t('it did not unload the adapter {0}: {1}', name, errorText(answer.body)), {
      ...{ endpoint: this.url, request: this.#name('unload_lora_adapter'), attempts: 1, status: answer.status },
      remedy: absent(answer) ? switchedOff() : l10n.t('See the server’s own log for the cause.'),
    });
  }

  modelOf(name: string): string {
    return name;
  }

  async logprobs(name: string | null, text: string, signal: AbortSignal): Promise<number[] | null> {
    const { http, api } = this.#connection;
    const body = {
      ...{ model: name ?? this.#base, prompt: text, max_tokens: 1, temperature: 0 },
      ...{ prompt_logprobs: 0, return_token_ids: true },
    };
    try {
      const request = { method: 'POST' as const, path: `${api}/completions`, body };
      const { choices, prompt_logprobs } = await sendForJson(http, request, completionSchema, signal);
      const places = choices[0]?.prompt_logprobs ?? prompt_logprobs ?? [];
      const ids = choices[0]?.prompt_token_ids ?? [];
      // Likelier tokens may stand beside the text's own.
      const values = places.flatMap((place, i) => place?.[String(ids[i])]?.logprob ?? []);
      return values.length === 0 ? null : values;
    } catch (error) {
      if (EndpointError.is(error, 'refused')) return null;
      throw error;
    }
  }

  #post(call: string, body: object, signal: AbortSignal): Promise<HttpAnswer> {
    const { http, api } = this.#connection;
    return http.send(
      { method: 'POST', path: `${api}/${call}`, body, timeout: loadTimeout, accept: answers, tries: 5 },
      signal,
    );
  }

  #name(call: string): string {
    return `POST ${this.#connection.api}/${call}`;
  }
}

/** The words of the framework below it for a call that does not exist: its own name what was not found. */
const absent = ({ status, body }: HttpAnswer): boolean =>
  status === 405 || (status === 404 && /^(not found)?$/i.test(errorText(body)));

function remedyOf(said: string): string {
  if (/max_lora_rank|greater than max|rank/i.test(said))
    return l10n.t('Start vLLM with a larger --max-lora-rank, or train with a smaller "rank".');
  if (/not enabled|enable.lora/i.test(said)) return switchedOff();
  if (/target.?modules?|embed|lm_head|modules_to_save/i.test(said)) {
    return l10n.t(
      'vLLM takes no adapter on these modules: train without them (embeddings and lm_head, for most models).',
    );
  }
  return l10n.t('Check that the adapter belongs to this base model; the server’s own log says more.');
}
