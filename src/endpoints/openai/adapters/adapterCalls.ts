/** Requests to a server that takes LoRA adapters while it runs. */
import type { EndpointErrorReason } from '../../endpointError.ts';

export interface LoadedAdapter {
  name: string;
  /** Where it was loaded from, as the server sees it; null where it does not say. */
  path: string | null;
}

/** Why a server did not take an adapter. */
export interface AdapterFault {
  /** As a clause. */
  what: string;
  /** Full sentences. */
  remedy: string;
  reason: EndpointErrorReason;
  request?: string;
  status?: number;
  /** Its files are not there yet: they may come. */
  late?: boolean;
  cause?: unknown;
}

export interface AdapterCalls {
  /** Base address of the server. */
  readonly url: string;
  /** Adapters of the base model, in the order in which they were loaded. @throws EndpointError */
  loaded(signal: AbortSignal): Promise<LoadedAdapter[]>;
  /** Null when it is loaded. @throws EndpointError when there is no answer at all */
  load(name: string, path: string, signal: AbortSignal): Promise<AdapterFault | null>;
  /** An adapter that is not there is no failure. @throws EndpointError */
  unload(name: string, signal: AbortSignal): Promise<void>;
  /** The name of the model in a request. */
  modelOf(name: string): string;
  /** Logprobs of a text's own tokens with an adapter, or without (null); null where the server does not tell them. */
  logprobs(name: string | null, text: string, signal: AbortSignal): Promise<number[] | null>;
}

/** Reading weights into every GPU takes its time. */
export const loadTimeout = { answer: 300_000, whole: 300_000 };
