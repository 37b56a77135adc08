/**
 * LoRA adapters that a running vLLM or SGLang takes, so that a version that was trained elsewhere can be sampled. Each
 * version has a name of its own: what is in flight ends on the weights it began with.
 */
import * as l10n from '@vscode/l10n';
import type { Log } from '../../../engine/ports.ts';
import { largest } from '../../../shared/extremes.ts';
import { defined } from '../../../shared/defined.ts';
import { EndpointError } from '../../endpointError.ts';
import { machineTime, sleep, type Time } from '../../time.ts';
import type { AdapterCalls, AdapterFault } from './adapterCalls.ts';
import { adapterCallsOf } from './adapterServer.ts';
import type { Connection } from '../connection.ts';

export interface AdaptersOptions {
  /** All replicas get every adapter. */
  connections: readonly Connection[];
  /** The model that the adapters belong to, as the server names it. */
  base: string;
  /** How the names of all adapters of one policy of one run begin: nothing else is ever taken from the server. */
  family: string;
  /** How many of a family stay, the newest: those in flight need theirs. */
  keep?: number;
  log: Log;
  time?: Time;
}

export interface Adapter {
  /** Begins with the family; never used for other weights. */
  name: string;
  /** Folder with `adapter_config.json` and `adapter_model.safetensors`, as the server sees it. */
  path: string;
  /** It has been trained: then it must answer otherwise than the base. */
  trained: boolean;
}

export interface ServedAdapter {
  /** The name of the model in a request. */
  model: string;
  /** Largest distance of logprobs from the base's, in nats; null where the server scores nothing. */
  moved: number | null;
}

/** Shared folders show new files late. */
const patience = { tries: 7, first: 1000 };
/** Logprobs of one text by the same weights, computed twice. */
const text = 'One plus one is two. The capital of France is Paris. Water boils at one hundred degrees.';

export class Adapters {
  readonly #options: AdaptersOptions;
  readonly #replicas: readonly AdapterCalls[];
  readonly #time: Time;
  /** Adapters that were proved to be applied, by server, name and path. */
  readonly #proved = new Map<string, ServedAdapter>();

  private constructor(options: AdaptersOptions, replicas: readonly AdapterCalls[]) {
    this.#options = options;
    this.#replicas = replicas;
    this.#time = options.time ?? machineTime;
  }

  /** @throws EndpointError `unable` where the server takes no adapters while it runs, with how to start it */
  static async open(options: AdaptersOptions, signal: AbortSignal): Promise<Adapters> {
    const { connections, base } = options;
    const replicas = await Promise.all(connections.map((connection) => adapterCallsOf(connection, base, signal)));
    return new Adapters(options, replicas);
  }

  /**
   * Makes an adapter available and proves that it is. What is there already stays: a resumed run asks again.
   * @throws EndpointError
   */
  async publish(adapter: Adapter, signal: AbortSignal): Promise<ServedAdapter> {
    if (!adapter.name.startsWith(this.#options.family)) {
      throw new Error(`Unreachable: ${adapter.name} is not of the family ${this.#options.family}.`);
    }
    const served = await Promise.all(this.#replicas.map((calls) => this.#publishAt(calls, adapter, signal)));
    const [first] = served;
    if (first === undefined) throw new Error('Unreachable: an endpoint has an address.');
    return served.find(({ moved }) => moved !== null) ?? first;
  }

  async #publishAt(calls: AdapterCalls, adapter: Adapter, signal: AbortSignal): Promise<ServedAdapter> {
    const { name, path } = adapter;
    const place = JSON.stringify([calls.url, name, path]);
    const there = (await calls.loaded(signal)).find((one) => one.name === name);
    const other = there !== undefined && (there.path ?? path) !== path;
    if (there === undefined || other) {
      this.#proved.delete(place);
      if (other) await calls.unload(name, signal);
      await this.#retire(calls, name, signal);
      await this.#load(calls, adapter, signal);
      await this.#listed(calls, adapter, signal);
    }
    const model = calls.modelOf(name);
    const served = this.#proved.get(place) ?? { model, moved: await this.#moved(calls, adapter, signal) };
    this.#proved.set(place, served);
    return served;
  }

  async #load(calls: AdapterCalls, { name, path }: Adapter, signal: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries++) {
      const fault = await calls.load(name, path, signal);
      if (fault === null) return;
      // An answer that was lost on its way leaves the adapter loaded.
      const there = (await calls.loaded(signal)).some((one) => one.name === name && (one.path ?? path) === path);
      if (there) return;
      if (!fault.late || tries === patience.tries) throw this.#fault(calls, fault, tries);
      await sleep(this.#time, patience.first * 2 ** (tries - 1), signal);
    }
  }

  /** The newest of the family stay, less the one that comes. */
  async #retire(calls: AdapterCalls, coming: string, signal: AbortSignal): Promise<void> {
    const { family, keep = 2, log } = this.#options;
    const own = (await calls.loaded(signal)).filter(({ name }) => name.startsWith(family) && name !== coming);
    for (const { name } of own.slice(0, Math.max(own.length - (keep - 1), 0))) {
      await calls.unload(name, signal);
      log.info(`${calls.url}: unloaded adapter ${name}.`);
    }
  }

  async #listed(calls: AdapterCalls, { name, path }: Adapter, signal: AbortSignal): Promise<void> {
    const found = (await calls.loaded(signal)).find((one) => one.name === name);
    if (found !== undefined && (found.path ?? path) === path) return;
    const what =
      found === undefined
        ? l10n.t('it took the adapter {0} and does not list it', name)
        : l10n.t('it lists the adapter {0} from {1}, not from {2}', name, found.path ?? 'elsewhere', path);
    throw this.#fault(calls, { what, remedy: l10n.t('See the server’s own log for the cause.'), reason: 'failed' }, 1);
  }

  /** Whether the adapter's weights take part in an answer, and how much. */
  async #moved(calls: AdapterCalls, { name, trained }: Adapter, signal: AbortSignal): Promise<number | null> {
    const { log, base } = this.#options;
    const own = await calls.logprobs(name, text, signal);
    const first = await calls.logprobs(null, text, signal);
    const second = await calls.logprobs(null, text, signal);
    if (own === null || first === null || second === null) {
      log.warn(`${calls.url}: scores nothing: that adapter ${name} is applied cannot be seen.`);
      return null;
    }
    const moved = furthest(own, first);
    if (!trained || moved > furthest(first, second)) return moved;
    const what = l10n.t('adapter {0} answers as the base model {1} does', name, base);
    if (moved > 0) {
      log.warn(`${calls.url}: ${what}, within ${moved} nats: it was trained little, or it is not applied.`);
      return moved;
    }
    throw this.#fault(
      calls,
      {
        ...{ what, reason: 'failed' },
        remedy: l10n.t(
          'Its lora_alpha may be 0 in adapter_config.json (some trainers write that): set it to the one it was trained with, and publish again.',
        ),
      },
      1,
    );
  }

  #fault({ url }: AdapterCalls, { what, remedy, reason, request, status, cause }: AdapterFault, attempts: number) {
    return new EndpointError(reason, what, {
      ...{ endpoint: url, request: request ?? 'GET /models', attempts, remedy, cause },
      ...defined({ status }),
    });
  }
}

function furthest(a: readonly number[], b: readonly number[]): number {
  return largest(a.map((value, i) => Math.abs(value - (b[i] ?? Infinity))));
}
