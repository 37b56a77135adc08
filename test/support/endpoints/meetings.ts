/** An HTTP client of ours and the server that it meets, on time that a test moves. */
import { strict as assert } from 'node:assert';
import { EndpointError } from '../../../src/endpoints/endpointError.ts';
import { NodeHttpClient, type HttpClientOptions, type Trouble } from '../../../src/endpoints/http/nodeHttpClient.ts';
import { TestServer, type Handler } from './httpServer.ts';
import { ManualTime } from './manualTime.ts';

export const timeout = { answer: 60_000, whole: 600_000 };

interface Met {
  client: NodeHttpClient;
  server: TestServer;
}

/** Everything that a test opened: one that meets two servers leaves none. */
export class Meetings {
  readonly #opened: Met[] = [];

  async meet(
    handler: Handler,
    options: Partial<HttpClientOptions> = {},
  ): Promise<Met & { time: ManualTime; troubles: Trouble[] }> {
    const time = new ManualTime();
    const troubles: Trouble[] = [];
    const server = await TestServer.start(handler);
    const client = new NodeHttpClient({
      url: server.url,
      time,
      timeout,
      random: () => 0,
      onTrouble: (trouble) => troubles.push(trouble),
      ...options,
    });
    this.add({ client, server });
    return { client, server, time, troubles };
  }

  add(met: Met): void {
    this.#opened.push(met);
  }

  async close(): Promise<void> {
    for (const { client, server } of this.#opened.splice(0)) {
      client.close();
      await server.stop();
    }
  }
}

export async function failure(promise: Promise<unknown>): Promise<EndpointError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert(error instanceof EndpointError, String(error));
  return error;
}
