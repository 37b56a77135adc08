/** How busy a server is by its own metrics, in Prometheus' text form (vLLM, SGLang, llama.cpp, `genenv serve`). */
import { largest } from '../../shared/extremes.ts';
import { EndpointError } from '../endpointError.ts';
import type { HttpClient } from './httpClient.ts';

export interface ServerLoad {
  running: number;
  /** Taken and not begun; null where it does not say. */
  waiting: number | null;
  /** Share of its cache for keys and values that is in use, 0…1; null where it does not say. */
  cache: number | null;
}

/** Names of each after `vllm:`, `sglang:`, `llamacpp:`, `genenv:`; the newest first. */
const names = {
  running: ['num_requests_running', 'num_running_reqs', 'requests_processing'],
  waiting: ['num_requests_waiting', 'num_queue_reqs', 'requests_deferred'],
  cache: ['kv_cache_usage_perc', 'gpu_cache_usage_perc', 'token_usage'],
} as const;

const timeout = { answer: 5000, whole: 10_000 };
/** Statuses of a server without metrics: it has none, or restricts them. */
const absent = [400, 401, 403, 404, 405, 501];

/** Null where it tells nothing of the kind. @throws EndpointError when it cannot be reached, or has too much to do */
export async function readLoad(http: HttpClient, signal: AbortSignal): Promise<ServerLoad | null> {
  const asked = { method: 'GET', path: '/metrics', headers: { accept: 'text/plain' }, accept: absent } as const;
  // A server that is too busy to tell how busy it is slows nothing down: its answers to requests do.
  const { status, body } = await http.send({ ...asked, tries: 1, urgent: true, timeout }, signal);
  return status === 200 ? loadOf(body.toString('utf8')) : null;
}

/** Like `readLoad`, and null for everything that goes wrong: a display goes without it. */
export async function loadIfTold(http: HttpClient, signal: AbortSignal): Promise<ServerLoad | null> {
  try {
    return await readLoad(http, signal);
  } catch (error) {
    if (EndpointError.is(error)) return null;
    throw error;
  }
}

/** From the text of the metrics; null when none of ours is among them. */
export function loadOf(text: string): ServerLoad | null {
  const samples = samplesOf(text);
  const find = (known: readonly string[]): readonly number[] | null =>
    known.map((name) => samples.get(name)).find((values) => values !== undefined) ?? null;
  const [running, waiting, cache] = [find(names.running), find(names.waiting), find(names.cache)];
  if (running === null) return null;
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  // Engines and models count together; the fullest cache is the one that holds things up.
  return {
    running: sum(running),
    waiting: waiting === null ? null : sum(waiting),
    cache: cache === null ? null : largest(cache),
  };
}

/** Every value by its metric's name, without the server's prefix and labels. */
function samplesOf(text: string): Map<string, number[]> {
  const samples = new Map<string, number[]>();
  for (const line of text.split('\n')) {
    const [, name, number] = /^(?:\w+:)?(\w+)(?:\{.*\})?\s+(\S+)/.exec(line) ?? [];
    const value = Number(number);
    if (name === undefined || number === undefined || !Number.isFinite(value)) continue;
    samples.set(name, [...(samples.get(name) ?? []), value]);
  }
  return samples;
}
