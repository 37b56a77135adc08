/** A server's wishes for its clients (protocol §3): asked once, and every answer optional. */
import * as z from 'zod';
import { EndpointError } from '../endpointError.ts';
import type { HttpClient } from '../http/httpClient.ts';
import { sendForJson } from '../http/json.ts';

const bytes = z.int().positive();
const configSchema = z
  .object({
    /** Bytes of sample requests on their way. */
    sample_dispatch_bytes_semaphore_size: bytes.catch(10 * 1024 * 1024),
    /** Bytes of results on their way. */
    inflight_response_bytes_semaphore_size: bytes.catch(50 * 1024 * 1024),
    fwdbwd_max_chunk_len: z.int().positive().catch(1024),
    fwdbwd_max_chunk_bytes_count: bytes.catch(5_000_000),
    /** Seconds that an unpaid bill is waited for. */
    billing_exception_max_pause: z.number().nonnegative().catch(3600),
  })
  .transform((config) => ({
    dispatchBytes: config.sample_dispatch_bytes_semaphore_size,
    resultBytes: config.inflight_response_bytes_semaphore_size,
    chunk: { datums: config.fwdbwd_max_chunk_len, bytes: config.fwdbwd_max_chunk_bytes_count },
    longestBillingPause: config.billing_exception_max_pause * 1000,
  }));
export type ClientConfig = z.output<typeof configSchema>;

/** A hint is worth a few seconds. */
const tries = 4;

/** The defaults of the protocol's own client when a server says nothing. */
export const usualConfig: ClientConfig = configSchema.parse({});

/** The usual one where the server has no such call. @throws EndpointError when it cannot be reached or refuses the key */
export async function readClientConfig(
  http: HttpClient,
  sdkVersion: string,
  signal: AbortSignal,
): Promise<ClientConfig> {
  try {
    const body = { sdk_version: sdkVersion };
    return await sendForJson(
      http,
      { method: 'POST', path: '/api/v1/client/config', body, tries },
      configSchema,
      signal,
    );
  } catch (error) {
    // It is a hint: when it is missing or fails, the essential requests are still sent.
    if (EndpointError.is(error) && ['refused', 'failed', 'unable', 'malformed'].includes(error.reason))
      return usualConfig;
    throw error;
  }
}
