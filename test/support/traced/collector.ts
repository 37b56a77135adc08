/** A collector of spans by OTLP over HTTP, which keeps what it is sent. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';

const attribute = z.strictObject({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const spanSchema = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: z.string().regex(/^\d+$/),
  endTimeUnixNano: z.string().regex(/^\d+$/),
  attributes: z.array(attribute),
  events: z.array(z.unknown()).optional(),
  status: z.strictObject({ code: z.int(), message: z.string() }).optional(),
});
const requestSchema = z.strictObject({
  resourceSpans: z.tuple([
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(attribute) }),
      scopeSpans: z.tuple([z.strictObject({ scope: z.unknown(), spans: z.array(spanSchema) })]),
    }),
  ]),
});

export type CollectedSpan = z.infer<typeof spanSchema>;

export class Collector {
  readonly bodies: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly #server: Server;

  private constructor(answers: 'at once' | 'never') {
    this.#server = createServer((request, response) => {
      void buffer(request).then((body) => {
        this.bodies.push(body.toString());
        this.headers.push(request.headers);
        if (answers === 'at once') response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  static async start(answers: 'at once' | 'never' = 'at once'): Promise<Collector> {
    const collector = new Collector(answers);
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${isPlace(address) ? address.port : 0}/v1/traces`;
  }

  get spans(): CollectedSpan[] {
    return this.bodies.flatMap((body) => requestSchema.parse(JSON.parse(body)).resourceSpans[0].scopeSpans[0].spans);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const isPlace = (address: AddressInfo | string | null): address is AddressInfo =>
  address !== null && typeof address === 'object';

/** The value of one of a span's attributes. */
export function told(span: CollectedSpan, key: string): unknown {
  const value = span.attributes.find((one) => one.key === key)?.value;
  return value === undefined ? undefined : Object.values(value)[0];
}
