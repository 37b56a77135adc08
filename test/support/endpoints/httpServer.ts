/** A local server whose handler a test writes; its sockets can be counted and broken. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import * as z from 'zod';

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Takes a connection over that asks for another protocol. */
export type Upgrader = (socket: Duplex, asked: Asked) => void;
export type Handler = (response: ServerResponse, asked: Asked, count: number) => void;

export class TestServer {
  readonly asked: Asked[] = [];
  readonly sockets = new Set<Socket>();
  readonly url: string;
  readonly #stop: () => Promise<void>;

  private constructor(url: string, stop: () => Promise<void>) {
    this.url = url;
    this.#stop = stop;
  }

  static async start(handler: Handler, port = 0, upgrader?: Upgrader): Promise<TestServer> {
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const asked = { method, path: url, headers, body: Buffer.concat(pieces).toString() };
        self.asked.push(asked);
        handler(response, asked, self.asked.length);
      });
    });
    if (upgrader !== undefined) {
      server.on('upgrade', (request, socket) => {
        socket.on('error', () => undefined);
        const { method = '', url = '', headers } = request;
        const asked = { method, path: url, headers, body: '' };
        self.asked.push(asked);
        upgrader(socket, asked);
      });
    }
    server.on('connection', (socket) => {
      self.sockets.add(socket);
      socket.on('close', () => self.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const address = z.object({ port: z.number() }).parse(server.address()) satisfies Pick<AddressInfo, 'port'>;
    const self = new TestServer(`http://127.0.0.1:${address.port}`, async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const socket of self.sockets) socket.destroy();
      await closed;
    });
    return self;
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

export function sendJson(response: ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}
